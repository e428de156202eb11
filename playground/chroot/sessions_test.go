package chroot

import (
	"testing"
	"time"
)

func TestSessions(t *testing.T) {
	s := NewSessions()
	now := time.Now()
	s.now = func() time.Time { return now }
	const id = 7
	inner := []byte("0123456789abcdef")
	outer := s.attach("/r1", id, inner)
	if string(outer) == string(inner) || len(outer) != len(inner) {
		t.Errorf("the client gets %q, the server's password is %q", outer, inner)
	}
	for _, test := range []struct {
		name     string
		root     root
		id       int64
		password []byte
		want     bool
	}{
		{"the same", "/r1", id, outer, true},
		{"another root", "/r10", id, outer, false},
		{"another session", "/r1", 8, outer, false},
		{"the server's password", "/r1", id, inner, false},
		{"no password", "/r1", id, nil, false},
	} {
		got, ok := s.resume(test.root, test.id, test.password)
		if ok != test.want || ok && string(got) != string(inner) {
			t.Errorf("%s: %q, %v", test.name, got, ok)
		}
	}
	if again := s.attach("/r1", id, inner); string(again) != string(outer) {
		t.Error("a resumed session gets another password")
	}
	kept := func() bool {
		s.attach("/r2", 9, inner) // sweeps
		_, ok := s.resume("/r1", id, outer)
		return ok
	}
	s.detach(id)
	now = now.Add(2 * keepSession)
	if !kept() {
		t.Error("a session with a connection is forgotten")
	}
	s.detach(id)
	if !kept() {
		t.Error("a session is forgotten at once")
	}
	now = now.Add(2 * keepSession)
	if kept() {
		t.Error("a session is never forgotten")
	}
}
