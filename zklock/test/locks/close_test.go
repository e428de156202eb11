package locks_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// connect returns a session on a connection that goes by dial, and belongs to
// the test.
func (w *world) connect(dial zk.Dialer, opts ...zklock.SessionOption) (*zklock.Session, *zk.Conn) {
	w.Helper()
	s := zklock.NewSession(opts...)
	conn, _, err := zk.Connect(w.servers(), session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(dial)),
		zk.WithHostProvider(s.HostProvider()), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(conn.Close)
	authenticate(w, conn)
	if err := s.Bind(conn); err != nil {
		w.Fatal(err)
	}
	return s, conn
}

// fall cuts the client off, and loses what is on its way.
func (n *network) fall() {
	n.partition()
	n.cut()
}

// soon returns a context that ends before anything can be done in an outage.
func (w *world) soon() context.Context {
	ctx, cancel := context.WithTimeout(w.Context(), 50*time.Millisecond)
	w.Cleanup(cancel)
	return ctx
}

// cleansUp checks that Close, which gave up in an outage, ends well after it,
// and leaves the connection.
func (w *world) cleansUp(s *zklock.Session, conn *zk.Conn, n *network) {
	w.Helper()
	id := conn.SessionID()
	n.heal()
	w.empties()
	closeSession(w, s)
	if _, _, err := conn.Exists("/"); err != nil || conn.SessionID() != id {
		w.Errorf("the connection: %v, session %#x, want %#x", err, conn.SessionID(), id)
	}
}

// Close gives up during an outage, on a connection that outlives it, also with a
// context that has ended before: what was to be deleted is deleted all the same.
func TestCloseBroughtInOutage(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		for _, early := range []bool{false, true} {
			n := newNetwork(w)
			s, conn := w.connect(n.Dial)
			lease := w.lock(r.make(s, w.path))
			waiter := w.startLock(r.exclusive(s, w.path))
			n.fall()
			ctx, want := w.soon(), context.DeadlineExceeded
			if early {
				ctx, want = w.ended(context.Canceled), context.Canceled
			} else if err := lease.Unlock(w.soon()); !errors.Is(err, want) {
				w.Errorf("Unlock = %v, want %v", err, want)
			}
			if err := s.Close(ctx); !errors.Is(err, want) {
				w.Errorf("Close = %v, want %v", err, want)
			}
			if err := waiter.failed(w); !errors.Is(err, zklock.ErrClosed) {
				w.Errorf("Lock = %v, want ErrClosed", err)
			}
			w.cleansUp(s, conn, n)
		}
	})
}

// An unlocker is a lease of any kind.
type unlocker interface{ Unlock(context.Context) error }

// closeDuringUnlock closes the session while Unlock is under way. The trace of
// the lock is to be that of hold, which keeps Unlock from ending.
func (w *world) closeDuringUnlock(s *zklock.Session, lease unlocker, hold *holdup) {
	w.Helper()
	unlocked := make(chan error, 1)
	go func() { unlocked <- lease.Unlock(w.soon()) }()
	receive(w, hold.reached, "the outcome of Unlock")
	if err := s.Close(w.soon()); !errors.Is(err, context.DeadlineExceeded) {
		w.Errorf("Close = %v, want the deadline's error", err)
	}
	close(hold.proceed)
	if err := receive(w, unlocked, "Unlock"); !errors.Is(err, context.DeadlineExceeded) {
		w.Errorf("Unlock = %v, want the deadline's error", err)
	}
}

// A holdup stops an Unlock that has not succeeded, before what is left of it
// has been handed over.
type holdup struct {
	once             sync.Once
	reached, proceed chan struct{}
}

func newHoldup() *holdup {
	return &holdup{reached: make(chan struct{}), proceed: make(chan struct{})}
}

func (h *holdup) trace() *zklock.Trace {
	return &zklock.Trace{Released: func(zklock.ReleasedInfo) {
		h.once.Do(func() { close(h.reached) })
		<-h.proceed
	}}
}

// Close waits for an Unlock that is under way, and for the znode that it leaves.
func TestCloseBroughtDuringUnlock(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		n, hold := newNetwork(w), newHoldup()
		s, conn := w.connect(n.Dial)
		lease := w.lock(r.make(s, w.path), hold.trace())
		n.fall()
		w.closeDuringUnlock(s, lease, hold)
		w.cleansUp(s, conn, n)
	})
}

// The same of several locks, which are released by other code.
func TestCloseBroughtDuringMultiUnlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n, hold := newNetwork(t), newHoldup()
	s, conn := w.connect(n.Dial)
	m, err := newMulti(s, []string{w.path, w.path + "-2"}, zklock.WithLockTrace(hold.trace()))
	if err != nil {
		t.Fatal(err)
	}
	lease, err := m.Lock(w.within())
	if err != nil {
		t.Fatal(err)
	}
	n.fall()
	w.closeDuringUnlock(s, lease, hold)
	w.cleansUp(s, conn, n)
}

