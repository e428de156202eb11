package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// read says that clients were told a balance.
func (s *story) read(balance int64, clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.ResourceRead, Client: client, Balance: balance})
	}
	return s
}

// wrote says that the account took what the client made of the balance that it had read.
func (s *story) wrote(client int, read int64) *story {
	return s.event(event.Event{Kind: event.ResourceAccepted, Client: client, Read: read, Balance: read + 10})
}

// deposited says that a client read a balance and the account took what it made of it.
func (s *story) deposited(client int, read int64) *story {
	return s.read(read, client).wrote(client, read)
}

func (s *story) refused(client int, read int64) *story {
	return s.event(event.Event{Kind: event.ResourceRefused, Client: client, Read: read, Why: "stale"})
}

func TestAccount(t *testing.T) {
	tests := []struct {
		name  string
		story *story
		want  event.Verdict
		why   string
	}{
		{"no write", tell().read(100, 1), event.Undecided, "nobody"},
		{"a refusal alone", tell().refused(1, 100), event.Undecided, "nobody"},
		{"one write", tell().deposited(1, 100), event.Holds, "1 write,"},
		{"one after the other", tell().deposited(1, 100).deposited(2, 110).deposited(1, 120), event.Holds,
			"3 writes, each based on the one before, and none"},
		{"a stale write refused", tell().read(100, 1).deposited(2, 100).refused(1, 100).deposited(2, 110), event.Holds,
			"1 refused, the last that of client 1 at event 4: stale"},
		{"one lost", tell().read(100, 1, 2).wrote(2, 100).wrote(1, 100), event.Violated,
			"client 1 wrote 110 at event 4, having read 100 before client 2 changed that at event 3; the account should be 120, is 110: 10 of client 2 lost"},
		{"those of others lost, for good", tell().read(100, 1).deposited(2, 100).deposited(3, 110).deposited(2, 120).wrote(1, 100).deposited(1, 110),
			event.Violated, "; the account should be 150, is 120: 30 of clients 2 and 3 lost"},
		{"that of the late writer lost, under a write that was under way", tell().read(100, 1).deposited(2, 100).read(110, 3).wrote(1, 100).wrote(3, 110),
			event.Violated, "; the account should be 130, is 120: 10 of client 1 lost"},
		{"those of many lost", tell().read(100, 9).deposited(1, 100).deposited(2, 110).deposited(3, 120).deposited(4, 130).deposited(5, 140).wrote(9, 100),
			event.Violated, "; the account should be 160, is 110: 50 of 5 clients lost"},
		{"a client that was not refused writes a second time", tell().read(100, 1).deposited(2, 100).refused(1, 100).deposited(1, 110), event.Holds, "2 writes"},
		{"told in another order", tell().read(100, 1).read(110, 2).wrote(2, 110).wrote(1, 100).deposited(3, 120), event.Holds, "3 writes"},
		{"told late, before another writes", tell().read(100, 1).read(110, 2).wrote(1, 100).wrote(2, 110).read(120, 3), event.Holds, "2 writes"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := test.story.verdict(t, "fenced-account")
			if got.Verdict != test.want || !strings.Contains(got.Why, test.why) {
				t.Errorf("%s: %q, want %s with %q", got.Verdict, got.Why, test.want, test.why)
			}
		})
	}
}
