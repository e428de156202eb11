package chroot

import (
	"testing"
	"time"
)

// What a session is resumed by is shown by TestResume, on a server.
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
