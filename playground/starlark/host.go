package starlark

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"
	"go.starlark.net/starlark"
	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/program/locker"
)

// Run is the source as a program, until the end of its input; see package program. An error
// is a sentence for the learner. After one the process is to end: the source may still run.
func Run(ctx context.Context, source string, in io.Reader, out io.Writer, getenv func(string) string) error {
	limitProcess()
	h, err := open(ctx, source, out, getenv)
	if err != nil {
		return err
	}
	ended := make(chan error, 3)
	stop := make(chan struct{})
	var owned sync.WaitGroup
	owned.Go(func() {
		if why := h.watcher.watch(stop); why != "" {
			ended <- fmt.Errorf("%w: %s", ErrSource, why)
		}
	})
	owned.Go(h.tellSession)
	owned.Go(func() {
		err := h.load()
		if err == nil {
			err = locker.Serve(h.ctx, in, h.out, h)
		}
		ended <- err
	})
	select {
	case err = <-h.broken:
		return err
	case err = <-ended:
	}
	if err != nil {
		return err
	}
	h.end()
	h.close()
	close(stop)
	owned.Wait()
	return nil
}

// A host is a source with its session. The source runs in one goroutine at a time.
type host struct {
	program *starlark.Program
	path    string
	number  int
	conn    *zk.Conn
	close   func()
	ctx     context.Context // of the process
	end     context.CancelFunc
	out     *lockedWriter
	watcher watcher
	broken  chan error // why the source is no lock, at most once
	places  *rate.Limiter

	running  sync.Mutex // had while the source runs
	globals  starlark.StringDict
	deadline time.Time // of the attempt; zero for none
	requests int       // of the call
	notes    int
	znodes   int           // that it has created and not deleted
	line     int           // told last
	lost     chan struct{} // of the hold; nil if there is none

	stirred chan struct{} // something has happened to the session
	states  states        // what
}

// A lockedWriter writes whole lines.
type lockedWriter struct {
	mu sync.Mutex
	io.Writer
}

func (w *lockedWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(line)
}

