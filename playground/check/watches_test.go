package check_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// TestWatchesAfterFaults tells what happens to a client that watches the data of
// two znodes and the children of one, and counts what it watches then.
func TestWatchesAfterFaults(t *testing.T) {
	of := func(kind event.Kind) event.Event { return event.Event{Kind: kind, Lane: "lane", Client: 1} }
	crash := of(event.FaultInjected)
	crash.Fault = "crash"
	pause := of(event.FaultInjected)
	pause.Fault = "pause"
	again := of(event.WireSent)
	again.Op, again.Ops = "setWatches", []event.SubOp{{Op: "getData", Path: "/a"}, {Op: "exists", Path: "/b"}, {Op: "getChildren", Path: "/c"}}
	fired := of(event.WireReceived)
	fired.Op, fired.Type, fired.Path = "notification", "NodeDeleted", "/a"
	tests := []struct {
		name           string
		story          []event.Event
		data, children int
	}{
		{"nothing", nil, 2, 1},
		{"a pause", []event.Event{pause}, 2, 1},
		{"a lost connection", []event.Event{of(event.SessionSuspended)}, 2, 1},
		{"a crash", []event.Event{crash}, 0, 0},
		{"a close", []event.Event{of(event.SessionClosed)}, 0, 0},
		{"an expiry", []event.Event{of(event.SessionRefused)}, 0, 0},
		{"an expiry that it was not told of", []event.Event{of(event.SessionGranted)}, 0, 0},
		{"a new connection", []event.Event{of(event.SessionResumed)}, 0, 0},
		{"watches set again", []event.Event{of(event.SessionResumed), again}, 2, 1},
		{"watches set again, one has fired meanwhile", []event.Event{of(event.SessionResumed), again, fired}, 1, 1},
		{"the crash of another", []event.Event{{Kind: event.FaultInjected, Fault: "crash", Lane: "lane", Client: 2}}, 2, 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := check.NewWatches()
			for op, path := range map[string]string{"getData": "/a", "exists": "/b", "getChildren": "/c"} {
				read := of(event.WireReceived)
				read.Op, read.Path, read.Watch = op, path, true
				w.Apply(read)
			}
			for _, e := range test.story {
				w.Apply(e)
			}
			if got := len(w.DataPaths()); got != test.data || len(w.Children("/c")) != test.children {
				t.Errorf("watches the data of %d, the children of %d; want %d, %d", got, len(w.Children("/c")), test.data, test.children)
			}
		})
	}
}
