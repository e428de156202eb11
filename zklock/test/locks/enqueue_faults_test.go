package locks_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A lostCreate is a client whose first create is lost with its connection, while
// somebody else makes a znode of the same name.
type lostCreate struct {
	*zk.Conn
	world *world
	done  bool
}

func (c *lostCreate) Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error) {
	if c.done || flags != zk.FlagEphemeralSequential {
		return c.Conn.Create(path, data, flags, acl)
	}
	c.done = true
	c.world.foreign(strings.TrimPrefix(path, c.world.path+"/"))
	return "", zk.ErrConnectionClosed
}

// The znode that a search by guid turns up is of another session, as one of a
// former session of ours would be, which is about to vanish.
func TestRecoveredNodeOfAnotherSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.bring(func(c *zk.Conn) zklock.Client { return &lostCreate{Conn: c, world: w} })
	if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	if lease, err := newMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrSessionLost) {
		t.Fatalf("Lock = %v, %v; want ErrSessionLost", lease, err)
	}
}

// The holder's znode is replaced by one of the same name. If that is of the same
// session, its czxid shows that it is another one.
func TestNodeOfAnotherSessionWhileHeld(t *testing.T) {
	for name, opts := range map[string][]zklock.Option{"watched": nil, "asked": {zklock.WithOwnWatch(false)}} {
		for by, own := range map[string]bool{"another session": false, "the same session": true} {
			t.Run(name+" "+by, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				s := w.dial(session)
				lease := w.lock(newMutex(s, w.path, opts...))
				client := zklock.Client(w.conn)
				if own {
					client = s.Client()
				}
				if _, err := client.Multi(&zk.DeleteRequest{Path: lease.Node(), Version: -1}, &zk.CreateRequest{
					Path: lease.Node(), Acl: zk.WorldACL(zk.PermAll), Flags: zk.FlagEphemeral,
				}); err != nil {
					t.Fatal(err)
				}
				if opts != nil {
					if err := lease.Check(w.within()); !errors.Is(err, zklock.ErrLost) {
						t.Errorf("Check = %v, want ErrLost", err)
					}
				}
				receive(t, lease.Lost(), "the loss")
			})
		}
	}
}

// Somebody deletes the znode before its owner has looked at the queue for the
// first time: it is not there, and so it is not the first.
func TestOwnNodeDeletedBeforeListing(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		var stood atomic.Int32
		trace := &zklock.Trace{Enqueued: func(i zklock.EnqueuedInfo) {
			if i.Err == nil && stood.Add(1) == 1 {
				w.delete(i.Node)
			}
		}}
		lock := func() zklock.Locker { return r.make(w.dial(session), w.path, zklock.WithLockTrace(trace)) }
		lease := w.lock(lock())
		if err := lease.Check(w.within()); err != nil {
			w.Error(err)
		}
		w.unlock(lease)
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		stood.Store(0)
		waiter := w.startLock(lock())
		w.unlock(holder)
		w.unlock(waiter.held(w))
		if n := stood.Load(); n != 2 {
			w.Errorf("stood in line %d times, want 2", n)
		}
	})
}

// The directory vanishes as soon as it is made, some times.
func TestParentDeletedBeforeCreate(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		tries := 0
		trace := &zklock.Trace{EnqueueStart: func(zklock.EnqueueStartInfo) {
			if tries++; tries < 5 {
				w.conn.Delete(w.path, -1) // it need not be there yet
			}
		}}
		w.unlock(w.lock(r.make(w.dial(session), w.path, zklock.WithLockTrace(trace))))
		if tries != 5 {
			w.Errorf("%d attempts, want 5", tries)
		}
	})
}

// A try finds the lock held, and then the connection breaks: its result is
// that the lock is held, and its znode goes later.
func TestFailedTryWithoutConnection(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		holder := w.lock(r.exclusive(w.dial(session), w.path))
		s, network := w.dialThrough(session)
		record := newRecorder()
		trace := record.trace()
		ctx, cancel := context.WithCancel(w.within())
		trace.Listed = func(zklock.ListedInfo) { network.partition(); cancel() }
		_, err := r.make(s, w.path).TryLock(zklock.WithTrace(ctx, trace))
		if !errors.Is(err, zklock.ErrHeld) {
			w.Fatalf("TryLock = %v, want ErrHeld", err)
		}
		record.await(w, "orphan-queued", 1)
		network.heal()
		record.await(w, "orphan-done failed=false", 1)
		if names := w.children(); len(names) != 1 || w.path+"/"+names[0] != holder.Node() {
			w.Errorf("znodes %q, want the holder's", names)
		}
		w.unlock(holder)
	})
}

// A throttled client's server refuses the first requests to stand in line.
type throttled struct {
	*zk.Conn
	refusals *atomic.Int32
}

// errThrottled is how go-zookeeper reports a code that it does not know.
var errThrottled = errors.New("unknown error: -127")

func (c throttled) Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error) {
	if flags == zk.FlagEphemeralSequential && c.refusals.Add(-1) >= 0 {
		return "", errThrottled
	}
	return c.Conn.Create(path, data, flags, acl)
}

func (c throttled) Multi(ops ...any) ([]zk.MultiResponse, error) {
	if c.refusals.Add(-1) >= 0 {
		return nil, errThrottled
	}
	return c.Conn.Multi(ops...)
}

// A refusal that is not known to be one counts as a lost reply: the lock is
// asked for again, and released again.
func TestThrottledServer(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		var refusals atomic.Int32
		lock := r.make(w.bring(func(c *zk.Conn) zklock.Client { return throttled{c, &refusals} }), w.path)
		for range 4 {
			refusals.Store(2)
			lease := w.lock(lock)
			if n := len(w.children()); n != 1 {
				w.Errorf("%d znodes, want 1", n)
			}
			refusals.Store(2)
			w.unlock(lease)
			w.empties()
		}
	})
}

// Where nothing may be created, the error says so at once, and nothing stays.
func TestNoPermissionToStandInLine(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		if _, err := w.conn.Create(w.path, nil, 0, zk.WorldACL(zk.PermAll&^zk.PermCreate)); err != nil {
			w.Fatal(err)
		}
		record := newRecorder()
		ctx := zklock.WithTrace(w.within(), record.trace())
		if _, err := r.make(w.dial(session), w.path).Lock(ctx); !errors.Is(err, zk.ErrNoAuth) {
			w.Errorf("Lock = %v, want ErrNoAuth", err)
		}
		if n := record.count("enqueue-start"); n != 1 {
			w.Errorf("%d attempts, want 1", n)
		}
	})
}

// The right to write the directory is taken away from a client that relies on
// it: it does without.
func TestWritePermissionTakenAway(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	w.quietAnew(s)
	if _, err := w.conn.SetACL(w.path, zk.WorldACL(zk.PermAll&^zk.PermWrite), -1); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"create multi list delete", "create list delete"} {
		count := network.tally()
		w.unlock(w.lock(newMutex(s, w.path)))
		// A slow machine holds for long enough to watch its own znode, too.
		if got := strings.Replace(count(), "watch ", "", 1); got != want {
			t.Errorf("sent %s; want %s", got, want)
		}
	}
}
