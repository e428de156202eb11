package locker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// closeTimeout is how long a program that is to end may take to close its session.
const closeTimeout = time.Second

// Run is a recipe as a program, until the end of its input. Getenv returns what package
// program promises; the error says what is missing.
func Run(ctx context.Context, r recipe.Recipe, in io.Reader, out io.Writer, getenv func(string) string) error {
	p, err := newProcess(r, getenv)
	if err != nil {
		return err
	}
	defer p.close()
	return Serve(ctx, in, out, p)
}

// A process is what a recipe asks of its client: a recipe.Process.
type process struct {
	server  string
	timeout time.Duration
	number  int
	sync    bool // the library's sessions as they are, and not a recipe's, whose requests are shown
	lock    recipe.Lock
	current atomic.Pointer[session]
	life    context.Context
	end     context.CancelFunc
	working sync.WaitGroup
}

// A session is one of the recipe's, on a link of its own, so that it can be given up.
type session struct {
	*zklock.Session
	link *link.Link
	tap  *wire.Tap
}

func newProcess(r recipe.Recipe, getenv func(string) string) (*process, error) {
	server, path := getenv("PLAYGROUND_SERVER"), getenv("PLAYGROUND_LOCK")
	millis, failed := strconv.Atoi(getenv("PLAYGROUND_SESSION_MS"))
	number, _ := strconv.Atoi(getenv("PLAYGROUND_CLIENT"))
	switch {
	case server == "" || path == "" || failed != nil:
		return nil, errors.New("PLAYGROUND_SERVER, PLAYGROUND_LOCK and PLAYGROUND_SESSION_MS say where the lock is; a playground sets them")
	case r.Threads:
		return nil, fmt.Errorf("the recipe %q is for the threads of a process, and a program has one turn at a time: playground run reentrant shows it", r.Name)
	case r.New == nil || r.Store != "" || r.Permits:
		return nil, fmt.Errorf("the recipe %q is no lock of one process in ZooKeeper", r.Name)
	}
	p := &process{server: server, timeout: time.Duration(millis) * time.Millisecond, number: number, sync: r.Name == ZKLock().Name}
	p.life, p.end = context.WithCancel(context.Background())
	first, err := p.dial()
	if err != nil {
		return nil, err
	}
	p.current.Store(first)
	p.lock = r.New(recipe.Env{Session: first.Session, Path: path, Paths: p.paths(path), Permits: 1, Trace: silent(), Process: p,
		Thread: func(int) recipe.Thread { return recipe.Thread{Trace: silent(), Queued: func() {}, Left: func() {}} }})
	return p, nil
}

// paths are the locks that a recipe takes which takes several: the one that it was given and
// one beside that. Each second process needs them in the other order.
func (p *process) paths(path string) []string {
	paths := []string{path, path + "-too"}
	if p.number%2 == 0 {
		slices.Reverse(paths)
	}
	return paths
}

func (p *process) dial() (*session, error) {
	began := time.Now()
	s := &session{tap: wire.NewTap("", p.number, func() int64 { return time.Since(began).Microseconds() }, func(event.Event) {})}
	s.link = link.New(link.Config{Observer: s.tap})
	opened, err := zklock.Dial([]string{p.server}, p.timeout, zklock.WithDialer(s.link.Dial), zklock.WithSync(p.sync))
	s.Session = opened
	return s, err
}

// silent is a trace that recipes may call without looking.
func silent() *zklock.Trace {
	return &zklock.Trace{
		Enqueued: func(zklock.EnqueuedInfo) {}, WaitStart: func(zklock.WaitStartInfo) {}, WaitDone: func(zklock.WaitDoneInfo) {},
		Acquired: func(zklock.AcquiredInfo) {}, ReleaseStart: func(zklock.ReleaseStartInfo) {}, Lost: func(zklock.LostInfo) {},
		RevokeAsked: func(zklock.RevokeAskedInfo) {}, GaveUp: func(zklock.GaveUpInfo) {},
		OrphanQueued: func(zklock.OrphanInfo) {}, OrphanDone: func(zklock.OrphanInfo) {},
	}
}

func (p *process) close() {
	ctx, cancel := context.WithTimeout(context.Background(), closeTimeout)
	defer cancel()
	s := p.current.Load()
	_ = s.Close(ctx) // else the server ends it
	p.end()
	s.link.Close()
	p.working.Wait()
}

// Acquire has the recipe acquire, in the session that lives then: one that is lost has been
// replaced by the library.
func (p *process) Acquire(ctx context.Context, read bool) (Hold, error) {
	if err := p.current.Load().WaitConnected(ctx); err != nil {
		return Hold{}, err
	}
	held, err := p.lock.Acquire(ctx, scenario.Turn{Write: !read})
	if err != nil {
		return Hold{}, err
	}
	why := func() error { return nil }
	if lease, ok := held.(*zklock.Lease); ok {
		why = func() error { return context.Cause(lease.Context()) }
	}
	return Hold{Token: int64(held.Token()), Znode: held.Node(), Lost: held.Lost(), Why: why, Release: held.Unlock}, nil
}

func (p *process) Session() *zklock.Session { return p.current.Load().Session }

// Renew gives the session up without a word to the server, and opens another.
func (p *process) Renew(ctx context.Context) error {
	old := p.current.Load()
	old.link.Kill()
	p.working.Go(func() {
		_ = old.Close(p.life) // it cannot reach the server
		old.link.Close()
	})
	next, err := p.dial()
	if err != nil {
		return err
	}
	p.current.Store(next)
	return next.WaitConnected(ctx)
}

func (p *process) LastCreated() (string, int64) { return p.current.Load().tap.LastCreated() }
func (p *process) Label() string                { return fmt.Sprintf("program-%d", p.number) }
func (p *process) Ending() bool                 { return p.life.Err() != nil }
func (p *process) Grace() context.Context       { return p.life }
func (p *process) Go(do func())                 { p.working.Go(do) }
func (p *process) CleanUp(do func())            { p.working.Go(do) }