// What is left ends with the connection, though the server is not told.
func TestCloseBroughtThenConnection(t *testing.T) {
	for name, fault := range map[string]func(*network){
		"parted": (*network).partition,
		"fallen": (*network).fall,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			n := newNetwork(t)
			s, conn := w.connect(n.Dial)
			w.lock(newMutex(s, w.path))
			fault(n)
			if err := s.Close(w.soon()); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("Close = %v, want the deadline's error", err)
			}
			conn.Close()
			closeSession(t, s)
		})
	}
}

// Close ends everything within its context, whatever the network does.
func TestClose(t *testing.T) {
	for name, fault := range map[string]func(*network){
		"connected": func(*network) {},
		"cut":       (*network).cut,
		"parted":    (*network).partition,
		"killed":    func(n *network) { n.partition(); n.cut() },
		"mute":      (*network).holdReplies,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(time.Minute) // longer than Close may take
			holder := w.lock(newMutex(s, w.path))
			waiter := w.startLock(newMutex(s, w.path))
			fault(network)
			ctx, cancel := context.WithTimeout(t.Context(), timeout/2)
			defer cancel()
			began := time.Now()
			if err := s.Close(ctx); err != nil {
				t.Error(err)
			}
			t.Logf("closed in %v", time.Since(began))
			if err := waiter.failed(t); !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrClosed", err)
			}
			if err := holder.Unlock(w.within()); !errors.Is(err, zklock.ErrClosed) || !errors.Is(err, zklock.ErrLost) {
				t.Errorf("Unlock = %v, want ErrClosed and ErrLost", err)
			}
			if _, err := newMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrClosed", err)
			}
			if err := s.Close(ctx); err != nil {
				t.Error(err)
			}
		})
	}
}

// Close does not outstay its context.
func TestCloseInTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	released := make(chan struct{})
	s, network := w.dialThrough(session, zklock.WithSessionHook(func(i zklock.SessionState) {
		if i.State == zklock.Lost {
			<-released // all has ended only then, however late the test looks
		}
	}))
	defer close(released)
	w.lock(newMutex(s, w.path))
	network.partition()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- s.Close(ctx) }()
	if err := receive(t, closed, "Close"); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("Close = %v, want the deadline's error", err)
	}
}

// A heldWriter is a connection of which one write can be held: it has no effect, and
// those after it fail.
type heldWriter struct {
	net.Conn
	mu      sync.Mutex
	hold    bool
	held    chan struct{} // closed when that write has come
	release chan struct{}
}

func (c *heldWriter) holdNext() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = true
}

// Write implements net.Conn.
func (c *heldWriter) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hold {
		return c.Conn.Write(p)
	}
	select {
	case <-c.held:
		return 0, net.ErrClosed
	default:
		close(c.held)
		<-c.release
		return len(p), nil
	}
}

// Requests of the user's own are under way while the session closes, and the
// connection breaks: go-zookeeper v1.0.4 would answer one of them three times, for
// which it has no room, and never end.
func TestCloseBesideRequests(t *testing.T) {
	for range 8 { // as go-zookeeper chooses by chance
		t.Run("", func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			conn := &heldWriter{held: make(chan struct{}), release: make(chan struct{})}
			s := w.dial(session, zklock.WithDialer(func(network, address string, timeout time.Duration) (net.Conn, error) {
				plain, err := zktest.Dial(network, address, timeout)
				conn.Conn = plain
				return conn, err
			}))
			if err := s.WaitConnected(w.within()); err != nil {
				t.Fatal(err)
			}
			conn.holdNext()
			closed := make(chan error, 1)
			go func() { closed <- s.Close(w.within()) }()
			receive(w, conn.held, "the request to end the session")
			var asking sync.WaitGroup
			for range 10 {
				asking.Go(func() { _, _, _ = s.Client().Exists("/") })
			}
			asking.Wait()
			close(conn.release)
			if err := receive(w, closed, "the end of Close"); err != nil {
				t.Error(err)
			}
		})
	}
}

// A process that a signal stops closes with a context that has ended, and exits:
// nobody waits for its lock then.
func TestCloseWithAnEndedContext(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		for _, brought := range []bool{false, true} {
			s := w.dial(session)
			if brought {
				s, _ = w.connect(zktest.Dial)
			}
			lease, ctx := w.lock(r.make(s, w.path)), w.ended(context.Canceled)
			if err := lease.Unlock(ctx); err != nil && !errors.Is(err, context.Canceled) {
				w.Errorf("Unlock = %v, want %v or success", err, context.Canceled)
			}
			if err := s.Close(ctx); err != nil {
				w.Errorf("Close = %v", err)
			}
			if left := w.children(); len(left) > 0 {
				w.Errorf("brought %v: there is %q left", brought, left)
			}
		}
	})
}
