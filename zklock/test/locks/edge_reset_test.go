package locks_test

import (
	"context"
	"path"
	"slices"
	"sync"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A release that is alone makes the directory anew, once its numbers are high.
func testReset(w *world, r recipe) {
	lock := r.make(w.dial(session), w.path)
	lease, number := w.lockNumbered(lock)
	if number != firstReset-1 {
		w.Errorf("number %d, want %d", number, firstReset-1)
	}
	before := w.directory()
	w.unlock(lease)
	if after := w.directory(); after == nil || after.Czxid != before.Czxid {
		w.Errorf("directory %+v after %d, want it untouched", after, number)
	}
	lease, number = w.lockNumbered(lock)
	if number != firstReset {
		w.Errorf("number %d, want %d", number, firstReset)
	}
	w.unlock(lease)
	if after := w.directory(); after == nil || after.Czxid == before.Czxid {
		w.Errorf("directory %+v after %d, want another than %+v", after, number, before)
	}
	w.startsAgain(lock, lease.Token())
}

// The reset is done, but the client does not hear of it.
func testResetReplyLost(w *world, r recipe) { w.loseReset(r, (*network).loseReply) }

// The reset is lost on its way.
func testResetRequestLost(w *world, r recipe) { w.loseReset(r, (*network).loseRequest) }

func (w *world) loseReset(r recipe, lose func(*network, ...int32) <-chan struct{}) {
	s, network := w.dialThrough(session)
	lock := r.make(s, w.path)
	lease := w.lock(lock)
	lost := lose(network, opMulti)
	w.unlock(lease)
	receive(w, lost, "the loss")
	w.startsAgain(lock, lease.Token())
}

// notReset sees to it that the directory is still the one that before shows.
func (w *world) notReset(before *zk.Stat) {
	w.Helper()
	if after := w.directory(); after == nil || after.Czxid != before.Czxid {
		w.Errorf("directory %+v, want the one from before, %+v", after, before)
	}
}

func testNoResetUnderWaiter(w *world, r recipe) {
	before := w.directory()
	holder := w.lock(r.exclusive(w.dial(session), w.path))
	waiting := r.make(w.dial(session), w.path)
	waiter := w.startLock(waiting)
	w.unlock(holder)
	lease := waiter.held(w)
	if err := lease.Check(w.within()); err != nil {
		w.Error(err)
	}
	w.notReset(before)
	w.unlock(lease)
	w.startsAgain(waiting, lease.Token())
}

func testNoResetOverStray(w *world, r recipe) {
	stray := w.path + "/stray"
	if _, err := w.conn.Create(stray, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		w.Fatal(err)
	}
	w.keepsWorking(r)
	if found, _, err := w.conn.Exists(stray); err != nil || !found {
		w.Errorf("the stray exists: %v, %v", found, err)
	}
}

// keepsWorking uses the lock where it cannot, or must not, start again.
func (w *world) keepsWorking(r recipe) {
	w.Helper()
	before := w.directory()
	lock := r.make(w.dial(session), w.path)
	last := int32(0)
	for range 3 {
		lease, number := w.lockNumbered(lock)
		if number <= last {
			w.Errorf("number %d after %d", number, last)
		}
		last = number
		w.unlock(lease)
	}
	w.notReset(before)
}

// Somebody keeps data on the lock directory: it is there again afterwards.
func testResetKeepsData(w *world, r recipe) {
	w.keep("precious")
	w.resets(r.make(w.dial(session), w.path))
	w.kept("precious")
}

func testResetKeepsDataOfHolder(w *world, r recipe) {
	before := w.directory()
	lease := w.lock(r.make(w.dial(session), w.path))
	w.keep("put there while the lock was held")
	w.unlock(lease)
	if after := w.directory(); after == nil || after.Czxid == before.Czxid {
		w.Errorf("directory %+v, want another than %+v", after, before)
	}
	w.kept("put there while the lock was held")
}

func testResetKeepsACL(w *world, r recipe) {
	acl := []zk.ACL{{Perms: zk.PermAll &^ zk.PermAdmin, Scheme: "world", ID: "anyone"}, {Perms: zk.PermAll, Scheme: "ip", ID: "127.0.0.1"}}
	if _, err := w.conn.SetACL(w.path, acl, -1); err != nil {
		w.Fatal(err)
	}
	w.resets(r.make(w.dial(session), w.path))
	if after, _, err := w.conn.GetACL(w.path); err != nil || !slices.Equal(after, acl) {
		w.Errorf("access control list %v, %v; want %v", after, err, acl)
	}
}

// A list that the server does not show in full could not be kept.
func testNoResetOfHiddenACL(w *world, r recipe) {
	acl := append(zk.WorldACL(zk.PermRead|zk.PermCreate|zk.PermDelete), zk.DigestACL(zk.PermAll, "operator", "secret")...)
	if _, err := w.conn.SetACL(w.path, acl, -1); err != nil {
		w.Fatal(err)
	}
	w.keepsWorking(r)
}

// resets uses the lock until its directory has been made anew.
func (w *world) resets(l zklock.Locker) {
	w.Helper()
	before := w.directory()
	for range 3 {
		w.unlock(w.lock(l))
		if w.directory().Czxid != before.Czxid {
			return
		}
	}
	w.Error("the directory is still the one from before")
}

func (w *world) keep(data string) {
	w.Helper()
	if _, err := w.conn.Set(w.path, []byte(data), -1); err != nil {
		w.Fatal(err)
	}
}

func (w *world) kept(want string) {
	w.Helper()
	if data, _, err := w.conn.Get(w.path); err != nil || string(data) != want {
		w.Errorf("the directory's data is %q, %v; want %q", data, err, want)
	}
}

// The client may not delete the directory, which its parent decides.
func testNoResetWithoutPermission(w *world, r recipe) {
	if _, err := w.conn.SetACL(path.Dir(w.path), zk.WorldACL(zk.PermAll&^zk.PermDelete), -1); err != nil {
		w.Fatal(err)
	}
	w.keepsWorking(r)
	w.empties()
}

// Many contend while the numbers pass the point; later, at the latest when all
// are done, somebody is alone.
func testContentionAcrossReset(w *world, r recipe) {
	const clients, rounds = 8, 25
	inside, ctx := &census{TB: w}, w.within()
	var all sync.WaitGroup
	for i := range clients {
		lock := r.make(w.dial(session), w.path)
		if i%2 == 0 {
			lock = r.exclusive(w.dial(session), w.path)
		}
		all.Go(func() {
			for range rounds {
				inside.visit(ctx, lock)
			}
		})
	}
	all.Wait()
	if inside.visits != clients*rounds {
		w.Errorf("%d acquisitions, want %d", inside.visits, clients*rounds)
	}
	lock := r.make(w.dial(session), w.path)
	w.unlock(w.lock(lock)) // a quiet one
	lease, number := w.lockNumbered(lock)
	if number >= firstReset || lease.Token() <= inside.last {
		w.Errorf("number %d and token %d after %d, want them below %d and above", number, lease.Token(), inside.last, firstReset)
	}
	w.unlock(lease)
	w.empties()
}

// A census counts who holds a lock at the same time.
type census struct {
	testing.TB
	mu               sync.Mutex
	readers, writers int
	visits           int
	last             zklock.Token // the greatest of a writer
}

// visit takes the lock, and gives it back.
func (c *census) visit(ctx context.Context, lock zklock.Locker) {
	lease, err := lock.Lock(ctx)
	if err != nil {
		c.Error(err)
		return
	}
	c.count(lease, 1)
	c.count(lease, -1)
	if err := lease.Unlock(ctx); err != nil {
		c.Error(err)
	}
}

// count adds n holders of lease's mode.
func (c *census) count(lease *zklock.Lease, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if lease.Mode() == zklock.ModeWrite {
		c.writers += n
	} else {
		c.readers += n
	}
	if c.writers > 1 || c.writers > 0 && c.readers > 0 {
		c.Errorf("%d writers and %d readers hold at once", c.writers, c.readers)
	}
	if n < 0 {
		return
	}
	c.visits++
	if lease.Token() <= c.last {
		c.Errorf("token %d after %d", lease.Token(), c.last)
	}
	if lease.Mode() == zklock.ModeWrite {
		c.last = lease.Token()
	}
}
