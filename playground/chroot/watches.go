package chroot

import (
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A watch is one entry of the server's tables, of which it has one for what a znode
// is and one for what its children are.
type watch struct {
	path     string // the client's
	children bool
}

// watches are those that a connection has on the server, by its frames.
// The value says whether the watch stays when it fires.
type watches map[watch]bool

// The modes of an addWatch and the types of a removeWatches, as ZooKeeper numbers them.
const (
	recursive      = 1
	typeOfChildren = 1
	typeOfData     = 2
)

// asked are the watches that a request leaves when it succeeds.
func asked(f *wire.Frame) watches {
	all := make(watches)
	if f.Watch {
		all.ask(f.Op, f.Path, f.Mode)
	}
	if f.Op == event.OpSetWatches {
		for _, part := range f.Ops {
			all.ask(part.Op, part.Path, 0)
		}
	}
	return all
}

// ask adds what an operation leaves on a path. An addWatch that is not recursive is
// in both tables.
func (w watches) ask(op, path string, mode int32) {
	persistent := op == event.OpAddWatch
	if op != event.OpGetChildren {
		w.add(watch{path, false}, persistent)
	}
	if op == event.OpGetChildren || persistent && mode != recursive {
		w.add(watch{path, true}, persistent)
	}
}

func (w watches) add(one watch, persistent bool) { w[one] = w[one] || persistent }

// addAll adds what a reply has left.
func (w watches) addAll(left watches) {
	for one, persistent := range left {
		w.add(one, persistent)
	}
}

// missing counts those of the others that are not there yet.
func (w watches) missing(others watches) (n int) {
	for one := range others {
		if _, there := w[one]; !there {
			n++
		}
	}
	return n
}

// fired takes away what an event has used up.
func (w watches) fired(kind, path string) {
	if kind != wire.NodeChildrenChanged {
		w.use(watch{path, false})
	}
	if kind == wire.NodeChildrenChanged || kind == wire.NodeDeleted {
		w.use(watch{path, true})
	}
}

func (w watches) use(one watch) {
	if !w[one] {
		delete(w, one)
	}
}

// remove takes away what a removeWatches has.
func (w watches) remove(path string, kind int32) {
	if kind != typeOfChildren {
		delete(w, watch{path, false})
	}
	if kind != typeOfData {
		delete(w, watch{path, true})
	}
}
