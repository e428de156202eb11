package check_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

func (s *story) lost(client, number int) *story {
	return s.event(event.Event{Kind: event.LockLost, Client: client, Path: node(number, false)})
}

// later lets 1000 microseconds go by.
func (s *story) later() *story { s.pass(990); return s }

func TestFalseBelief(t *testing.T) {
	gone := func() *story { return tell().acquired(1, 0).deleted(1, 0).later() }
	tests := []struct {
		name  string
		story *story
		want  int64 // in microseconds
	}{
		{"nobody believes", tell().deleted(1, 0).later().note(event.NoteZooKeeper), 0},
		{"lost after the znode went", gone().lost(1, 0).later().deleted(9, 9), 1000},
		{"still believing", gone().deleted(9, 9).later().deleted(9, 9), 2000},
		{"two at once", tell().acquired(1, 0).acquired(2, 1).deleted(1, 0).later().deleted(2, 1).later().lost(1, 0).later().lost(2, 1), 4000},
		{"no more once told to stop", gone().deleted(9, 9).note(event.NoteStopping).later().lost(1, 0), 1000},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := test.story.checker.Summary().Lanes[0].FalseBeliefMicros; got != test.want {
				t.Errorf("%d microseconds, want %d", got, test.want)
			}
		})
	}
}
