package locks_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// refuses checks that all operations of a session say that it is closed.
func (w *world) refuses(s *zklock.Session) {
	w.Helper()
	_, lock := newMutex(s, w.path).Lock(w.within())
	_, acquire := newSemaphore(s, w.path, 2).Acquire(w.within())
	_, list := contenders(w.within(), s, w.path)
	for what, err := range map[string]error{
		"Lock":          lock,
		"Acquire":       acquire,
		"Resize":        newSemaphore(s, w.path, 2).Resize(w.within(), 3),
		"Revoke":        zklock.Revoke(w.within(), s, w.path+"/_c_00000000000000000000000000000000-lock-0000000000"),
		"Contenders":    list,
		"WaitConnected": s.WaitConnected(w.within()),
	} {
		if !errors.Is(err, zklock.ErrClosed) {
			w.Errorf("%s = %v, want ErrClosed", what, err)
		}
	}
	if s.State() != zklock.Lost {
		w.Errorf("state %v, want lost", s.State())
	}
	closeSession(w, s)
}

// The connection is closed before the session. The server lets others have the
// locks at once, so they are lost before; and nothing waits for what cannot come.
func TestHangUp(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, conn := w.connect(zktest.Dial)
		record := newRecorder()
		lease := w.lock(r.make(s, w.path), record.trace())
		waiter := w.startLock(r.exclusive(s, w.path))
		next := w.startLock(r.exclusive(w.dial(session), w.path))
		conn.Close()
		other := next.held(w)
		cause := context.Cause(lease.Context())
		if !errors.Is(cause, zklock.ErrSessionLost) || !strings.Contains(cause.Error(), "the connection was closed") {
			w.Errorf("the lease ended with %v", cause)
		}
		receive(w, lease.Lost(), "the loss")
		if err := waiter.failed(w); !errors.Is(err, zklock.ErrClosed) {
			w.Errorf("Lock = %v, want ErrClosed", err)
		}
		if err := lease.Unlock(w.within()); !errors.Is(err, zklock.ErrSessionLost) {
			w.Errorf("Unlock = %v, want ErrSessionLost", err)
		}
		w.refuses(s)
		w.unlock(other)
		w.empties()
		if record.count("orphan-queued") > 0 {
			w.Error("a znode was to be deleted that goes with the session")
		}
	})
}

// The connection that Dial has made is closed behind the session's back.
func TestHangUpOfDialled(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lost := make(chan error, 1)
	s := w.dial(session, zklock.WithSessionHook(func(info zklock.SessionState) {
		if info.State == zklock.Lost {
			lost <- info.Cause
		}
	}))
	lease := w.lock(newMutex(s, w.path))
	next := w.startLock(newMutex(w.dial(session), w.path))
	s.Client().(*zk.Conn).Close()
	w.unlock(next.held(t))
	if lease.Context().Err() == nil {
		t.Error("the lease goes on")
	}
	if cause := receive(t, lost, "the hook"); !errors.Is(cause, zklock.ErrClosed) {
		t.Errorf("the session ended with %v, want ErrClosed", cause)
	}
	w.refuses(s)
}

// No request to end the session passes through the Dialer.
func TestHangUpUnseen(t *testing.T) {
	for name, c := range map[string]struct{ observed, broken bool }{
		"without Dialer":         {false, false},
		"in an outage":           {true, true},
		"in one, without Dialer": {false, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			n := newNetwork(t)
			s := zklock.NewSession()
			dialer := unfailing(n.Dial)
			if c.observed {
				dialer = s.Dialer(n.Dial)
			}
			conn := w.plain(s, dialer)
			if err := s.Bind(conn); err != nil {
				t.Fatal(err)
			}
			lease := w.lock(newMutex(s, w.path))
			w.lock(newMutex(w.dial(session), w.path+"-other"))
			waiter := w.startLock(newMutex(s, w.path+"-other"))
			if c.broken {
				n.fall()
			}
			conn.Close()
			receive(t, lease.Lost(), "the loss")
			// If it hears of its znode's end first, it begins again.
			if err := waiter.failed(t); !errors.Is(err, zklock.ErrSessionLost) && !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrSessionLost or ErrClosed", err)
			}
			w.refuses(s)
		})
	}
}

