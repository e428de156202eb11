package zklock

import (
	"sync"

	"github.com/go-zookeeper/zk"
)

// spares are watches whose waiters have given up, by the path watched. The
// next waiter behind the same znode takes its watch from here.
type spares struct {
	mu    sync.Mutex
	left  map[string]spare
	sweep int // the number of watches at which those that are of no use go
}

// A spare is good while its connection lasts: whether go-zookeeper has set the
// watch again on the next one is not known.
type spare struct {
	event      <-chan zk.Event
	connection <-chan struct{} // closed when the next connection is made
}

// minSweep is the least number of spares that are looked through.
const minSweep = 16

// leave takes in a watch that was set on the connection.
func (s *spares) leave(node string, event <-chan zk.Event, connection <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.left == nil {
		s.left = make(map[string]spare)
	}
	s.left[node] = spare{event, connection}
	if len(s.left) >= max(s.sweep, minSweep) {
		s.clean()
		s.sweep = 2 * len(s.left)
	}
}

// take returns a watch on node, nil if there is none on this connection. One
// that has fired is of no use: a name without a guid may have come back since,
// in a directory made anew, and it told of the znode before.
func (s *spares) take(node string, connection <-chan struct{}) <-chan zk.Event {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, ok := s.left[node]
	delete(s.left, node)
	if !ok || found.connection != connection || len(found.event) > 0 {
		return nil
	}
	return found.event
}

// clean drops the watches that have fired and those of old connections. The
// caller holds s.mu.
func (s *spares) clean() {
	for node, spare := range s.left {
		select {
		case <-spare.connection:
			delete(s.left, node)
		default:
			if len(spare.event) > 0 {
				delete(s.left, node)
			}
		}
	}
}
