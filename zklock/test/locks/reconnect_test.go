package locks_test

import (
	"encoding/binary"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// opSetWatches is ZooKeeper's code of the request by which a client sets its
// watches again after a reconnect, opExists that of a harmless one.
const (
	opSetWatches = 101
	opExists     = 3
)

// A deafConn has the server refuse to set watches again.
type deafConn struct {
	net.Conn
	refused *atomic.Int32
}

func (c deafConn) Write(frame []byte) (int, error) {
	if word(frame, 8) != opSetWatches {
		return c.Conn.Write(frame)
	}
	c.refused.Add(1)
	const missing = "/no-such-znode"
	body := binary.BigEndian.AppendUint32(nil, uint32(word(frame, 4)))
	body = binary.BigEndian.AppendUint32(body, opExists)
	body = binary.BigEndian.AppendUint32(body, uint32(len(missing)))
	body = append(append(body, missing...), 0) // without a watch
	if _, err := c.Conn.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(body))), body...)); err != nil {
		return 0, err
	}
	return len(frame), nil
}

// dialDeaf opens a session whose watches are not set again, and returns how
// often that was refused.
func (w *world) dialDeaf() (s *zklock.Session, n *network, refused *atomic.Int32) {
	w.Helper()
	n, refused = newNetwork(w), new(atomic.Int32)
	s = w.dial(session, zklock.WithDialer(func(kind, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := n.Dial(kind, address, timeout)
		return deafConn{conn, refused}, err
	}))
	return s, n, refused
}

// No watch is set again: go-zookeeper fails to do so, and tells nobody, and it
// does not know those that were set past it. The waiter finds out by itself
// what happened, before and after the reconnect.
func TestWatchesAreNotSetAgain(t *testing.T) {
	for name, early := range map[string]bool{"released-while-away": true, "released-later": false} {
		t.Run(name, func(t *testing.T) {
			forEach(t, func(w *world, r recipe) {
				holder := w.lock(r.exclusive(w.dial(session), w.path))
				s, network, _ := w.dialDeaf()
				waiter := w.startLock(r.make(s, w.path))
				network.partition()
				network.cut()
				if early {
					w.unlock(holder)
				}
				network.heal()
				if !early {
					waiter.await(w, "wait-start", 2)
					w.unlock(holder)
				}
				w.unlock(waiter.held(w))
			})
		})
	}
}

// The same for those who wait for a permit: the first in line, who watches the
// directory, and the second, who watches the first.
func TestSemaphoreWatchesAreNotSetAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	leases := w.hold(w.semaphore(2), 2)
	var queue []*attempt
	var networks []*network
	var refusals []*atomic.Int32
	for range 2 {
		s, network, refused := w.dialDeaf()
		queue = append(queue, w.startLock(permits{newSemaphore(s, w.path, 2)}))
		networks = append(networks, network)
		refusals = append(refusals, refused)
	}
	queue[0].await(t, "wait-start", 2) // the second has come
	for _, n := range networks {
		n.partition()
		n.cut()
	}
	for _, lease := range leases {
		w.unlock(lease)
	}
	for _, n := range networks {
		n.heal()
	}
	for i, waiter := range queue {
		w.unlock(waiter.held(t))
		if i == 1 { // the first watches past go-zookeeper
			eventually(t, "the watches were asked for", func() bool { return refusals[i].Load() > 0 })
		}
	}
}

// The first lock after a reconnect does not wait for go-zookeeper to set watches
// again that have all fired, or were never its own.
func TestLockAtOnceAfterAReconnect(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]zklock.DialOption{"directly": nil, "by go-zookeeper": {zklock.WithDirectRequests(false)}} {
		w := newWorld(t)
		s, network := w.dialThrough(session, opts...)
		lock := newMutex(s, w.path)
		lease := w.lock(lock)
		w.watches(lease, 1)
		w.unlock(lease)
		fastest := timeout
		for range 5 {
			dials := network.dials()
			network.cut()
			eventually(t, "it is dialed again", func() bool { return network.dials() > dials })
			begin := time.Now()
			w.unlock(w.lock(newMutex(s, w.path, zklock.WithOwnWatch(false))))
			fastest = min(fastest, time.Since(begin))
		}
		if fastest >= 90*time.Millisecond {
			t.Errorf("%s: %v at best", name, fastest)
		}
	}
}
