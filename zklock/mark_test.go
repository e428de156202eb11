package zklock_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// opUnknown is no operation of any server.
const opUnknown = 77

// fewContenders are enough where a queue of markedQueue is a long one.
const fewContenders, markedQueue = 8, 4

// markLength is that of a mark.
const markLength = 43

// markOf is the mark of a directory that the transaction czxid made.
func markOf(czxid int64, number int32) string {
	return fmt.Sprintf("zklock released %016x %010d", czxid, number)
}

// marked returns the number in the directory's mark, -1 when there is none.
func (w *world) marked() (number int32) {
	w.Helper()
	data, stat, err := w.conn.Get(w.path)
	if err != nil {
		w.Fatal(err)
	}
	if _, err := fmt.Sscanf(string(data), "zklock released %x %d", new(int64), &number); err != nil || string(data) != markOf(stat.Czxid, number) {
		return -1
	}
	return number
}

// longPatience bounds a contention, and is more than all waits of a test that
// watches it take on a busy machine.
const longPatience = 5 * time.Minute

// A contention is clients that take a lock in turn until the test stops it.
type contention struct {
	*world
	census
	ctx  context.Context
	over atomic.Bool
	all  sync.WaitGroup
}

// contend begins one, of clients with a session each. Nobody goes by heirs: on a
// fast machine they would leave little to marks.
func (w *world) contend(sessions []*zklock.Session, opts ...zklock.Option) *contention {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil && err != zk.ErrNodeExists {
		w.Fatal(err)
	}
	c := &contention{world: w, census: census{TB: w}}
	var cancel context.CancelFunc
	c.ctx, cancel = context.WithTimeout(context.Background(), longPatience)
	w.Cleanup(cancel)
	w.Cleanup(c.stop)
	for _, s := range sessions {
		s.ForgoHeirs()
		c.joins(zklock.NewMutex(s, w.path, opts...))
	}
	return c
}

// joins has a client take the lock again and again.
func (c *contention) joins(lock zklock.Locker) {
	c.all.Go(func() {
		for !c.over.Load() && c.ctx.Err() == nil {
			c.visit(c.ctx, lock)
		}
	})
}

func (c *contention) stop() {
	c.over.Store(true)
	c.all.Wait()
}

// goesOn waits until the lock has been had n times more.
func (c *contention) goesOn(n int) {
	c.world.Helper()
	before := c.visitors()
	eventually(c.world, "the contention has gone on", func() bool { return c.visitors() >= before+n })
}

func (c *contention) visitors() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.visits
}

// comesToBeMarked waits for a mark above number.
func (c *contention) comesToBeMarked(number int32) {
	c.world.Helper()
	eventually(c.world, "there is a mark", func() bool { return c.marked() > number })
}

// truthful compares the mark with the queue, which must be behind it.
func (c *contention) truthful() {
	c.world.Helper()
	number := c.marked()
	for _, name := range c.children() {
		if name[len(name)-10:] <= fmt.Sprintf("%010d", number) {
			c.world.Errorf("%s is there, and the mark says %d", name, number)
		}
	}
}

func (w *world) dialSome(n int, opts ...zklock.DialOption) (all []*zklock.Session) {
	w.Helper()
	for range n {
		all = append(all, w.dial(session, opts...))
	}
	return all
}

// A queue that is long gets marks, which are true at every moment; and when it
// is short again, the lock is as it was before.
func TestMarksOfALongQueue(t *testing.T) {
	t.Parallel()
	const clients = 72
	w := newWorld(t)
	s, network := w.dialThrough(session)
	c := w.contend(append(w.dialSome(clients-1), s))
	c.goesOn(clients) // all have come
	for last, times := int32(-1), 0; times < 20; times++ {
		c.comesToBeMarked(last)
		last = c.marked()
		c.truthful()
	}
	eventually(w, "marks are read", func() bool { return network.requests(opMultiRead) > 0 })
	c.stop()
	w.quietAgain()
}

// quietAgain sees to it that a lock that was marked costs two requests again,
// and leaves nothing behind.
func (w *world) quietAgain() {
	w.Helper()
	s, network := w.dialThrough(session)
	w.quietAnew(s)
	w.kept("")
	w.costsAnew(s, network, "multi delete")
}

// A mark stays while somebody waits, and does not come back when none is due.
func TestMarkOfAShortQueue(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.contend(w.dialSome(markedQueue), zklock.WithMarks(fewContenders))
	c.goesOn(60)
	if number := w.marked(); number >= 0 {
		t.Errorf("a queue of %d has the mark %d", markedQueue, number)
	}
	c.stop()
	w.kept("")
}

// Without WithMarks, or in the manner of a textbook, nothing is ever written.
func TestNoMarks(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string][]zklock.Option{
		"never":         {zklock.WithMarks(0)},
		"textbook":      {zklock.WithMarks(markedQueue), zklock.WithTextbook()},
		"extra markers": {zklock.WithMarks(markedQueue), zklock.WithExtraMarkers("__lock__")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			w.neverAlone()
			c := w.contend(w.dialSome(fewContenders), opts...)
			c.goesOn(60)
			w.kept("")
			if version := w.directory().Version; version != 0 {
				t.Errorf("written %d times", version)
			}
			c.stop()
		})
	}
}

// neverAlone puts a stray into the directory, so that no client is ever alone
// there, which is an occasion to write, too.
func (w *world) neverAlone() {
	w.Helper()
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
	if _, err := w.conn.Create(w.path+"/stray", nil, zk.FlagEphemeral, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
}

// Who may not write the directory contends without marks.
func TestMarksThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acl := zk.WorldACL(zk.PermRead | zk.PermCreate | zk.PermDelete)
	if _, err := w.conn.Create(w.path, nil, 0, acl); err != nil {
		t.Fatal(err)
	}
	s, network := w.dialThrough(session)
	// An odd number, so that each has an even place now and then.
	c := w.contend(append(w.dialSome(fewContenders-2), s), zklock.WithMarks(markedQueue))
	c.goesOn(100)
	w.kept("")
	c.stop()
	w.empties()
	if n := network.requests(opMulti); n > 1 {
		t.Errorf("one tried %d times, want once", n)
	}
}
