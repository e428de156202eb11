package zklock_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/zktest"
)

// The mark that a long queue has left goes with the next quiet acquisition.
func TestMarkThatIsLeft(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.quiet(zklock.NewMutex(w.dial(session), w.path))
	w.leavesMark()
	w.quietAgain()
}

// leavesMark has a mark be there, as of somebody who has had a place.
func (w *world) leavesMark() {
	w.Helper()
	node, err := w.conn.Create(w.path+"/lock-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err == nil {
		err = w.conn.Delete(node, -1)
	}
	if err != nil {
		w.Fatal(err)
	}
	w.set(markOf(w.directory().Czxid, 1))
}

// By a session that knew the lock before, too, and by one that sets no marks.
func TestMarkThatIsLeftToAnOldSession(t *testing.T) {
	t.Parallel()
	for name, newLock := range map[string]func(*zklock.Session, string) zklock.Locker{
		"as by default": mutexWith(),
		"of one":        mutexWith(zklock.WithMarks(1)),
		"of two":        mutexWith(zklock.WithMarks(2)),
		"of three":      mutexWith(zklock.WithMarks(3)),
		"never":         mutexWith(zklock.WithMarks(0)),
		"extra markers": mutexWith(zklock.WithExtraMarkers("__lock__")),
		"writer":        func(s *zklock.Session, path string) zklock.Locker { return zklock.NewRWMutex(s, path) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			lock := newLock(w.dial(session), w.path)
			w.quiet(lock)
			w.leavesMark()
			w.quiet(lock)
			w.kept("")
			w.quietAgain()
		})
	}
}

func mutexWith(opts ...zklock.Option) func(*zklock.Session, string) zklock.Locker {
	return func(s *zklock.Session, path string) zklock.Locker { return zklock.NewMutex(s, path, opts...) }
}

// Who is alone in a directory with a mark is not in a long queue, however few
// children make one.
func TestMarkThatIsLeftByAFew(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.contend(w.dialSome(fewContenders), zklock.WithMarks(2))
	c.comesToBeMarked(20)
	c.stop()
	w.empties()
	w.quiet(zklock.NewMutex(w.dial(session), w.path, zklock.WithMarks(2)))
	w.quietAgain()
}

// What a release needs to know of the mark was found out before: where the way
// back from the server is slow, the next in line does not wait for that.
func TestReleaseDoesNotReadTheMark(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	lock := zklock.NewMutex(s, w.path)
	w.quiet(lock)
	w.leavesMark()
	lease := w.lock(lock)
	waiter := w.startLock(zklock.NewMutex(w.dial(session), w.path))
	w.watches(lease, 2) // which is not counted
	count := network.tally()
	network.holdReplies()
	defer network.heal()
	release := make(chan error, 1)
	go func() { release <- lease.Unlock(w.within()) }()
	waiter.held(w)
	network.heal()
	if err := receive(t, release, "the outcome of Unlock"); err != nil {
		t.Error(err)
	}
	if got := count(); got != "multi" {
		t.Errorf("released by %s", got)
	}
	w.kept("")
}

// A mark keeps no directory from being started again with new numbers.
func TestRestartWithAMark(t *testing.T) {
	t.Parallel()
	const aging = 1 << 30
	locks := map[string]func(*zklock.Session, string) zklock.Locker{
		"/default": mutexWith(), "/never": mutexWith(zklock.WithMarks(0)), "/two": mutexWith(zklock.WithMarks(2)),
	}
	counters := make(map[string]int32)
	for path := range locks {
		counters[path] = aging
	}
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, counters)})
	conn := server.Conn(t)
	for path, newLock := range locks {
		w := &world{TB: t, server: server, conn: conn, path: path}
		before := w.directory()
		w.set(markOf(before.Czxid, 7))
		lock := newLock(w.dial(session), path)
		for range 2 {
			w.quiet(lock)
		}
		if after := w.directory(); after != nil && after.Czxid == before.Czxid {
			t.Errorf("%s: not started again, with %d bytes of data", path, after.DataLength)
		}
	}
}
