package zktest

import (
	"context"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/internal/onlyhost"
)

const (
	// DefaultSession is the session timeout of [Server.Conn]. The library gives
	// up a connection that is silent for two thirds of it, and with it the
	// request of a test: so it is far more than a busy machine stalls.
	DefaultSession = 30 * time.Second
	// connectTimeout bounds the time until a client has its session.
	connectTimeout = 30 * time.Second
)

// Conn opens a session of [DefaultSession], which is closed when tb ends.
func (s *Server) Conn(tb testing.TB) *zk.Conn {
	tb.Helper()
	return s.Session(tb, DefaultSession)
}

// Session opens a session with the given timeout, which is closed when tb ends.
func (s *Server) Session(tb testing.TB, timeout time.Duration) *zk.Conn {
	tb.Helper()
	conn, err := connect(tb.Context(), s.managed.Address(), timeout)
	if err != nil {
		tb.Fatal("zktest: ", err)
	}
	tb.Cleanup(conn.Close)
	return conn
}

// connect opens a plain quiet connection and waits for its session, with -secure auth as
// the user of the tests.
func connect(ctx context.Context, address string, timeout time.Duration) (*zk.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	conn, events, err := zk.Connect([]string{address}, timeout,
		zk.WithHostProvider(new(onlyhost.Provider)), zk.WithDialer(dialReady), zk.WithLogger(quiet{}), zk.WithLogInfo(false))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", address, err)
	}
	if err := awaitSession(ctx, events); err != nil {
		conn.Close()
		return nil, fmt.Errorf("connect to %s: %w", address, err)
	}
	if Secure(Auth) {
		if err := conn.AddAuth("digest", []byte(Secret)); err != nil {
			conn.Close()
			return nil, fmt.Errorf("authenticate at %s: %w", address, err)
		}
	}
	return conn, nil
}

// dialReady dials a server once it serves. One that boots accepts connections
// some time before it reads them, and a client that comes then waits for long.
func dialReady(network, address string, timeout time.Duration) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := zkserver.Ready(ctx, address); err != nil {
		return nil, err
	}
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return Unfailing(conn), nil
}

// Unfailing returns conn for go-zookeeper: where a write would fail it closes instead,
// which reading tells. Version 1.0.4 never ends when a request's write fails while it
// is being closed; see protocol.Conn of zklock, which guards against that, too.
func Unfailing(conn net.Conn) net.Conn { return unfailingConn{conn} }

type unfailingConn struct{ net.Conn }

func (c unfailingConn) Write(p []byte) (int, error) {
	if _, err := c.Conn.Write(p); err != nil {
		c.Close()
	}
	return len(p), nil
}

func awaitSession(ctx context.Context, events <-chan zk.Event) error {
	for {
		select {
		case event := <-events:
			if event.State == zk.StateHasSession {
				return nil
			}
		case <-ctx.Done():
			return fmt.Errorf("no session: %w", context.Cause(ctx))
		}
	}
}

// quiet is a logger that says nothing: a test tells what matters itself.
type quiet struct{}

func (quiet) Printf(string, ...any) {}
