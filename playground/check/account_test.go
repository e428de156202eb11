package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// wrote says that the account took what the client made of the balance read.
func (s *story) wrote(client int, read int64) *story {
	return s.event(event.Event{Kind: event.ResourceAccepted, Client: client, Read: read, Balance: read + 10})
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
		{"no write", tell(), event.Undecided, "nobody"},
		{"a refusal alone", tell().refused(1, 100), event.Undecided, "nobody"},
		{"one write", tell().wrote(1, 100), event.Holds, "1 write,"},
		{"one after the other", tell().wrote(1, 100).wrote(2, 110).wrote(1, 120), event.Holds, "3 writes, each based on the one before, and none"},
		{"a stale write refused", tell().wrote(2, 100).refused(1, 100), event.Holds, "1 refused, the last that of client 1 at event 2: stale"},
		{"a lost update", tell().wrote(2, 100).wrote(1, 100), event.Violated, "client 1 wrote 110 at event 2, having read 100 before client 2 changed that at event 1"},
		{"a lost update, much later", tell().wrote(2, 100).wrote(3, 110).wrote(2, 120).wrote(1, 100), event.Violated, "the account was at 130, and should now be at 140"},
		{"told in another order", tell().wrote(2, 110).wrote(1, 100), event.Holds, "2 writes"},
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
