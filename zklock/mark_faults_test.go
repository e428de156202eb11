package zklock_test

import (
	"context"
	"encoding/binary"
	"math/bits"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// Connections that break at the requests of marks do no harm.
func TestLostMarks(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*network) <-chan struct{}{
		"a mark":               func(n *network) <-chan struct{} { return n.loseRequest(opMulti) },
		"the reply to a mark":  func(n *network) <-chan struct{} { return n.loseReply(opMulti) },
		"a read":               func(n *network) <-chan struct{} { return n.loseRequest(opMultiRead) },
		"the reply to a read":  func(n *network) <-chan struct{} { return n.loseReply(opMultiRead) },
		"the reply to a watch": func(n *network) <-chan struct{} { return n.loseReply(opGetData, opWatchSet) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			// An odd number, so that each has an even place, and marks, now and then.
			c := w.contend(append(w.dialSome(fewContenders-2), s), zklock.WithMarks(markedQueue))
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

// An oddConn is the connection to a server that does something else than an
// operation.
type oddConn struct {
	net.Conn
	op      uint32
	asked   *atomic.Int32
	instead func(conn net.Conn, packet []byte) error
}

func (c oddConn) Write(p []byte) (int, error) {
	if len(p) < 12 || binary.BigEndian.Uint32(p[8:]) != c.op {
		return c.Conn.Write(p)
	}
	c.asked.Add(1)
	return len(p), c.instead(c.Conn, p)
}

// To a server that does not know the operation, it is a number like others.
func unknownInstead(conn net.Conn, packet []byte) error {
	other := append([]byte(nil), packet...)
	binary.BigEndian.PutUint32(other[8:], opUnknown)
	_, err := conn.Write(other)
	return err
}

func hangUpInstead(conn net.Conn, _ []byte) error {
	conn.Close()
	return net.ErrClosed
}

// To set no watches is answered with nothing but a header.
func emptyInstead(conn net.Conn, packet []byte) error {
	const header, nothing = 12, 8 + 3*4
	other := append([]byte(nil), packet[:header]...)
	other = append(other, make([]byte, nothing)...)
	binary.BigEndian.PutUint32(other[8:], opSetWatches)
	binary.BigEndian.PutUint32(other, header+nothing-4)
	_, err := conn.Write(other)
	return err
}

// Clients of such a server list, and ask it only now and then.
func TestMarksOfAnOddServer(t *testing.T) {
	t.Parallel()
	const visits = 200 // and so a couple of dozen of each client
	for name, c := range map[string]struct {
		instead func(net.Conn, []byte) error
		most    int32 // times that it is asked in twice as many visits
	}{
		"old":      {unknownInstead, 1},
		"hangs up": {hangUpInstead, 20},
		"empty":    {emptyInstead, 6},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			asked := new(atomic.Int32)
			dial := func(kind, address string, timeout time.Duration) (net.Conn, error) {
				conn, err := net.DialTimeout(kind, address, timeout)
				return oddConn{conn, opMultiRead, asked, c.instead}, err
			}
			odd := w.dial(session, zklock.WithDialer(dial))
			contention := w.contend(append(w.dialSome(fewContenders-1), odd), zklock.WithMarks(markedQueue))
			eventually(t, "it has been asked", func() bool { return asked.Load() > 0 })
			contention.goesOn(visits)
			contention.stop()
			// One that is slow to stop them sees more visits: to ask once more takes
			// twice as many.
			visitors := contention.visitors()
			if n := asked.Load(); n > c.most+int32(bits.Len(uint(visitors/(2*visits)))) {
				t.Errorf("asked %d times in %d visits", n, visitors)
			}
			w.empties()
		})
	}
}

// A quota without room for a mark costs each client one release in two steps.
func TestMarksBeyondAQuota(t *testing.T) {
	t.Parallel()
	w := &world{TB: t, server: zktest.StartOwn(t, zkserver.Config{JVM: []string{"-Dzookeeper.enforceQuota=true"}}), path: "/lock"}
	w.conn = w.server.Conn(t)
	for _, node := range []struct{ path, data string }{
		{w.path, ""},
		{w.path + "/stray", ""}, // so that nobody is alone, and writes for that
		{"/zookeeper/quota" + w.path, ""},
		{"/zookeeper/quota" + w.path + "/zookeeper_limits", "count=-1,bytes=-1=;byteHardLimit=20;countHardLimit=-1"},
		{"/zookeeper/quota" + w.path + "/zookeeper_stats", "count=1,bytes=0"},
	} {
		if _, err := w.conn.Create(node.path, []byte(node.data), 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.conn.Set(w.path, make([]byte, markLength), -1); err == nil {
		t.Fatal("the quota is not enforced")
	}
	s, network := w.dialThrough(session)
	c := w.contend(append(w.dialSome(fewContenders-2), s), zklock.WithMarks(markedQueue))
	eventually(t, "one has tried", func() bool { return network.requests(opMulti) > 0 })
	c.goesOn(150)
	tried := network.requests(opMulti)
	c.stop()
	if tried != 1 {
		t.Errorf("one tried %d times, want once", tried)
	}
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
