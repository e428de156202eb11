package zklock

import (
	"slices"
	"sync"

	"github.com/go-zookeeper/zk"
)

// spares are watches whose waiters have given up, by the path watched. The
// next waiter behind the same znode takes one from here: a watch is
// not removed before it fires, and there would be one more for each wait that
// is given up.
type spares struct {
	mu    sync.Mutex
	left  map[string][]spare
	sweep int // the number of paths at which those that are of no use go
}

// A spare is good while its connection lasts: whether go-zookeeper has set the
// watch again on the next one is not known. And it is good until it fires: a
// name without a guid may come back, in a directory made anew, and the event
// told of the znode before.
type spare struct {
	event      <-chan zk.Event
	connection <-chan struct{} // closed when the next connection is made
}

func (s spare) good() bool {
	select {
	case <-s.connection:
		return false
	default:
		return len(s.event) == 0
	}
}

// minSweep is the least number of paths that are looked through.
const minSweep = 16

// leave takes in a watch that was set on the connection.
func (s *spares) leave(node string, event <-chan zk.Event, connection <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		s.left = make(map[string][]spare)
	}
	s.left[node] = append(s.left[node], spare{event, connection})
	if len(s.left) >= max(s.sweep, minSweep) {
		s.clean()
		s.sweep = 2 * len(s.left)
	}
}

// take returns a watch on node, nil if there is none that was set on this
// connection.
func (s *spares) take(node string, connection <-chan struct{}) <-chan zk.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	for left := s.left[node]; len(left) > 0; left = s.left[node] {
		last := left[len(left)-1]
		s.keep(node, left[:len(left)-1])
		if last.connection == connection && last.good() {
			return last.event
		}
	}
	return nil
}

// keep replaces the watches on node. The caller holds s.mu.
func (s *spares) keep(node string, left []spare) {
	if len(left) == 0 {
		delete(s.left, node)
	} else {
		s.left[node] = left
	}
}

// clean drops the watches that are of no use. The caller holds s.mu.
func (s *spares) clean() {
	for node, left := range s.left {
		s.keep(node, slices.DeleteFunc(left, func(s spare) bool { return !s.good() }))
	}
}
