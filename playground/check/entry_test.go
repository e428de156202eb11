package check_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

const second = 1_000_000

// judge folds events of a lane whose lock is in another store, and returns the verdicts.
func judge(events ...event.Event) map[string]event.Verdict {
	c := check.New(event.Run{Lanes: []event.Lane{{Name: "lane", Store: "redis", Path: "/lane/lock"}}})
	for i, e := range events {
		e.Seq = int64(i + 1)
		if e.Kind != event.NoteStopping {
			e.Lane = "lane"
		}
		c.Apply(e)
	}
	verdicts := make(map[string]event.Verdict)
	for _, v := range c.Summary().Lanes[0].Verdicts {
		verdicts[v.Check] = v.Verdict
	}
	return verdicts
}

func made(at int64, client int, expiry int64) event.Event {
	return event.Event{Kind: event.TreeCreated, At: at, Client: client, Path: "/lane/lock/holder", Timeout: expiry}
}

func acquired(at int64, client int) event.Event {
	return event.Event{Kind: event.LockAcquired, At: at, Client: client, Path: "/lane/lock/holder"}
}

func went(at int64, client int) event.Event {
	return event.Event{Kind: event.TreeDeleted, At: at, Client: client, Path: "/lane/lock/holder"}
}

func synced(at int64) event.Event { return event.Event{Kind: event.TreeSynced, At: at, Sent: at - 1} }

func TestEntryExclusion(t *testing.T) {
	for _, c := range []struct {
		name   string
		events []event.Event
		want   event.Verdict
	}{
		{"nothing was compared", []event.Event{made(1, 1, 0), acquired(2, 1)}, event.Undecided},
		{"one after the other", []event.Event{made(1, 1, 0), acquired(2, 1), went(3, 1), made(4, 2, 0), acquired(5, 2), synced(9)}, event.Holds},
		{"the store tells late", []event.Event{acquired(1, 1), made(2, 1, 0), synced(9)}, event.Holds},
		{"the end of the last is told late", []event.Event{made(1, 1, 0), acquired(5, 2), went(6, 1), made(7, 2, 0), synced(9)}, event.Holds},
		{"it is another's", []event.Event{made(1, 1, 0), acquired(2, 1), acquired(5, 2), synced(9)}, event.Violated},
		{"it is another's since", []event.Event{acquired(2, 1), made(3, 2, 0), synced(9)}, event.Holds},
		{"written over", []event.Event{made(1, 1, 0), acquired(2, 1), {Kind: event.TreeChanged, At: 3, Client: 2, Path: "/lane/lock/holder"}}, event.Violated},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judge(c.events...)["mutual-exclusion"]; got != c.want {
				t.Errorf("mutual-exclusion is %s, want %s", got, c.want)
			}
		})
	}
}

func TestEntryProgress(t *testing.T) {
	connected := event.Event{Kind: event.SessionConnected, At: 1, Client: 2}
	waits := event.Event{Kind: event.LockWaiting, At: 2 * second, Client: 2}
	crashed := event.Event{Kind: event.FaultInjected, Fault: "crash", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}, At: 2 * second, Client: 1}
	paused := event.Event{Kind: event.FaultInjected, Fault: "pause", Effects: []event.Effect{event.Excuses}, At: 2 * second, Client: 1}
	for _, c := range []struct {
		name   string
		events []event.Event
		want   event.Verdict
	}{
		{"a dead holder's entry stays", []event.Event{made(second, 1, 0), acquired(second, 1), crashed, waits, synced(3 * second), synced(6 * second)}, event.Violated},
		{"it goes by itself", []event.Event{made(second, 1, 9000), acquired(second, 1), crashed, waits, synced(3 * second), synced(6 * second)}, event.Holds},
		{"its holder is alive", []event.Event{made(second, 1, 0), acquired(second, 1), paused, waits, synced(3 * second), synced(6 * second)}, event.Holds},
		{"nobody takes it", []event.Event{made(second, 1, 0), acquired(second, 1), {Kind: event.LockReleased, At: 2 * second, Client: 1}, went(2*second, 1), waits, synced(6 * second)}, event.Violated},
		{"nobody sees the store", []event.Event{made(second, 1, 0), acquired(second, 1), crashed, waits, {Kind: event.TreeLost, At: 3 * second}, synced(4 * second)}, event.Holds},
		{"the run is over", []event.Event{made(second, 1, 0), acquired(second, 1), crashed, waits, {Kind: event.NoteStopping, At: 3 * second}, synced(6 * second)}, event.Holds},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := judge(append([]event.Event{connected}, c.events...)...)["progress"]; got != c.want {
				t.Errorf("progress is %s, want %s", got, c.want)
			}
		})
	}
}
