package locks_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// Work is done under every kind of lock, which is free afterwards.
func TestDoUnderEachLock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.doUnderEach(w.dial(session))
	if names := slices.DeleteFunc(w.children(), func(name string) bool { return len(name) == 1 }); len(names) > 0 {
		t.Errorf("left: %v", names)
	}
}

// doUnderEach does work under every kind of lock.
func (w *world) doUnderEach(s *zklock.Session, opts ...zklock.Option) {
	w.Helper()
	ctx := zklock.WithOwner(w.within())
	rw := newRWMutex(s, w.path, opts...)
	for name, err := range map[string]error{
		"Mutex":     do(ctx, w, newMutex(s, w.path, opts...).Lock),
		"reader":    do(ctx, w, rw.RLock),
		"writer":    do(ctx, w, rw.TryLock),
		"Semaphore": do(ctx, w, newSemaphore(s, w.path+"-permits", 1, opts...).Acquire),
		"Multi":     do(ctx, w, w.multi(s, "a b", opts...).Lock),
		"Reentrant": do(ctx, w, newReentrant(s, w.path, opts...).Lock),
		"Election":  do(ctx, w, newElection(s, w.path, opts...).Campaign),
	} {
		if err != errWork {
			w.Errorf("%s: %v", name, err)
		}
	}
}

var errWork = errors.New("work failed")

// do does work that fails, and returns the error, joined with nothing else.
func do[L zklock.Held](ctx context.Context, w *world, lock func(context.Context) (L, error)) error {
	err := zklock.Do(ctx, lock, func(ctx context.Context, lease L) error {
		return errors.Join(ctx.Err(), lease.Check(ctx), errWork)
	})
	if errors.Is(err, errWork) && err.Error() == errWork.Error() {
		return errWork
	}
	return err
}

// What ends the work's context is told by its cause, and what became of the lock by
// the error.
func TestDoEnds(t *testing.T) {
	t.Parallel()
	errStop := errors.New("stop")
	for name, c := range map[string]struct {
		end   func(w *world, stop context.CancelCauseFunc, lease *zklock.Lease)
		cause error
		want  error // of Do
	}{
		"by the caller": {func(_ *world, stop context.CancelCauseFunc, _ *zklock.Lease) { stop(errStop) }, errStop, nil},
		"with the lease": {func(w *world, _ context.CancelCauseFunc, lease *zklock.Lease) {
			w.watches(lease, 1)
			w.delete(lease.Node())
		}, zklock.ErrLost, zklock.ErrLost},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			ctx, stop := context.WithCancelCause(w.within())
			defer stop(nil)
			err := zklock.Do(ctx, newMutex(w.dial(session), w.path).Lock, func(ctx context.Context, lease *zklock.Lease) error {
				c.end(w, stop, lease)
				receive(t, ctx.Done(), "the end of the work's context")
				if cause := context.Cause(ctx); !errors.Is(cause, c.cause) {
					t.Errorf("cause %v, want %v", cause, c.cause)
				}
				return nil
			})
			if !errors.Is(err, c.want) {
				t.Errorf("Do = %v, want %v", err, c.want)
			}
			w.empties()
		})
	}
}

// A lock is released when the work panics, and no work is done without it.
func TestDoWithoutALock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newMutex(w.dial(session), w.path)
	func() {
		defer func() { recover() }()
		zklock.Do(w.within(), lock.Lock, func(context.Context, *zklock.Lease) error { panic("work") })
	}()
	w.empties()
	holder := w.lock(lock)
	err := zklock.Do(w.within(), lock.TryLock, func(context.Context, *zklock.Lease) error { t.Error("it works"); return nil })
	if !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("Do = %v, want ErrHeld", err)
	}
	w.unlock(holder)
}
