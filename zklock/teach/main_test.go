package teach_test

import (
	"context"
	"log"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

const (
	// timeout bounds every wait of a test: long for a busy machine, and never waited
	// for when all is well.
	timeout = time.Minute
	// session is the timeout of sessions that nothing happens to, mortal that of those
	// that are to expire.
	session = 30 * time.Second
	mortal  = 6 * time.Second
)

// exampleTB lets examples, which get no testing.TB, start the server.
type exampleTB struct{ testing.TB }

func (exampleTB) Helper()           {}
func (exampleTB) Fatal(args ...any) { log.Panic(args...) }

// servers is a list of addresses; in your program, that of your ensemble.
func servers() []string { return []string{zktest.Start(exampleTB{}).Address()} }

// A world is a server, and a path of a test's own.
type world struct {
	testing.TB
	server *zktest.Server
	conn   *zk.Conn // of a bystander who sees what the server knows
	path   string
}

func newWorld(tb testing.TB) *world {
	server := zktest.Start(tb)
	return &world{TB: tb, server: server, conn: server.Conn(tb), path: server.Root(tb) + "/lock"}
}

// dial opens a session that is closed with the test.
func (w *world) dial(timeout time.Duration, opts ...zklock.DialOption) *zklock.Session {
	w.Helper()
	s, err := zklock.Dial([]string{w.server.Address()}, timeout, opts...)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { w.close(s) })
	return s
}

// bring opens a session over a connection that wrap has changed.
func (w *world) bring(wrap func(*zk.Conn) zklock.Client) *zklock.Session {
	w.Helper()
	s := zklock.NewSession()
	conn, _, err := zk.Connect([]string{w.server.Address()}, session, zk.WithEventCallback(s.EventCallback),
		zk.WithDialer(s.Dialer(nil)), zk.WithHostProvider(s.HostProvider()), zk.WithLogInfo(false))
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(conn.Close)
	if err := s.Bind(wrap(conn)); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { w.close(s) })
	return s
}

func (w *world) close(s *zklock.Session) {
	w.Helper()
	if err := s.Close(w.soon()); err != nil {
		w.Error(err)
	}
}

// soon returns a context that bounds a step of the test, or of its clean-up.
func (w *world) soon() context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.Context()), timeout)
	w.Cleanup(cancel)
	return ctx
}

// receive waits for a channel.
func receive[T any](tb testing.TB, c <-chan T, what string) (value T) {
	tb.Helper()
	select {
	case value = <-c:
	case <-time.After(timeout):
		tb.Fatalf("gave up waiting for %s", what)
	}
	return value
}

// eventually polls the server until it shows what the test waits for.
func (w *world) eventually(what string, ok func() bool) {
	w.Helper()
	for deadline := time.Now().Add(timeout); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("gave up waiting until %s", what)
		}
	}
}
