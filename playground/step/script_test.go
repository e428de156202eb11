package step

import (
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestStepTimeout: a step may have to wait until a client arrives, thinks and
// holds.
func TestStepTimeout(t *testing.T) {
	s := scenario.Scenario{Arrive: scenario.Duration(time.Minute), Hold: scenario.Range{Max: scenario.Duration(30 * time.Second)}, Think: scenario.Range{Max: scenario.Duration(20 * time.Second)}}
	if got, want := stepTimeout(s), 110*time.Second+scriptTimeout; got != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestHistory: a step's event is the first of its kind after that of the step
// before, each client for itself, and no event is read twice.
func TestHistory(t *testing.T) {
	log := event.NewLog(event.LogConfig{Dir: t.TempDir()})
	t.Cleanup(func() { _ = log.Close() })
	tell := func(client int, kinds ...event.Kind) {
		t.Helper()
		for _, kind := range kinds {
			if _, err := log.Append(event.Event{Lane: "lane", Client: client, Kind: kind}); err != nil {
				t.Fatal(err)
			}
		}
	}
	h := newHistory(log, [][]scenario.Step{{{Fault: scenario.Fault{Client: 1}, Until: event.LockEnqueued}}, {{Fault: scenario.Fault{Client: 1}, Await: event.LockAcquired}}})
	want := func(client int, kind event.Kind, found bool) {
		t.Helper()
		before := h.next
		got, err := h.pass("lane", client, kind)
		if err != nil || got != found {
			t.Errorf("client %d, %s: %t, %v; want %t", client, kind, got, err, found)
		}
		if h.next != log.Len()+1 || h.next < before {
			t.Errorf("the next event to read is %d, after %d; the log has %d", h.next, before, log.Len())
		}
	}
	tell(1, event.LockEnqueued, event.LockWoken, event.LockAcquired)
	tell(2, event.LockAcquired, event.LockEnqueued)
	want(1, event.LockEnqueued, true)
	want(1, event.LockEnqueued, false) // and passes the other
	want(1, event.LockAcquired, false)
	want(2, event.LockEnqueued, true)
	want(2, event.LockAcquired, false)
	tell(1, event.LockAcquired)
	want(1, event.LockAcquired, true)
	want(3, event.LockAcquired, false)
	if kept := len(h.told[teller{"lane", 1}]); kept != 0 || h.kinds[event.LockWoken] {
		t.Errorf("%d events are kept, and those of a kind that no step waits for: %t", kept, h.kinds[event.LockWoken])
	}
}

// TestSince: a reader is told each group of steps once, and all of them when it
// knows nothing, or when the network was held anew.
func TestSince(t *testing.T) {
	s := New(Config{Record: func(event.Event) {}, Changed: func() {}})
	var told Told
	want := func(what string, news bool, from, groups, steps int) {
		t.Helper()
		change, now, got := s.Since(told)
		told = now
		if got != news || change.From != from || len(change.Script) != groups || change.Steps != steps {
			t.Errorf("%s: %t, %+v; want %t, %d groups from %d, %d steps in all", what, got, change, news, groups, from, steps)
		}
	}
	want("before all", false, 0, 0, 0)
	s.keep([]scenario.Step{{Fault: scenario.Fault{Client: 1}}, {Fault: scenario.Fault{Client: 2}}})
	s.keep([]scenario.Step{{Fault: scenario.Fault{Client: 3}}})
	want("two groups", true, 0, 2, 3)
	want("nothing new", false, 0, 0, 0)
	s.keep([]scenario.Step{{Fault: scenario.Fault{Client: 1}}})
	want("one more", true, 2, 1, 4)
	if err := s.turnOn(); err != nil {
		t.Fatal(err)
	}
	want("held anew", true, 0, 0, 0)
	s.keep([]scenario.Step{{Fault: scenario.Fault{Client: 1}}})
	want("one of the new script", true, 0, 1, 1)
}
