package locks_test

import (
	"context"
	"errors"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// A session that cannot connect says so, and why.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		server func(testing.TB) string
		why    string
	}{
		"nobody": {unused, "connection refused"},
		"hasty":  {hasty, "not connected: no handshake with 127.0.0.1:"},
	} {
		s := tried(t, test.server(t))
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for what, err := range unconnected(ended, s) {
			if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, %s: %v, want the context's error", name, what, err)
			}
			if !strings.Contains(err.Error(), "context canceled: not connected: ") || !strings.Contains(err.Error(), test.why) {
				t.Errorf("%s, %s: %v, want %s", name, what, err, test.why)
			}
		}
	}
}

// unused returns an address where nobody listens, nor begins to: unlike a port
// that has just been free, this one is given to nobody who asks for any.
func unused(testing.TB) string { return "127.0.0.1:1" }

// hasty returns the address of a server that hangs up at once.
func hasty(tb testing.TB) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		tb.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			conn.Close()
		}
	}()
	tb.Cleanup(func() { l.Close(); <-done })
	return l.Addr().String()
}

// tried returns a session that has failed to connect to the address.
func tried(t *testing.T, address string) *zklock.Session {
	again := make(chan struct{})
	var attempts atomic.Int32
	dialer := func(network, address string, timeout time.Duration) (net.Conn, error) {
		if attempts.Add(1) == 2 {
			close(again)
		}
		return net.DialTimeout(network, address, timeout)
	}
	s, err := zklock.Dial([]string{address}, session, zklock.WithDialer(dialer))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { closeSession(t, s) })
	receive(t, again, "another attempt")
	return s
}

// unconnected returns the errors of what needs a connection.
func unconnected(ctx context.Context, s *zklock.Session) map[string]error {
	m, err := zklock.NewMulti(s, []string{"/lock"})
	if err != nil {
		return map[string]error{"multi": err}
	}
	errs := map[string]error{"wait": s.WaitConnected(ctx), "multi": attempted(m.Lock(ctx))}
	for name, use := range pathUsers {
		errs[name] = use(ctx, s, "/lock")
	}
	return errs
}

func TestUnbound(t *testing.T) {
	t.Parallel()
	s := zklock.NewSession()
	t.Cleanup(func() { closeSession(t, s) })
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for what, err := range unconnected(ended, s) {
		if !errors.Is(err, context.Canceled) || !strings.HasSuffix(err.Error(), "context canceled: no connection bound") {
			t.Errorf("%s: %v, want that no connection is bound", what, err)
		}
	}
}

// Who waits in a queue when the connection breaks is told, too; and who does
// after it has been made again, no more.
func TestUnreachableForAWhile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	holder := w.lock(zklock.NewMutex(w.dial(session), w.path))
	lock := zklock.NewMutex(s, w.path)

	waiter := w.startLock(lock)
	network.partition()
	network.cut()
	eventually(t, "the session is suspended", func() bool { return s.State() == zklock.Suspended })
	waiter.cancel()
	if err := waiter.failed(t); !errors.Is(err, context.Canceled) || !strings.Contains(err.Error(), ": not connected") {
		t.Errorf("Lock = %v, want that it was not connected", err)
	}

	network.heal()
	waiter = w.startLock(lock)
	waiter.cancel()
	if err := waiter.failed(t); !errors.Is(err, context.Canceled) || strings.Contains(err.Error(), "connect") {
		t.Errorf("Lock = %v, want nothing but the context's error", err)
	}
	w.unlock(holder)
}
