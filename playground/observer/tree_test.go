package observer

import (
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// kept keeps what it is told.
type kept struct{ told []string }

func (k *kept) Record(e event.Event) { k.told = append(k.told, string(e.Kind)+" "+e.Path+" "+e.Data) }
func (k *kept) Now() int64           { return 0 }
func (k *kept) Len() int64           { return int64(len(k.told)) }
func (k *kept) Zxid() int64          { return 0 }

func treeOf(t *testing.T) (*tree, *kept) {
	t.Helper()
	k := &kept{}
	return newTree([]event.Lane{{Name: "lane", Root: "/r", Path: "/r/locks/lock", Account: "guard"}}, k), k
}

func (k *kept) want(t *testing.T, want ...string) {
	t.Helper()
	if !slices.Equal(k.told, want) {
		t.Errorf("told %q, want %q", k.told, want)
	}
	k.told = nil
}

// TestTreeAsksForData: what is beside the queues is told with the server's answer, and with
// the data of the change that is told, not of a later one; of what the run makes for itself
// nothing is.
func TestTreeAsksForData(t *testing.T) {
	tree, k := treeOf(t)
	change := func(kind string, path string) { tree.changed(wire.WatchEvent{Type: kind, Path: path}) }
	for _, own := range []string{"/r/locks", "/r/locks/lock", "/r/account", "/other/a"} {
		change(wire.NodeCreated, own)
	}
	k.want(t)
	change(wire.NodeCreated, "/r/a")
	change(wire.NodeCreated, "/r/locks/lock/_c_1-lock-0000000000")
	if node, inQueue := tree.asked(); node != "/r/a" || inQueue {
		t.Errorf("asks for %q, in a queue: %v", node, inQueue)
	}
	k.want(t)
	tree.answered(found{data: "one", bytes: 3})
	k.want(t, "tree.created /r/a one", "tree.created /r/locks/lock/_c_1-lock-0000000000 ")
	change(wire.NodeDataChanged, "/r/a")
	change(wire.NodeDataChanged, "/r/a")
	tree.answered(found{data: "three"})
	tree.answered(found{data: "three"})
	k.want(t, "tree.changed /r/a ", "tree.changed /r/a three")
}

// TestTreeListed: after a time in which the observer was away it tells what has gone, with
// all that was below it, and what has come.
func TestTreeListed(t *testing.T) {
	tree, k := treeOf(t)
	for _, path := range []string{"/r/a", "/r/a/b", "/r/keeps", "/r/locks/lock/_c_1-lock-0000000000", "/r/locks/lock/_c_1-lock-0000000000/below"} {
		tree.changed(wire.WatchEvent{Type: wire.NodeCreated, Path: path})
		tree.answered(found{})
	}
	k.told = nil
	tree.listed(map[string][]string{"/r": {"keeps", "locks", "new"}, "/r/keeps": {}, "/r/locks": {"lock"}, "/r/new": {"child"},
		"/r/locks/lock": {"_c_1-lock-0000000000"}})
	k.want(t, "tree.deleted /r/a/b ", "tree.deleted /r/a ", "tree.created /r/new ", "tree.created /r/new/child ")
}
