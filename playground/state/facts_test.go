package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// follow has the events of a lane follow each other by 10 microseconds, and returns what the state
// says of them, each with the number of its cause.
func follow(lane event.Lane, events []event.Event, say func(event.Event) string) []string {
	s := state.New(event.Run{Lanes: []event.Lane{lane}})
	var said []string
	for i, e := range events {
		e.Seq, e.At, e.Lane = int64(i+1), int64(i+1)*10, lane.Name
		for _, fact := range s.Apply(e) {
			if text := say(fact); text != "" {
				said = append(said, fmt.Sprintf("%d %s", e.Seq, text))
			}
		}
	}
	return said
}

func of(kind event.Kind, client int) event.Event {
	return event.Event{Kind: kind, Client: client, Path: node(client)}
}

// TestBeliefs: whose belief is false, for how long, and who cannot all be right.
func TestBeliefs(t *testing.T) {
	type events = []event.Event
	acquired := func(client int) event.Event { return of(event.LockAcquired, client) }
	reads := acquired(2)
	reads.Mode = "read"
	another := acquired(1)
	another.Path = node(9)
	fault := func(name string) event.Event {
		return event.Event{Kind: event.FaultInjected, Client: 1, Fault: name, Effects: []event.Effect{event.EndsProcess}}
	}
	gone := of(event.TreeDeleted, 1)
	unknown := gone
	unknown.Client = 0
	for name, test := range map[string]struct {
		permits int
		events  events
		want    []string
	}{
		"released before the znode went": {1, events{acquired(1), of(event.LockReleased, 1), gone}, nil},
		"the znode goes":                 {1, events{acquired(1), gone, of(event.LockLost, 1)}, []string{"2 false 1 0", "3 ended 1 10"}},
		"it is not known whose it was":   {1, events{acquired(1), unknown}, []string{"2 false 1 0"}},
		"a crash":                        {1, events{acquired(1), gone, fault("crash")}, []string{"2 false 1 0", "3 ended 1 10"}},
		"a close":                        {1, events{acquired(1), gone, fault("close")}, []string{"2 false 1 0", "3 ended 1 10"}},
		"a closed session":               {1, events{acquired(1), gone, of(event.SessionClosed, 1)}, []string{"2 false 1 0", "3 ended 1 10"}},
		"a lost connection ends no belief": {1, events{acquired(1), gone, of(event.SessionSuspended, 1), of(event.SessionRefused, 1), of(event.SessionLost, 1)},
			[]string{"2 false 1 0"}},
		"it acquires another":              {1, events{acquired(1), gone, another}, []string{"2 false 1 0", "3 ended 1 10"}},
		"a late loss of a former znode":    {1, events{another, acquired(1), gone, {Kind: event.LockLost, Client: 1, Path: node(9)}}, []string{"3 false 1 0"}},
		"acquired when the znode was gone": {1, events{gone, acquired(1)}, []string{"2 false 1 0"}},
		"a name that it had before":        {1, events{gone, of(event.TreeCreated, 1), acquired(1)}, nil},
		"the same, told late":              {1, events{gone, acquired(1), of(event.TreeCreated, 1)}, []string{"2 false 1 0", "3 ended 1 0"}},
		"two believe":                      {1, events{acquired(1), acquired(2), of(event.LockReleased, 1)}, []string{"2 conflict [1 2]", "3 conflict []"}},
		"three do":                         {1, events{acquired(3), acquired(2), acquired(1)}, []string{"2 conflict [2 3]", "3 conflict [1 2 3]"}},
		"as many as there are permits":     {2, events{acquired(1), acquired(2)}, nil},
		"one more":                         {2, events{acquired(1), acquired(2), acquired(3)}, []string{"3 conflict [1 2 3]"}},
		"readers":                          {1, events{reads, {Kind: event.LockAcquired, Client: 3, Path: node(3), Mode: "read"}}, nil},
		"a reader and a writer":            {1, events{reads, acquired(1)}, []string{"2 conflict [1 2]"}},
	} {
		t.Run(name, func(t *testing.T) {
			lane := event.Lane{Name: "l", Path: directory, Clients: 9, Permits: test.permits}
			got := follow(lane, test.events, func(e event.Event) string {
				switch kind := strings.TrimPrefix(string(e.Kind), "belief."); e.Kind {
				case event.BeliefConflict:
					return fmt.Sprint(kind, " ", e.Clients)
				case event.BeliefFalse, event.BeliefEnded:
					return fmt.Sprint(kind, " ", e.Client, " ", e.Wrong)
				default:
					return ""
				}
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestQueue: how long the lock was free, how many held together, and for how long nobody held.
func TestQueue(t *testing.T) {
	type events = []event.Event
	guests := func(client int) event.Event {
		return event.Event{Kind: event.TreeCreated, Client: client, Path: node(2)}
	}
	for name, test := range map[string]struct {
		events events
		want   []string
	}{
		"from the release to one that waited": {events{of(event.LockAcquired, 1), of(event.LockWaiting, 2), of(event.LockReleased, 1), of(event.LockAcquired, 2)},
			[]string{"1 {0 1 0}", "4 {10 1 10}"}},
		"to one that did not wait": {events{of(event.LockAcquired, 1), of(event.LockReleased, 1), of(event.LockAcquired, 2)}, []string{"1 {0 1 0}"}},
		"another one still holds": {events{of(event.LockAcquired, 1), of(event.LockAcquired, 3), of(event.LockWaiting, 2), of(event.LockReleased, 1), of(event.LockAcquired, 2)},
			[]string{"1 {0 1 0}", "2 {0 2 0}"}},
		"a guest in between may hold, and does not tell": {events{of(event.LockAcquired, 1), guests(10), of(event.LockWaiting, 2), of(event.LockReleased, 1),
			{Kind: event.TreeDeleted, Client: 10, Path: node(2)}, of(event.LockAcquired, 2)}, []string{"1 {0 1 0}", "6 {0 1 10}"}},
		"nobody holds though one waits": {events{of(event.LockWaiting, 2), of(event.LockGaveUp, 2)}, []string{"2 {0 0 10}"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := follow(event.Lane{Name: "l", Path: directory, Clients: 9}, test.events, func(e event.Event) string {
				if e.Queue == nil {
					return ""
				}
				return fmt.Sprint(*e.Queue)
			})
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}
