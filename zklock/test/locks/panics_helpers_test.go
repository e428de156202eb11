package locks_test

import (
	"context"
	"errors"
	"runtime"
	"strings"

	"github.com/zkplayground/zkplayground/zklock"
)

// errFailure is what a hook of a test panics with.
var errFailure = errors.New("a hook's own failure")

// A failure is a hook that does not return, and what comes of it.
type failure struct {
	*world
	exits    bool     // it calls runtime.Goexit and does not panic
	first    unlocker // who holds the lock before
	cancel   context.CancelFunc
	again    error // of a second Unlock
	unlocked bool  // there was one
}

func (f *failure) fail() {
	if f.exits {
		runtime.Goexit()
	}
	panic(errFailure)
}

// failInLine is a hook that fails once there is a znode.
func (f *failure) failInLine(i zklock.EnqueuedInfo) {
	if i.Err == nil {
		f.fail()
	}
}

// makeWay is a hook in which the holder unlocks.
func (f *failure) makeWay(zklock.WaitStartInfo) {
	if err := f.first.Unlock(f.within()); err != nil {
		f.Error(err)
	}
}

// giveUp is a hook in which the caller does.
func (f *failure) giveUp(zklock.WaitStartInfo) { f.cancel() }

// block has up to two others stand in line. The second holds when the first has
// unlocked, and comes out of the channel.
func (f *failure) block(n int, make func() locking) (second <-chan unlocker) {
	f.Helper()
	if n == 0 {
		return nil
	}
	var err error
	if f.first, err = make()(f.within()); err != nil {
		f.Fatal(err)
	}
	if n == 1 {
		return nil
	}
	return f.stand(make())
}

// stand begins to lock, and returns when it waits.
func (f *failure) stand(lock locking) <-chan unlocker {
	f.Helper()
	held, record := make(chan unlocker, 1), newRecorder()
	ctx := zklock.WithTrace(f.within(), record.trace())
	go func() {
		h, err := lock(ctx)
		if err != nil {
			f.Error(err)
		}
		held <- h
	}()
	record.await(f, "wait-start", 1)
	return held
}

// unblock ends what block began.
func (f *failure) unblock(second <-chan unlocker) {
	f.Helper()
	if f.first != nil {
		f.makeWay(zklock.WaitStartInfo{})
	}
	if second == nil {
		return
	}
	if err := receive(f, second, "the lock").Unlock(f.within()); err != nil {
		f.Error(err)
	}
}

// run calls use, which is to be ended by the hook, and by nothing else.
func (f *failure) run(use func(context.Context)) {
	f.Helper()
	var ctx context.Context
	ctx, f.cancel = context.WithCancel(f.within())
	defer f.cancel()
	done, recovered, returned := make(chan struct{}), any(nil), false
	go func() {
		defer close(done)
		defer func() { recovered = recover() }()
		use(ctx)
		returned = true
	}()
	receive(f, done, "the hook")
	if returned || f.exits && recovered != nil || !f.exits && recovered != errFailure {
		f.Fatalf("returned: %v, recovered: %v", returned, recovered)
	}
}

// A hookTest makes one hook not return.
type hookTest struct {
	name  string
	ahead int  // how many stand in line before
	late  bool // Unlock gives up before anything gets to the server
	trace func(*failure) *zklock.Trace
	// again says what a second Unlock may return; nil when Lock does not return.
	again func(error) bool
}

var hookTests = []hookTest{
	{name: "EnqueueStart", trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{EnqueueStart: func(zklock.EnqueueStartInfo) { f.fail() }}
	}},
	{name: "Enqueued", trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{Enqueued: f.failInLine}
	}},
	{name: "Listed", trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{Listed: func(zklock.ListedInfo) { f.fail() }}
	}},
	{name: "WaitStart", ahead: 1, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{WaitStart: func(zklock.WaitStartInfo) { f.fail() }}
	}},
	{name: "WaitDone", ahead: 1, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{WaitStart: f.makeWay, WaitDone: func(zklock.WaitDoneInfo) { f.fail() }}
	}},
	{name: "LookedAhead", ahead: 2, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{WaitStart: f.makeWay, LookedAhead: func(zklock.LookedAheadInfo) { f.fail() }}
	}},
	{name: "Acquired", trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{Acquired: func(zklock.AcquiredInfo) { f.fail() }}
	}},
	{name: "GaveUp", ahead: 1, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{WaitStart: f.giveUp, GaveUp: func(zklock.GaveUpInfo) { f.fail() }}
	}},
	{name: "OrphanQueued", ahead: 1, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{WaitStart: f.giveUp, OrphanQueued: func(zklock.OrphanInfo) { f.fail() }}
	}},
	{name: "ReleaseStart", again: isUnconfirmed, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{ReleaseStart: func(zklock.ReleaseStartInfo) { f.fail() }}
	}},
	{name: "Released", again: isNil, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{Released: func(zklock.ReleasedInfo) { f.fail() }}
	}},
	{name: "ReleasedLate", late: true, again: isCanceled, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{Released: func(zklock.ReleasedInfo) { f.fail() }}
	}},
	{name: "OrphanQueuedLate", late: true, again: isCanceled, trace: func(f *failure) *zklock.Trace {
		return &zklock.Trace{OrphanQueued: func(zklock.OrphanInfo) { f.fail() }}
	}},
}

func isNil(err error) bool { return err == nil }

func isCanceled(err error) bool { return errors.Is(err, context.Canceled) }

func isUnconfirmed(err error) bool {
	return err != nil && strings.Contains(err.Error(), "not confirmed")
}
