package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// children and data are answers that leave a watch, underWay one that leaves the server only.
func children(path string) event.Event {
	return event.Event{Kind: event.WireReceived, Op: "getChildren", Path: path, Watch: true}
}

func data(path string) event.Event {
	return event.Event{Kind: event.WireReceived, Op: "getData", Path: path, Watch: true}
}

func notified(kind, path string) event.Event {
	return event.Event{Kind: event.WireReceived, Op: "notification", Type: kind, Path: path}
}

func underWay(e event.Event, frame int64) event.Event {
	e.Kind, e.Dir, e.Frame, e.Due = event.WireHeld, event.In, frame, 9
	return e
}

func arrives(e event.Event, frame int64) event.Event {
	e.Kind, e.Frame = event.WireReceived, frame
	return e
}

// facts are what the state tells of the watches of client 1, each as kind, what it is on, and what
// else is set.
func facts(events []event.Event) []string {
	s := state.New(event.Run{Lanes: []event.Lane{{Name: "l", Path: "/l", Clients: 1}}})
	var all []string
	for i, e := range events {
		e.Seq, e.At, e.Lane, e.Client = int64(i+1), int64(i+1), "l", 1
		for _, fact := range s.Apply(e) {
			if w := fact.Watched; w != nil {
				text := fmt.Sprintf("%d %s %d %s %s", e.Seq, strings.TrimPrefix(string(fact.Kind), "watch."), w.ID, w.On, fact.Path)
				if w.Absent {
					text += ", absent"
				}
				if w.Arrived {
					text += ", at once"
				}
				if w.Request > 0 {
					text += fmt.Sprintf(", requested by %d", w.Request)
				}
				if w.Change > 0 {
					text += fmt.Sprintf(", changed by %d", w.Change)
				}
				if w.Fired != nil {
					text += fmt.Sprint(", fired ", w.Fired)
				}
				if w.End != "" {
					text += ", " + w.End
				}
				all = append(all, text)
			}
		}
	}
	return all
}

