package locks_test

import (
	"context"
	"errors"
	"math"
	"net"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestDialRefusesTimeouts(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const longest = math.MaxInt32 * time.Millisecond
	for _, timeout := range []time.Duration{0, -1, -time.Hour, time.Millisecond - 1, longest + 1, math.MaxInt64} {
		w.refusesToDial(w.servers(), timeout)
	}
	for _, timeout := range []time.Duration{time.Millisecond, longest} {
		if err := w.dial(timeout).WaitConnected(w.within()); err != nil {
			t.Errorf("timeout %v: %v", timeout, err)
		}
	}
}

func TestDialRefusesServers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.server.Address()
	for _, servers := range [][]string{
		nil, {}, {""}, {good, ""}, {"zk://" + good}, {good + "/chroot", good}, {good + "/a//b"}, {good + "/a/../b"}, {good + "," + good}, {" " + good},
		{"host:"}, {"host:0"}, {"host:-1"}, {"host:65536"}, {"::1"}, {"[::1"}, {"a b:2181"},
	} {
		w.refusesToDial(servers, session)
	}
}

// Names may be looked up later, or by the dialer.
func TestDialTakesNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, server := range []string{"nobody.invalid", "nobody.invalid:2181", "host:eforward", "[::1]:2181", "[fe80::1%eth0]:2181", ":2181"} {
		s, err := zklock.Dial([]string{server}, session)
		if err != nil {
			t.Errorf("%s: %v", server, err)
			continue
		}
		closeSession(w, s)
	}
}

// A dialer may connect to what is no host.
func TestDialTakesWhatADialerDoes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, err := dialSecure([]string{"unix:///run/proxy"}, "", session, []zklock.DialOption{zklock.WithDialer(
		func(kind, _ string, timeout time.Duration) (net.Conn, error) {
			return zktest.Dial(kind, w.server.Address(), timeout)
		})})
	if err != nil {
		t.Fatal(err)
	}
	w.unlock(w.lock(newMutex(s, w.path)))
	closeSession(w, s)
}

func TestDialRefusesBuffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, size := range []int{math.MinInt, -1, 0, 1, 100, 255} {
		w.refusesToDial(w.servers(), session, zklock.WithBuffers(size, 4096))
		w.refusesToDial(w.servers(), session, zklock.WithBuffers(4096, size))
	}
}

// refusesToDial dials in vain.
func (w *world) refusesToDial(servers []string, timeout time.Duration, opts ...zklock.DialOption) {
	w.Helper()
	s, err := zklock.Dial(servers, timeout, opts...)
	if err == nil {
		closeSession(w, s)
	}
	if !errors.Is(err, zklock.ErrArguments) {
		w.Errorf("Dial(%q, %v) = %v, want ErrArguments", servers, timeout, err)
	}
}

// The least buffers are enough for a lock that is alone, on the shortest path.
func TestLeastBuffers(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session, zklock.WithBuffers(256, 256))
	defer w.conn.Delete("/z", -1)
	for range 3 {
		lease, err := newRWMutex(s, "/z").Lock(w.within())
		if err != nil {
			t.Fatal(err)
		}
		if lease, err = lease.Downgrade(w.within()); err != nil {
			t.Fatal(err)
		}
		w.unlock(lease)
		w.unlock(w.lock(newMutex(s, "/z")))
	}
}

// A request of which all but a flag fits is refused as any other too large one.
func TestRequestsThatJustDoNotFit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session, zklock.WithBuffers(4096, 256))
	dir := "/" + strings.Repeat("a", 239)
	if _, err := newSemaphore(s, dir, 1).TryAcquire(w.within()); !errors.Is(err, zk.ErrShortBuffer) {
		t.Errorf("Semaphore: %v, want ErrShortBuffer", err)
	}
	for length := range 100 {
		dir := "/" + strings.Repeat("a", length)
		m, err := newMulti(s, []string{dir + "1", dir + "2", dir + "3"})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := m.TryLock(w.within()); !errors.Is(err, zk.ErrShortBuffer) {
			t.Errorf("Multi: %v, want ErrShortBuffer", err)
		}
	}
}

func TestNilOptions(t *testing.T) {
	t.Parallel()
	zktest.SkipSecure(t, "a nil dialer speaks no TLS", zktest.TLS)
	w := newWorld(t)
	closeSession(w, zklock.NewSession(nil, zklock.WithSessionHook(nil)))
	s := w.dial(session, nil, zklock.SessionOption(nil), zklock.WithSessionHook(nil), zklock.WithDialer(nil), zklock.WithLogger(nil))
	w.unlock(w.lock(newMutex(s, w.path, nil, zklock.WithLockTrace(nil))))
}

// What go-zookeeper complains of goes nowhere.
func TestNilLogger(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	asked := make(chan struct{}, 2) // the second time, the first failure has been logged
	refuse := func(string, string, time.Duration) (net.Conn, error) {
		select {
		case asked <- struct{}{}:
		default:
		}
		return nil, errors.New("refused")
	}
	s, err := zklock.Dial([]string{"host:1"}, session, zklock.WithLogger(nil), zklock.WithDialer(refuse))
	if err != nil {
		t.Fatal(err)
	}
	receive(t, asked, "an attempt")
	receive(t, asked, "another")
	closeSession(w, s)
}

// A session that cannot connect says so, and why.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		server func(testing.TB) string
		dial   zk.Dialer
		why    string
	}{
		"nobody":        {unused, net.DialTimeout, "connection refused"},
		"hasty":         {hasty, net.DialTimeout, "not connected: no handshake with"},
		"hasty, by TLS": {hasty, zktest.DialTLS, ""}, // whose error may be EOF alone
	} {
		address := test.server(t)
		s := tried(t, address, test.dial)
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		for what, err := range unconnected(ended, s) {
			if !errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s, %s: %v, want the context's error", name, what, err)
			}
			if !strings.Contains(err.Error(), "context canceled: not connected: ") || !strings.Contains(err.Error(), test.why) || !strings.Contains(err.Error(), address) {
				t.Errorf("%s, %s: %v, want %s, and %s", name, what, err, test.why, address)
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
func tried(t *testing.T, address string, dial zk.Dialer) *zklock.Session {
	again := make(chan struct{})
	var attempts atomic.Int32
	dialer := func(network, address string, timeout time.Duration) (net.Conn, error) {
		if attempts.Add(1) == 2 {
			close(again)
		}
		return dial(network, address, timeout)
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
	m, err := newMulti(s, []string{"/lock"})
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
	holder := w.lock(newMutex(w.dial(session), w.path))
	lock := newMutex(s, w.path)

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
