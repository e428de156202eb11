package zklock_test

import (
	"context"
	"encoding/binary"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// Connections that break at the requests of marks do no harm.
func TestLostMarks(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*network) <-chan struct{}{
		"a mark":               func(n *network) <-chan struct{} { return n.loseRequest(opMulti) },
		"the reply to a mark":  func(n *network) <-chan struct{} { return n.loseReply(opMulti) },
		"a read":               func(n *network) <-chan struct{} { return n.loseRequest(opMultiRead) },
		"the reply to a read":  func(n *network) <-chan struct{} { return n.loseReply(opMultiRead) },
		"the reply to a watch": func(n *network) <-chan struct{} { return n.loseReply(opGetData) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			c := w.contend(append(w.dialSome(fewContenders-1), s), zklock.WithMarks(markedQueue))
			c.comesToBeMarked(20)
			for range 3 {
				receive(t, lose(network), "the loss")
				c.goesOn(2 * fewContenders)
			}
			c.truthful()
			c.stop()
			w.empties()
		})
	}
}

// An oldConn is the connection to a server that does not know how to read
// several znodes at once: to such a one, the operation is a number like others.
type oldConn struct {
	net.Conn
	asked *atomic.Int32
}

func (c oldConn) Write(p []byte) (int, error) {
	if len(p) < 12 || binary.BigEndian.Uint32(p[8:]) != opMultiRead {
		return c.Conn.Write(p)
	}
	c.asked.Add(1)
	other := append([]byte(nil), p...)
	binary.BigEndian.PutUint32(other[8:], opUnknown)
	return c.Conn.Write(other)
}

// Clients of an old server list, and ask it only once.
func TestMarksOfAnOldServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := new(atomic.Int32)
	dial := func(kind, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := net.DialTimeout(kind, address, timeout)
		return oldConn{conn, asked}, err
	}
	old := w.dial(session, zklock.WithDialer(dial))
	c := w.contend(append(w.dialSome(fewContenders-1), old), zklock.WithMarks(markedQueue))
	eventually(t, "it has asked", func() bool { return asked.Load() > 0 })
	c.goesOn(100)
	c.stop()
	if n := asked.Load(); n != 1 {
		t.Errorf("asked %d times", n)
	}
	w.empties()
}

// Others who use the same queue do not mark, and nobody minds.
func TestMarksAmongOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.contend(w.dialSome(fewContenders), zklock.WithMarks(markedQueue))
	herd, multi := w.dial(session), w.dial(session)
	c.joins(zklock.NewHerdMutex(herd, w.path))
	several, err := zklock.NewMulti(multi, []string{w.path})
	if err != nil {
		t.Fatal(err)
	}
	c.all.Go(func() {
		for !c.over.Load() && c.ctx.Err() == nil {
			lease, err := several.Lock(c.ctx)
			if err == nil {
				err = lease.Unlock(c.ctx)
			}
			if err != nil {
				t.Error(err)
			}
		}
	})
	c.all.Go(func() { givesUp(c, zklock.NewMutex(herd, w.path, zklock.WithMarks(markedQueue))) })
	for last, times := int32(20), 0; times < 10; times++ {
		c.comesToBeMarked(last)
		last = c.marked()
		c.truthful()
		c.goesOn(fewContenders)
	}
	c.stop()
	w.empties()
}

// givesUp waits again and again, and never to the end: its places go in any
// order, and some in mid-look-ahead.
func givesUp(c *contention, lock *zklock.Mutex) {
	for round := 0; !c.over.Load(); round++ {
		ctx, cancel := context.WithCancel(c.ctx)
		trace := []*zklock.Trace{
			{Enqueued: func(zklock.EnqueuedInfo) { cancel() }},
			{WaitStart: func(zklock.WaitStartInfo) { cancel() }},
			{LookedAhead: func(zklock.LookedAheadInfo) { cancel() }},
		}[round%3]
		if lease, err := lock.Lock(zklock.WithTrace(ctx, trace)); err == nil {
			lease.Unlock(c.ctx) // an error only says that it takes longer
		}
		cancel()
	}
}

// Connections that are not ours to use read marks, and set them, by two
// requests and by go-zookeeper's transaction.
func TestMarksByAnotherClient(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	read := new(atomic.Int32)
	var sessions []*zklock.Session
	for range fewContenders {
		sessions = append(sessions, w.bring(func(conn *zk.Conn) zklock.Client { return dataClient{conn, w.path, read} }))
	}
	c := w.contend(sessions, zklock.WithMarks(markedQueue))
	c.comesToBeMarked(20)
	eventually(t, "marks are read", func() bool { return read.Load() > 0 })
	c.truthful()
	c.goesOn(3 * fewContenders)
	c.stop()
	w.quietAgain()
}
