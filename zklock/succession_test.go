package zklock_test

import (
	"context"
	"errors"
	"path"
	"strconv"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// A lock that nobody else uses costs two requests, none of which writes into
// the directory. The server is the test's own: one that is busy with others may
// pass more transactions than there are numbers.
func TestSuccession(t *testing.T) {
	t.Parallel()
	own := zktest.StartOwn(t, zkserver.Config{})
	conn := own.Conn(t)
	for name, test := range map[string]func(*world){
		"alone":                       succeedsItself,
		"in a directory with data":    succeedsBesideData,
		"not to be written":           succeedsWhereItMayNotWrite,
		"somebody has been there":     wasOutrun,
		"somebody is there":           isOutrun,
		"the directory is another":    comesIntoAnotherDirectory,
		"after one that gave up":      comesAgainAfterGivingUp,
		"after one that was deleted":  comesAgainAfterItsDeletion,
		"after a reader":              comesAgainAsWriter,
		"several in turn, and shared": sharesALock,
		"on a busy server":            givesUpWhereItFails,
	} {
		t.Run(name, func(t *testing.T) { // not in parallel, see above
			w := &world{TB: t, server: own, conn: conn, path: own.Root(t) + "/lock"}
			test(w)
		})
	}
}

// settled returns a lock that goes by its numbers.
func (w *world) settled() (*zklock.Mutex, *network) {
	w.Helper()
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path)
	w.unlock(w.lock(lock)) // makes the directory
	w.takeNumbers(100)
	w.quiet(lock)
	w.costs(lock, network, "create delete")
	return lock, network
}

func succeedsItself(w *world) {
	lock, network := w.settled()
	before := w.directory()
	for range 20 {
		w.costs(lock, network, "create delete")
	}
	if after := w.directory(); after.Version != before.Version {
		w.Errorf("data of version %d, want %d", after.Version, before.Version)
	}
}

func succeedsBesideData(w *world) {
	lock, network := w.settled()
	w.takeNumbers(1) // so that it looks
	w.set("kept")
	w.quiet(lock)
	w.costs(lock, network, "create delete")
	w.kept("kept")
}

func succeedsWhereItMayNotWrite(w *world) {
	acl := zk.WorldACL(zk.PermRead | zk.PermCreate | zk.PermDelete)
	if _, err := w.conn.Create(w.path, nil, 0, acl); err != nil {
		w.Fatal(err)
	}
	w.settled()
}

// wasOutrun: the number tells that there was another, and only a listing can
// tell whether that is still there.
func wasOutrun(w *world) {
	lock, network := w.settled()
	for range 3 {
		network.sends(w, "create list delete", func() { w.takeNumbers(1); w.unlock(w.lock(lock)) })
	}
	w.quiet(lock)
	w.costs(lock, network, "create delete")
}

func isOutrun(w *world) {
	lock, _ := w.settled()
	for range 3 {
		w.waitsFor(w.contender(), lock)
	}
}

// comesIntoAnotherDirectory: the number is the one after the last, and it is
// another directory's.
func comesIntoAnotherDirectory(w *world) {
	lock, _ := w.settled()
	lease := w.lock(lock)
	number, err := strconv.Atoi(numberOf(lease.Node()))
	if err != nil {
		w.Fatal(err)
	}
	w.unlock(lease)
	w.makeAnew(0)
	holder := w.contender()
	for range number {
		w.takeNumbers(1)
	}
	w.waitsFor(holder, lock)
}

// comesAgainAfterGivingUp: the place before did not hold.
func comesAgainAfterGivingUp(w *world) {
	lock, _ := w.settled()
	holder := w.contender()
	waiter := w.startLock(lock)
	waiter.cancel()
	if err := waiter.failed(w); !errors.Is(err, context.Canceled) {
		w.Fatal(err)
	}
	w.waitsFor(holder, lock)
}

// comesAgainAfterItsDeletion: the place before was lost.
func comesAgainAfterItsDeletion(w *world) {
	lock, network := w.settled()
	lease := w.lock(lock)
	if err := w.conn.Delete(lease.Node(), -1); err != nil {
		w.Fatal(err)
	}
	if err := lease.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) {
		w.Fatal(err)
	}
	count := network.tally()
	w.unlock(w.lock(lock))
	if got := count(); got == "create delete" {
		w.Error("it goes by a number after one that was lost")
	}
}

// comesAgainAsWriter: a reader holds beside others that came before.
func comesAgainAsWriter(w *world) {
	other := zklock.NewRWMutex(w.dial(session), w.path)
	lock := zklock.NewRWMutex(w.dial(session), w.path)
	w.unlock(w.lock(lock))
	w.takeNumbers(100)
	w.quiet(lock)
	reading, err := other.RLock(w.within())
	if err != nil {
		w.Fatal(err)
	}
	beside, err := lock.RLock(w.within())
	if err != nil {
		w.Fatal(err)
	}
	w.unlock(beside)
	waiter := w.startLock(lock)
	w.unlock(reading)
	w.unlock(waiter.held(w))
}

// sharesALock: a place of another goroutine is no place before.
func sharesALock(w *world) {
	lock, _ := w.settled()
	for range 20 {
		first := w.lock(lock)
		waiter := w.startLock(lock)
		w.unlock(first)
		third := w.startLock(lock)
		w.unlock(waiter.held(w))
		w.unlock(third.held(w))
	}
}

// givesUpWhereItFails: where others pass more transactions than there are
// numbers, few acquisitions pay for the attempt.
func givesUpWhereItFails(w *world) {
	const times, most = 64, 8
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path)
	w.quiet(lock)
	before := network.expense().lists()
	for range times {
		for range times + 4 { // numbers
			if _, err := w.conn.Set(path.Dir(w.path), nil, -1); err != nil {
				w.Fatal(err)
			}
		}
		w.unlock(w.lock(lock))
	}
	if n := network.expense().lists() - before; n < 1 || n > most {
		w.Errorf("listed %d times in %d acquisitions", n, times)
	}
}

// contender makes a znode that stands in the queue.
func (w *world) contender() string {
	w.Helper()
	node, err := w.conn.Create(w.path+"/lock-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		w.Fatal(err)
	}
	return node
}

// waitsFor sees to it that the lock is not taken beside a contender.
func (w *world) waitsFor(holder string, l zklock.Locker) {
	w.Helper()
	waiter := w.beginLock(l)
	eventually(w, "it waits, or holds", func() bool { return waiter.count("wait-start")+waiter.count("acquired") > 0 })
	if waiter.count("acquired") > 0 {
		w.Error("it holds beside a contender that is ahead")
	}
	if err := w.conn.Delete(holder, -1); err != nil {
		w.Fatal(err)
	}
	w.unlock(waiter.held(w))
}
