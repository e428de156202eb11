package locks_test

import (
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// quiet has the lock's session take to the fast path.
func (w *world) quiet(l zklock.Locker) {
	w.Helper()
	for range 3 {
		w.unlock(w.lock(l))
	}
}

// quietAnew does what quiet does, with locks that have had no place before.
func (w *world) quietAnew(s *zklock.Session) {
	w.Helper()
	for range 3 {
		w.unlock(w.lock(newMutex(s, w.path)))
	}
}

// costsAnew checks which requests an acquisition and its release take, by a lock that
// has had no place before.
func (w *world) costsAnew(s *zklock.Session, n *network, want string) {
	w.Helper()
	n.sends(w, want, func() { w.unlock(w.lock(newMutex(s, w.path))) })
}

// Data that somebody keeps on the lock directory is never overwritten,
// whenever it comes.
func TestDataOfTheDirectoryIsKept(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		lock := r.make(w.dial(session), w.path)
		check := func(want string) {
			w.Helper()
			w.quiet(lock)
			if data, _, err := w.conn.Get(w.path); err != nil || string(data) != want {
				w.Errorf("data %q, %v; want %q", data, err, want)
			}
		}
		check("")
		w.set("kept")
		check("kept")
		w.set("")
		check("")
		w.set("kept again")
		check("kept again")
	})
}

func (w *world) set(data string) {
	w.Helper()
	if _, err := w.conn.Set(w.path, []byte(data), -1); err != nil {
		w.Fatal(err)
	}
}

// The same when the directory is deleted and made again, with data in it: its
// version is one that the session may have seen.
func TestDataOfANewDirectoryIsKept(t *testing.T) {
	t.Parallel()
	for _, uses := range []int{1, 2, 3} {
		w := newWorld(t)
		lock := newMutex(w.dial(session), w.path)
		for range uses {
			w.unlock(w.lock(lock))
		}
		if err := w.conn.Delete(w.path, -1); err != nil {
			t.Fatal(err)
		}
		if _, err := w.conn.Create(w.path, []byte("kept"), 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
		w.quiet(lock)
		if data, _, err := w.conn.Get(w.path); err != nil || string(data) != "kept" {
			t.Errorf("after %d uses: data %q, %v", uses, data, err)
		}
	}
}

// A directory that may not be written is locked all the same.
func TestDirectoryThatMayNotBeWritten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	acl := zk.WorldACL(zk.PermRead | zk.PermCreate | zk.PermDelete)
	if _, err := w.conn.Create(w.path, nil, 0, acl); err != nil {
		t.Fatal(err)
	}
	s, network := w.dialThrough(session)
	w.quietAnew(s)
	w.costsAnew(s, network, "create list delete") // and no more tries
}

// Two who take turns do not spend requests on transactions that must fail.
func TestTakingTurns(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := newMutex(w.dial(session), w.path)
	s, network := w.dialThrough(session)
	second := newMutex(s, w.path)
	turns := func() {
		w.unlock(w.lock(first))
		w.unlock(w.lock(second))
	}
	for range 3 {
		turns()
	}
	for range 3 {
		network.sends(t, "create list delete", turns)
	}
}

// A stray beside the own znode, so that the transaction cannot tell: a listing
// does.
func TestFastPathBesideAStray(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path)
	w.quiet(lock)
	if _, err := w.conn.Create(w.path+"/stray", nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	w.quiet(lock)
}

// The transaction finds somebody ahead.
func TestFastPathBehindAHolder(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path)
	w.quiet(lock)
	// A plain znode, as another library makes it, leaves the version alone.
	holder, err := w.conn.Create(w.path+"/lock-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
	if err != nil {
		t.Fatal(err)
	}
	waiter := w.startLock(lock)
	if waiter.count("acquired") > 0 {
		t.Fatal("it does not wait")
	}
	if err := w.conn.Delete(holder, -1); err != nil {
		t.Fatal(err)
	}
	w.unlock(waiter.held(t))
}
