package locks_test

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait of a test: long for a busy machine, and never
// waited for when all is well.
const timeout = time.Minute

// A world is what most tests need: a server, and a lock directory of their own.
type world struct {
	testing.TB
	server *zktest.Server
	conn   *zk.Conn // of a bystander who sees what the server knows
	path   string   // the lock directory, not yet made
}

func newWorld(tb testing.TB) *world {
	server := zktest.Start(tb)
	return &world{TB: tb, server: server, conn: server.Conn(tb), path: server.Root(tb) + "/lock"}
}

// dial opens a session that is closed with the test.
func (w *world) dial(timeout time.Duration, opts ...zklock.DialOption) *zklock.Session {
	w.Helper()
	s, err := dialSecure(w.servers(), path.Dir(w.path), timeout, opts)
	if err != nil {
		w.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	return s
}

// servers is where a connection that the test brings goes.
func (w *world) servers() []string { return []string{w.server.Address()} }

// dialThrough is dial with a network that the test can break.
func (w *world) dialThrough(timeout time.Duration, opts ...zklock.DialOption) (*zklock.Session, *network) {
	w.Helper()
	n := newNetwork(w)
	return w.dial(timeout, append(opts, zklock.WithDialer(n.Dial))...), n
}

func closeSession(tb testing.TB, s *zklock.Session) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		tb.Error(err)
	}
}

// within returns a context that bounds a step of the test.
func (w *world) within() context.Context {
	ctx, cancel := context.WithTimeout(w.Context(), timeout)
	w.Cleanup(cancel)
	return ctx
}

// lock takes a lock that must be had.
func (w *world) lock(l zklock.Locker, traces ...*zklock.Trace) *zklock.Lease {
	w.Helper()
	ctx := w.within()
	for _, trace := range traces {
		ctx = zklock.WithTrace(ctx, trace)
	}
	lease, err := l.Lock(ctx)
	if err != nil {
		w.Fatal(err)
	}
	return lease
}

func (w *world) unlock(l *zklock.Lease) {
	w.Helper()
	if err := l.Unlock(w.within()); err != nil {
		w.Fatal(err)
	}
}

// An attempt is a call of Lock in another goroutine.
type attempt struct {
	*recorder
	lease  *zklock.Lease
	err    error
	done   chan struct{}
	cancel context.CancelFunc
}

// startLock begins to lock, and returns when it waits behind somebody.
func (w *world) startLock(l zklock.Locker) *attempt {
	w.Helper()
	a := w.beginLock(l)
	a.await(w, "wait-start", 1)
	return a
}

// beginLock begins to lock.
func (w *world) beginLock(l zklock.Locker) *attempt {
	a := &attempt{recorder: newRecorder(), done: make(chan struct{})}
	var ctx context.Context
	ctx, a.cancel = context.WithCancel(w.Context())
	go func() {
		defer close(a.done)
		a.lease, a.err = l.Lock(zklock.WithTrace(ctx, a.trace()))
	}()
	w.Cleanup(func() { a.cancel(); <-a.done })
	return a
}

// held waits until the attempt has the lock.
func (a *attempt) held(tb testing.TB) *zklock.Lease {
	tb.Helper()
	if err := a.failed(tb); err != nil {
		tb.Fatal(err)
	}
	return a.lease
}

// failed waits until Lock returns, and returns its error.
func (a *attempt) failed(tb testing.TB) error {
	tb.Helper()
	receive(tb, a.done, "Lock to return")
	return a.err
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
func eventually(tb testing.TB, what string, ok func() bool) {
	tb.Helper()
	for deadline := time.Now().Add(timeout); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			tb.Fatalf("gave up waiting until %s", what)
		}
	}
}

// children returns the names in the lock directory, as the server has them.
func (w *world) children() []string {
	w.Helper()
	names, _, err := w.conn.Children(w.path)
	if err != nil && err != zk.ErrNoNode {
		w.Fatal(err)
	}
	slices.Sort(names)
	return names
}

// others returns the full paths of the znodes in the queue, l's left out.
func (w *world) others(l *zklock.Lease) (nodes []string) {
	w.Helper()
	for _, name := range w.children() {
		if node := w.path + "/" + name; node != l.Node() {
			nodes = append(nodes, node)
		}
	}
	return nodes
}

// empties waits until nobody stands in the queue.
func (w *world) empties() {
	w.Helper()
	eventually(w, "the queue is empty", func() bool { return len(w.children()) == 0 })
}

// A recorder keeps what a trace is told, one line for each hook.
type recorder struct {
	mu      sync.Mutex
	lines   []string
	changed chan struct{}
}

func newRecorder() *recorder { return &recorder{changed: make(chan struct{})} }

func (r *recorder) note(format string, args ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
	close(r.changed)
	r.changed = make(chan struct{})
}

// count returns how many lines begin with prefix.
func (r *recorder) count(prefix string) int {
	n, _ := r.look(prefix)
	return n
}

func (r *recorder) look(prefix string) (int, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := 0
	for _, line := range r.lines {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n, r.changed
}

// all returns the lines so far.
func (r *recorder) all() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.lines)
}

// await waits until n lines begin with prefix.
func (r *recorder) await(tb testing.TB, prefix string, n int) {
	tb.Helper()
	deadline := time.After(timeout)
	for {
		have, changed := r.look(prefix)
		if have >= n {
			return
		}
		select {
		case <-changed:
		case <-deadline:
			tb.Fatalf("gave up waiting for %q, have %q", prefix, r.all())
		}
	}
}

func (r *recorder) trace() *zklock.Trace {
	return &zklock.Trace{
		EnqueueStart: func(zklock.EnqueueStartInfo) { r.note("enqueue-start") },
		Enqueued: func(i zklock.EnqueuedInfo) {
			r.note("enqueued recovered=%v failed=%v", i.Recovered, i.Err != nil)
		},
		Listed:       func(i zklock.ListedInfo) { r.note("listed %d of %d", i.Position, i.Children) },
		WaitStart:    func(i zklock.WaitStartInfo) { r.note("wait-start %s", i.Predecessor) },
		WaitDone:     func(i zklock.WaitDoneInfo) { r.note("wait-done %v", i.Type) },
		LookedAhead:  func(i zklock.LookedAheadInfo) { r.note("looked-ahead %v %s", i.Type, i.Passed) },
		RevokeAsked:  func(zklock.RevokeAskedInfo) { r.note("revoke-asked") },
		Acquired:     func(zklock.AcquiredInfo) { r.note("acquired") },
		GaveUp:       func(zklock.GaveUpInfo) { r.note("gave-up") },
		ReleaseStart: func(zklock.ReleaseStartInfo) { r.note("release-start") },
		Released:     func(i zklock.ReleasedInfo) { r.note("released failed=%v", i.Err != nil) },
		Lost:         func(zklock.LostInfo) { r.note("lost") },
		OrphanQueued: func(zklock.OrphanInfo) { r.note("orphan-queued") },
		OrphanDone:   func(i zklock.OrphanInfo) { r.note("orphan-done failed=%v", i.Err != nil) },
	}
}
