package zktest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

const (
	// bootTimeout is long enough for a machine that runs many tests at once.
	bootTimeout = 60 * time.Second
	// stopTimeout is beyond the time that a server's stop may take.
	stopTimeout = 30 * time.Second
	// leakTimeout is for goroutines that are about to end. goleak itself waits
	// for less than half a second.
	leakTimeout = 20 * time.Second
	// parallelTests is how many tests run at once, of those that call t.Parallel.
	// Go's own number is that of the processors, but these tests wait most of their
	// time: for a server, or until a session has expired.
	parallelTests = 8
)

// shared is the one server of a test process, and prepared one with a past. They have
// to be variables of the package: tests have nothing else in common.
var shared, prepared harness

// A harness starts a server when it is first needed.
type harness struct {
	mu     sync.Mutex
	server *Server
	dir    string // its data, to be removed; empty when it has seen to that
	err    error  // why there is none; it will not be tried again
}

// Main runs the tests of a package, 8 at once unless -parallel says otherwise, stops
// the server that they shared, and fails if they left goroutines behind, but for those
// that ignore names. It does not return.
func Main(m *testing.M, ignore ...goleak.Option) { os.Exit(Run(m, ignore...)) }

// Run is [Main] for a program that has more to do: it returns the exit code.
func Run(m *testing.M, ignore ...goleak.Option) int {
	runMoreAtOnce()
	code := m.Run()
	if err := errors.Join(shared.stop(), prepared.stop(), removeIdentity()); err != nil {
		fmt.Fprintln(os.Stderr, "zktest: stop ZooKeeper:", err)
		code = max(code, 1)
	}
	if code != 0 {
		return code // a test that failed half-way leaves goroutines: that is no news
	}
	if err := leaked(ignore); err != nil {
		fmt.Fprintln(os.Stderr, "zktest:", err)
		return 1
	}
	return 0
}

// runMoreAtOnce raises the number of parallel tests, if nobody has set it.
func runMoreAtOnce() {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		_ = flag.Set("test.parallel", strconv.Itoa(parallelTests)) // it exists, and takes a number
	}
}

// leaked returns an error when goroutines are left that do not end.
func leaked(ignore []goleak.Option) (err error) {
	for deadline := time.Now().Add(leakTimeout); ; {
		if err = goleak.Find(ignore...); err == nil || time.Now().After(deadline) {
			return err
		}
	}
}

// Start returns the server that all tests of the package share, and fails tb
// if there cannot be one.
func Start(tb testing.TB) *Server {
	tb.Helper()
	server, err := shared.start(func() (*Server, error) { return newServer(zkserver.Config{AdminServer: true}, Secure(TLS)) })
	if err != nil {
		tb.Fatal("zktest: these tests need a real ZooKeeper: ", err)
	}
	return server
}

// StartPrepared returns another server that all tests of the package share, with the
// past that [SnapshotDir] describes. The counters are those of whoever comes first,
// and so the same for all.
func StartPrepared(tb testing.TB, counters map[string]int32) *Server {
	tb.Helper()
	server, err := prepared.start(func() (*Server, error) {
		dir, err := os.MkdirTemp("", "zktest")
		if err != nil {
			return nil, err
		}
		prepared.dir = dir
		if err := zkserver.WriteSnapshot(dir, counters); err != nil {
			return nil, err
		}
		return newServer(zkserver.Config{Dir: dir}, Secure(TLS))
	})
	if err != nil {
		tb.Fatal("zktest: these tests need a real ZooKeeper: ", err)
	}
	return server
}

// StartOwn returns a server that no other test uses, stopped when tb ends.
func StartOwn(tb testing.TB, config zkserver.Config) *Server {
	tb.Helper()
	return startOwn(tb, config, Secure(TLS))
}

func startOwn(tb testing.TB, config zkserver.Config, tls bool) *Server {
	tb.Helper()
	server, err := newServer(config, tls)
	if err != nil {
		tb.Fatal("zktest: these tests need a real ZooKeeper: ", err)
	}
	tb.Cleanup(func() {
		if err := server.stop(); err != nil {
			tb.Error("zktest: stop ZooKeeper: ", err)
		}
	})
	return server
}

func (h *harness) start(boot func() (*Server, error)) (*Server, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.server == nil && h.err == nil {
		h.server, h.err = boot()
	}
	return h.server, h.err
}

func (h *harness) stop() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	var err error
	if h.server != nil {
		err = h.server.stop()
	}
	if h.dir != "" {
		err = errors.Join(err, os.RemoveAll(h.dir))
	}
	return err
}

// newServer boots a server that outlives the test that asks for it first, so
// that test's context must not bound it.
func newServer(config zkserver.Config, tls bool) (server *Server, err error) {
	config.BootTimeout = bootTimeout
	var secured int
	if tls {
		if secured, err = freePort(); err != nil {
			return nil, err
		}
		if config.Lines, err = secureLines(secured); err != nil {
			return nil, err
		}
	}
	if config, err = asComposed(config); err != nil {
		return nil, err
	}
	managed, err := zkserver.Start(context.Background(), config)
	if err != nil {
		return nil, err
	}
	return &Server{managed: managed, secured: secured}, nil
}

// SnapshotDir returns a temporary directory that [zkserver.WriteSnapshot] has prepared.
func SnapshotDir(tb testing.TB, counters map[string]int32) string {
	tb.Helper()
	dir := tb.TempDir()
	if err := zkserver.WriteSnapshot(dir, counters); err != nil {
		tb.Fatal("zktest: ", err)
	}
	return dir
}