func TestWatches(t *testing.T) {
	type events = []event.Event
	stays := event.Event{Kind: event.WireReceived, Op: "addWatch", Mode: "persistent", Path: "/l", Watch: true}
	removal := func(mode, err string) event.Event {
		return event.Event{Kind: event.WireReceived, Op: "removeWatches", Path: "/l", Mode: mode, Err: err}
	}
	for name, test := range map[string]struct {
		events events
		want   []string
	}{
		"a request alone leaves none": {events{{Kind: event.WireSent, Op: "getData", Path: "/l/a", Watch: true}}, nil},
		"an answer does, by its request": {events{{Kind: event.WireSent, Op: "getData", Path: "/l/a", Watch: true, Xid: 5},
			{Kind: event.WireReceived, Op: "getData", Path: "/l/a", Watch: true, Xid: 5}}, []string{"2 set 1 data /l/a, at once, requested by 1"}},
		"one without a watch does not": {events{{Kind: event.WireReceived, Op: "getData", Path: "/l/a"}}, nil},
		"that the znode is not there is an answer, too": {events{{Kind: event.WireReceived, Op: "exists", Path: "/l/a", Watch: true, Err: "NoNode"}},
			[]string{"1 set 1 data /l/a, absent, at once"}},
		"the same watch twice is one": {events{data("/l/a"), data("/l/a")}, []string{"1 set 1 data /l/a, at once"}},
		"children changed": {events{children("/l"), data("/l"), notified("NodeChildrenChanged", "/l")},
			[]string{"1 set 1 children /l, at once", "2 set 2 data /l, at once", "3 fired 1 children /l, at once"}},
		"data changed": {events{children("/l"), data("/l"), notified("NodeDataChanged", "/l")},
			[]string{"1 set 1 children /l, at once", "2 set 2 data /l, at once", "3 fired 2 data /l, at once"}},
		"deleted": {events{children("/l"), data("/l"), data("/l/a"), notified("NodeDeleted", "/l")},
			[]string{"1 set 1 children /l, at once", "2 set 2 data /l, at once", "3 set 3 data /l/a, at once", "4 fired 2 data /l, at once", "4 fired 1 children /l, at once"}},
		"the change is told before": {events{data("/l/a"), {Kind: event.TreeDeleted, Path: "/l/a"}, notified("NodeDeleted", "/l/a")},
			[]string{"1 set 1 data /l/a, at once", "3 fired 1 data /l/a, at once, changed by 2"}},
		"the change is told later": {events{children("/l"), notified("NodeChildrenChanged", "/l"), {Kind: event.TreeChanged, Path: "/l"}, {Kind: event.TreeCreated, Path: "/l/a"}},
			[]string{"1 set 1 children /l, at once", "2 fired 1 children /l, at once", "4 caused 0  /l, changed by 4, fired [1]"}},
		"nobody saw the change": {events{data("/l/a"), notified("NodeDeleted", "/l/a"), {Kind: event.TreeLost}, {Kind: event.TreeDeleted, Path: "/l/a"}},
			[]string{"1 set 1 data /l/a, at once", "2 fired 1 data /l/a, at once"}},
		"a change before the watch did not fire it": {events{children("/l"), {Kind: event.TreeDeleted, Path: "/l/a"}, data("/l/a"), notified("NodeDeleted", "/l/a")},
			[]string{"1 set 1 children /l, at once", "3 set 2 data /l/a, at once", "4 fired 2 data /l/a, at once"}},
		"it fires while its answer is under way": {events{underWay(data("/l/a"), 3), underWay(data("/l/a"), 3), underWay(notified("NodeDeleted", "/l/a"), 4), underWay(data("/l/a"), 3),
			arrives(data("/l/a"), 3), arrives(notified("NodeDeleted", "/l/a"), 4)},
			[]string{"1 set 1 data /l/a", "3 fired 1 data /l/a", "5 arrived 1 data /l/a", "6 arrived 1 data /l/a"}},
		"one set since stays": {events{data("/l/a"), underWay(notified("NodeDataChanged", "/l/a"), 4), underWay(data("/l/a"), 5), arrives(notified("NodeDataChanged", "/l/a"), 4)},
			[]string{"1 set 1 data /l/a, at once", "2 fired 1 data /l/a", "3 set 2 data /l/a", "4 arrived 1 data /l/a"}},
		"refused":   {events{data("/l/a"), {Kind: event.SessionRefused}}, []string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, session"}},
		"closed":    {events{data("/l/a"), {Kind: event.SessionClosed}}, []string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, session"}},
		"a new one": {events{data("/l/a"), {Kind: event.SessionGranted}}, []string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, session"}},
		"crashed":   {events{data("/l/a"), {Kind: event.FaultInjected, Fault: "crash", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}}}, []string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, crash"}},
		"left":      {events{data("/l/a"), {Kind: event.NoteLeft}}, []string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, left"}},
		"what it believes of its session ends none": {events{data("/l/a"), {Kind: event.SessionLost}, {Kind: event.SessionSuspended}},
			[]string{"1 set 1 data /l/a, at once"}},
		"they are set again on a new connection": {events{data("/l/a"), {Kind: event.SessionResumed}, {Kind: event.WireSent, Op: "setWatches", Ops: []event.SubOp{
			{Op: "getChildren", Path: "/l"}, {Op: "exists", Path: "/l/a"}, {Op: "addWatch", Path: "/", Flags: "recursive"}}}},
			[]string{"1 set 1 data /l/a, at once", "2 gone 1 data /l/a, connection", "3 set 2 children /l, at once, requested by 3",
				"3 set 3 data /l/a, absent, at once, requested by 3", "3 set 4 recursive /, at once, requested by 3"}},
		"one that stays when it fires": {events{stays, notified("NodeDeleted", "/l"), removal("children", ""), removal("any", "NoWatcher"), removal("any", "")},
			[]string{"1 set 1 persistent /l, at once", "5 gone 1 persistent /l, removed"}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, facts(test.events)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
