package zklock

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"
)

var deletedOnLock = zk.Event{Type: zk.EventNodeDeleted, Path: "/lock/a"}

func (w *watch) told() bool {
	select {
	case <-w.fired:
		return true
	default:
		return false
	}
}

// Several may ask for one watch. Whoever gets it gets it for all, in whatever order
// they are answered; when all are refused, it is forgotten.
func TestWatchAskedForBySeveral(t *testing.T) {
	refused := errors.New("refused")
	on := watched{node: "/lock/a"}
	for name, c := range map[string]struct {
		answers []error
		armed   bool
	}{
		"granted":              {[]error{nil}, true},
		"refused":              {[]error{refused}, false},
		"refused, and granted": {[]error{refused, nil}, true},
		"granted, and refused": {[]error{nil, refused}, true},
		"refused to all":       {[]error{refused, refused, refused}, false},
	} {
		var all watches
		var asked []*watch
		for range c.answers {
			w, armed := all.on(on)
			if armed {
				t.Errorf("%s: it is there before an answer", name)
			}
			asked = append(asked, w)
		}
		for i, err := range c.answers {
			all.settle(asked[i], err)
		}
		if len(all.set) > 0 != c.armed {
			t.Errorf("%s: %d are kept", name, len(all.set))
		}
		last, armed := all.on(on)
		if armed != c.armed {
			t.Errorf("%s: there for the next one: %v", name, armed)
		}
		all.fire(deletedOnLock)
		for _, w := range append(asked[:len(asked):len(asked)], last) {
			if c.armed && (!w.told() || w.event != zk.EventNodeDeleted) {
				t.Errorf("%s: one is not told", name)
			}
		}
		if len(all.set) > 0 {
			t.Errorf("%s: %d are kept after the event", name, len(all.set))
		}
	}
}

// The event of a znode's end is that of both its watches, those of its data and of
// its children are not.
func TestWatchesFire(t *testing.T) {
	for event, want := range map[zk.EventType][2]bool{
		zk.EventNodeDeleted:         {true, true},
		zk.EventNodeDataChanged:     {true, false},
		zk.EventNodeChildrenChanged: {false, true},
		zk.EventNotWatching:         {true, true},
	} {
		var all watches
		data, _ := all.on(watched{"/lock/a", false})
		children, _ := all.on(watched{"/lock/a", true})
		other, _ := all.on(watched{"/lock/b", false})
		all.fire(zk.Event{Type: event, Path: "/lock/a"})
		if got := [2]bool{data.told(), children.told()}; got != want || other.told() {
			t.Errorf("%v: told %v, another %v", event, got, other.told())
		}
		all.reset()
		if _, armed := all.on(watched{"/lock/b", false}); armed || len(all.set) != 1 {
			t.Errorf("%d after a reset", len(all.set))
		}
	}
}
