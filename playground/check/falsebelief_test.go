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
		{"released before the znode went", tell().acquired(1, 0).lock(event.LockReleased, 1).later().deleted(1, 0), 0},
		{"lost after the znode went", gone().lost(1, 0).later().deleted(9, 9), 1000},
		{"released after the znode went", gone().lock(event.LockReleased, 1), 1000},
		{"still believing", gone().deleted(9, 9).later().deleted(9, 9), 2000},
		{"it crashed", gone().crash(1).later().deleted(9, 9), 1000},
		{"it closed", gone().lock(event.SessionClosed, 1).later().deleted(9, 9), 1000},
		{"a late loss of a former znode", tell().acquired(1, 0).acquired(1, 1).deleted(1, 1).later().lost(1, 0).later().lost(1, 1), 2000},
		{"another one's znode", tell().acquired(1, 0).deleted(2, 1).later().lost(1, 0), 0},
		{"acquired when the znode was gone", tell().deleted(1, 0).acquired(1, 0).later().lost(1, 0), 1000},
		{"a znode by the name of a former one", tell().deleted(1, 0).created(1, 0).acquired(1, 0).later().lost(1, 0), 0},
		{"the same, told late", tell().deleted(1, 0).acquired(1, 0).later().created(1, 0).later().lost(1, 0), 0},
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