// plain makes a connection with go-zookeeper's own order of servers.
func (w *world) plain(s *zklock.Session, dialer zk.Dialer) *zk.Conn {
	w.Helper()
	conn, _, err := zk.Connect(w.servers(), session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(dialer),
		zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(conn.Close)
	authenticate(w, conn)
	return conn
}

// The connection is closed before Bind.
func TestHangUpUnbound(t *testing.T) {
	for name, observed := range map[string]bool{"with Dialer": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s := zklock.NewSession()
			dialer := unfailing(zktest.Dial)
			if observed {
				dialer = s.Dialer(zktest.Dial)
			}
			conn := w.plain(s, dialer)
			eventually(t, "it has a session", func() bool { return conn.State() == zk.StateHasSession })
			waiter := w.beginLock(newMutex(s, w.path))
			conn.Close()
			if !observed {
				eventually(t, "it has ended", func() bool { return conn.State() == zk.StateDisconnected })
				if err := s.Bind(conn); err != nil {
					t.Fatal(err)
				}
			}
			if err := waiter.failed(t); !errors.Is(err, zklock.ErrClosed) {
				t.Errorf("Lock = %v, want ErrClosed", err)
			}
			w.refuses(s)
		})
	}
}

// An adrift client always seems to have been closed.
type adrift struct {
	*zk.Conn
	once  *sync.Once
	asked chan struct{} // closed when it is asked whether it was
}

func (adrift) State() zk.State { return zk.StateDisconnected }

func (c adrift) Exists(path string) (bool, *zk.Stat, error) {
	c.once.Do(func() { close(c.asked) })
	return c.Conn.Exists(path)
}

// A connection that is only broken is not taken for closed, though the answer
// to whether it was is lost with the next connection.
func TestOutageIsNoHangUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := newNetwork(t)
	s := zklock.NewSession()
	conn := w.plain(s, s.Dialer(n.Dial))
	eventually(t, "it has a session", func() bool { return conn.State() == zk.StateHasSession })
	client := adrift{conn, new(sync.Once), make(chan struct{})}
	if err := s.Bind(client); err != nil {
		t.Fatal(err)
	}
	if err := s.WaitConnected(w.within()); err != nil {
		t.Fatal(err)
	}
	n.fall()
	receive(t, client.asked, "the question")
	const opExists = 3
	lost := n.loseReply(opExists)
	n.heal()
	receive(t, lost, "the loss of the answer")
	w.unlock(w.lock(newMutex(s, w.path)))
	closeSession(t, s)
}

// The connection is closed while go-zookeeper looks for a server: it tells
// nobody, and would not stop.
func TestHangUpInOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var down atomic.Bool
	var dials atomic.Int32
	n := newNetwork(t)
	s, conn := w.connect(func(kind, address string, timeout time.Duration) (net.Conn, error) {
		dials.Add(1)
		if down.Load() {
			return nil, errors.New("refused")
		}
		return n.Dial(kind, address, timeout)
	})
	lease := w.lock(newMutex(s, w.path))
	down.Store(true)
	before := dials.Load()
	n.cut()
	eventually(t, "it is tried again", func() bool { return dials.Load() > before+3 })
	conn.Close()
	receive(t, lease.Lost(), "the loss")
	if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrClosed) {
		t.Errorf("the lease ended with %v, want ErrClosed before the clock would say so", cause)
	}
	w.refuses(s)
	// While it looks for a server, its state is another.
	eventually(t, "go-zookeeper has stopped", func() bool { return conn.State() == zk.StateDisconnected })
	last := dials.Load()
	if closeSession(t, s); dials.Load() != last {
		t.Error("an attempt to connect after the end")
	}
}

// hosts is an order of servers that takes its time to look one up, while the
// test has it locked.
type hosts struct {
	zk.HostProvider
	*sync.Mutex
}

func (h hosts) Next() (string, bool) {
	h.Lock()
	defer h.Unlock()
	return h.HostProvider.Next()
}

// An asking client looks at the session when it is looked at itself.
type asking struct {
	*zk.Conn
	session *zklock.Session
	asked   chan struct{} // gets whenever it is asked whether it was closed
}

func (c asking) State() zk.State {
	c.session.State()
	return c.Conn.State()
}

func (c asking) Exists(path string) (bool, *zk.Stat, error) {
	select {
	case c.asked <- struct{}{}:
	default:
	}
	return c.Conn.Exists(path)
}

// Where nothing is left to be cleaned, Close does not wait for the end of an
// outage, though it is not known whether the connection was closed.
func TestCloseIdleBroughtInOutage(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	n := newNetwork(t)
	s := zklock.NewSession()
	order := hosts{s.HostProvider(), new(sync.Mutex)}
	conn, _, err := zk.Connect(w.servers(), session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(n.Dial)),
		zk.WithHostProvider(order), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	authenticate(w, conn)
	client := asking{conn, s, make(chan struct{}, 1)}
	if err := s.Bind(client); err != nil {
		t.Fatal(err)
	}
	w.unlock(w.lock(newMutex(s, w.path)))
	for len(client.asked) > 0 {
		<-client.asked
	}
	order.Lock()
	defer order.Unlock()
	n.fall()
	receive(t, client.asked, "the question")
	closeSession(t, s)
}
