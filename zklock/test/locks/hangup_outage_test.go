package locks_test

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

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
	lease := w.lock(zklock.NewMutex(s, w.path))
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
	conn, _, err := zk.Connect([]string{w.server.Address()}, session,
		zk.WithEventCallback(s.EventCallback), zk.WithDialer(s.Dialer(n.Dial)),
		zk.WithHostProvider(order), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(conn.Close)
	client := asking{conn, s, make(chan struct{}, 1)}
	if err := s.Bind(client); err != nil {
		t.Fatal(err)
	}
	w.unlock(w.lock(zklock.NewMutex(s, w.path)))
	for len(client.asked) > 0 {
		<-client.asked
	}
	order.Lock()
	defer order.Unlock()
	n.fall()
	receive(t, client.asked, "the question")
	closeSession(t, s)
}