func open(ctx context.Context, source string, out io.Writer, getenv func(string) string) (*host, error) {
	compiled, err := compile(source)
	if err != nil {
		return nil, err
	}
	millis, err := strconv.Atoi(getenv("PLAYGROUND_SESSION_MS"))
	if err != nil || getenv("PLAYGROUND_SERVER") == "" {
		return nil, errors.New("PLAYGROUND_SERVER and PLAYGROUND_SESSION_MS say where the lock is; a playground sets them")
	}
	h := &host{program: compiled, path: getenv("PLAYGROUND_LOCK"), out: &lockedWriter{Writer: out},
		broken: make(chan error, 1), places: rate.NewLimiter(placesEach, placesEach), stirred: make(chan struct{}, 1)}
	h.number, _ = strconv.Atoi(getenv("PLAYGROUND_CLIENT"))
	h.ctx, h.end = context.WithCancel(ctx)
	connected := make(chan struct{})
	first := sync.OnceFunc(func() { close(connected) })
	h.conn, h.close, err = connect(getenv("PLAYGROUND_SERVER"), time.Duration(millis)*time.Millisecond, func(e zk.Event) {
		if e.State == zk.StateHasSession {
			first()
		}
		h.states.add(e.State)
		select {
		case h.stirred <- struct{}{}:
		default: // it is told already
		}
	})
	if err != nil {
		return nil, err
	}
	select {
	case <-connected: // so that there is a session to ask for
		return h, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// load runs the source's own statements, which define the lock.
func (h *host) load() error {
	h.running.Lock()
	defer h.running.Unlock()
	_, err := h.run(func(thread *starlark.Thread) (starlark.Value, error) {
		all, err := h.program.Init(thread, starlark.StringDict{"zk": h.module()})
		h.globals = all
		return starlark.None, err
	})
	if err != nil {
		return err
	}
	for _, name := range []string{"acquire", "release"} {
		if _, ok := h.globals[name].(starlark.Callable); !ok {
			return fmt.Errorf("%w: %s is no function", ErrSource, name)
		}
	}
	return nil
}

// run has the source compute within its limits.
func (h *host) run(do func(*starlark.Thread) (starlark.Value, error)) (starlark.Value, error) {
	h.requests, h.notes = 0, 0
	thread := &starlark.Thread{Name: "lock", Print: h.print}
	limit(thread)
	h.watcher.calls.Add(1)
	v, err := do(thread)
	h.watcher.calls.Add(1)
	if err == nil {
		return v, nil
	}
	if errors.Is(err, ErrZooKeeper) {
		return nil, refusal{located(err)}
	}
	return nil, located(err)
}

// A refusal is an error of ZooKeeper at its place.
type refusal struct{ error }

func (refusal) Is(target error) bool { return target == ErrZooKeeper }

// call calls a function of the source; an error that is not ZooKeeper's ends the process.
func (h *host) call(name string, args ...starlark.Value) (starlark.Value, error) {
	v, err := h.run(func(thread *starlark.Thread) (starlark.Value, error) {
		return starlark.Call(thread, h.globals[name], args, nil)
	})
	if err != nil && !errors.Is(err, ErrZooKeeper) {
		h.breaks(err)
	}
	return v, err
}

// breaks has Run return err, and does not return before the end of the process: the source
// has nothing more to say.
func (h *host) breaks(err error) {
	select {
	case h.broken <- err:
	default: // for another reason before
	}
	<-h.ctx.Done()
}

// guarded has a call tell its line, and counts it. The source does not compute meanwhile.
func (h *host) guarded(do call) func(*starlark.Thread, *starlark.Builtin, starlark.Tuple, []starlark.Tuple) (starlark.Value, error) {
	return func(thread *starlark.Thread, b *starlark.Builtin, args starlark.Tuple, named []starlark.Tuple) (starlark.Value, error) {
		if h.requests++; h.requests > maxRequests {
			return nil, fmt.Errorf("more than %d calls of zk in one call", maxRequests)
		}
		h.tellPlace(thread)
		h.watcher.calls.Add(1)
		defer h.watcher.calls.Add(1)
		v, err := do(func(pairs ...any) error { return starlark.UnpackArgs(b.Name(), args, named, pairs...) })
		if err == nil && h.lost == nil {
			h.states.take() // it was heard of after them
		}
		return v, err
	}
}

func (h *host) tellPlace(thread *starlark.Thread) {
	for depth := thread.CallStackDepth() - 1; depth >= 0; depth-- { // of acquire, not of a helper
		if line := int(thread.CallFrame(depth).Pos.Line); line > 0 {
			if line != h.line && h.places.Allow() {
				h.line = line
				h.say(program.Message{Type: program.At, Line: line})
			}
			return
		}
	}
}

// say writes a message; one that cannot be written has no reader.
func (h *host) say(m program.Message) { _ = json.NewEncoder(h.out).Encode(m) }

func (h *host) print(thread *starlark.Thread, text string) {
	if h.notes++; h.notes > maxNotes {
		thread.Cancel(fmt.Sprintf("more than %d lines printed in one call", maxNotes))
		return
	}
	h.say(program.Message{Type: program.Note, Text: text[:min(len(text), maxNote)]})
}

// Acquire is locker.Lock's.
func (h *host) Acquire(ctx context.Context, read bool) (locker.Hold, error) {
	h.running.Lock()
	defer h.running.Unlock()
	defer h.endWith(ctx)()
	h.deadline, _ = ctx.Deadline()
	v, err := h.call("acquire", starlark.Bool(read))
	if err != nil {
		return locker.Hold{}, err
	}
	znode, token, err := held(v)
	if err != nil {
		if errors.Is(err, ErrSource) {
			h.breaks(err)
		}
		return locker.Hold{}, err
	}
	lost := make(chan struct{})
	h.lost = lost
	return locker.Hold{Token: token, Znode: znode, Lost: lost, Why: func() error { return errLost },
		Release: func(ctx context.Context) error { return h.release(ctx, v) }}, nil
}

var (
	errGaveUp = errors.New("acquire has given up: it returned None")
	errLost   = errors.New("on_session says that it is lost")
)

// held reads what acquire returns.
func held(v starlark.Value) (znode string, token int64, err error) {
	path, fence := v, starlark.Value(starlark.MakeInt(0))
	if pair, ok := v.(starlark.Tuple); ok && len(pair) == 2 {
		path, fence = pair[0], pair[1]
	}
	if v == starlark.None {
		return "", 0, errGaveUp
	}
	znode, named := starlark.AsString(path)
	number, counted := fence.(starlark.Int)
	if named && counted {
		if token, counted = number.Int64(); counted && token >= 0 {
			return znode, token, nil
		}
	}
	return "", 0, fmt.Errorf("%w: acquire is to return a path, (path, token) or None, got %s", ErrSource, v.Type())
}

// endWith ends what the source waits for when the process is to end, and not when an attempt
// has a deadline: that is for the source to see.
func (h *host) endWith(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		if errors.Is(ctx.Err(), context.Canceled) {
			h.end()
			h.close()
		}
	})
}

func (h *host) release(ctx context.Context, v starlark.Value) error {
	h.running.Lock()
	defer h.running.Unlock()
	defer h.endWith(ctx)()
	h.lost, h.deadline = nil, time.Time{}
	if pair, ok := v.(starlark.Tuple); ok {
		v = pair[0]
	}
	_, err := h.call("release", v)
	return err
}

// tellSession tells the source what happens to the session while it holds the lock.
func (h *host) tellSession() {
	for {
		select {
		case <-h.stirred:
			h.tellStates()
		case <-h.ctx.Done():
			return
		}
	}
}

func (h *host) tellStates() {
	h.running.Lock()
	defer h.running.Unlock()
	for _, name := range h.states.take() {
		if _, ok := h.globals["on_session"]; !ok || h.lost == nil {
			return
		}
		if v, err := h.call("on_session", starlark.String(name)); err == nil && bool(v.Truth()) {
			close(h.lost)
			h.lost = nil
		}
	}
}
