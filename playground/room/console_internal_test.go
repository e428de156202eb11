package room

import (
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// TestLanePaths: a console knows what the clients of its lane need, also where a lane
// without ZooKeeper comes first, and where there are several locks.
func TestLanePaths(t *testing.T) {
	lanes := []event.Lane{
		{Name: "database", Store: "sqlite"},
		{Name: "mutex", Root: "/r/mutex", Path: "/r/mutex/lock"},
		{Name: "multi", Root: "/r/multi", Path: "/r/multi/lock", Locks: []string{"/r/multi/orders", "/r/multi/stock"}},
	}
	for lane, want := range map[string][]string{
		"":      {"/lock"},
		"mutex": {"/lock"},
		"multi": {"/lock", "/orders", "/stock"},
		"none":  nil,
	} {
		if got := lanePaths(lanes, lane); !slices.Equal(got, want) {
			t.Errorf("lane %q: %q, want %q", lane, got, want)
		}
	}
}
