package locks_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// permits is a semaphore as a Locker.
type permits struct{ *zklock.Semaphore }

func (p permits) Lock(ctx context.Context) (*zklock.Lease, error) { return p.Acquire(ctx) }

func (p permits) TryLock(ctx context.Context) (*zklock.Lease, error) { return p.TryAcquire(ctx) }

// semaphore returns one on a session of its own.
func (w *world) semaphore(limit int, opts ...zklock.Option) permits {
	w.Helper()
	return permits{newSemaphore(w.dial(session), w.path, limit, opts...)}
}

// hold takes n permits.
func (w *world) hold(p permits, n int) (leases []*zklock.Lease) {
	w.Helper()
	for range n {
		leases = append(leases, w.lock(p))
	}
	return leases
}

func TestSemaphoreCapacity(t *testing.T) {
	t.Parallel()
	const clients, rounds, limit = 8, 6, 3
	w := newWorld(t)
	var holders, entries atomic.Int64
	var all sync.WaitGroup
	for range clients {
		p := w.semaphore(limit)
		all.Go(func() {
			for range rounds {
				lease, err := p.Acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				if n := holders.Add(1); n > limit {
					t.Errorf("%d hold at once, want at most %d", n, limit)
				}
				entries.Add(1)
				w.children() // holds for about as long as it takes to get a permit
				holders.Add(-1)
				if err := lease.Unlock(t.Context()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if n := entries.Load(); n != clients*rounds {
		t.Errorf("entered %d times, want %d", n, clients*rounds)
	}
	w.empties()
}

// Permits go out in the order of arrival, one for each release.
func TestSemaphoreFIFO(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	p := permits{newSemaphore(s, w.path, 2)}
	leases := w.hold(p, 2)
	var queue []*attempt
	for range 5 {
		queue = append(queue, w.startLock(p))
	}
	for i, next := range queue {
		w.unlock(leases[0])
		lease := next.held(t)
		if last := leases[len(leases)-1]; lease.Token() <= last.Token() {
			t.Errorf("token %d after %d", lease.Token(), last.Token())
		}
		leases = append(leases[1:], lease)
		w.caughtUp(s)
		for _, later := range queue[i+1:] {
			if later.count("acquired") > 0 {
				t.Fatal("a later waiter overtook")
			}
		}
	}
}

// Whichever holder leaves, the next waiter comes in, and then the next: the
// one who comes in is not the one whom its successor would see leave.
func TestSemaphoreReleaseByAnyHolder(t *testing.T) {
	t.Parallel()
	const limit = 3
	for first := range limit {
		t.Run(fmt.Sprint("holder-", first), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			leases := w.hold(w.semaphore(limit), limit)
			var queue []*attempt
			for range limit {
				queue = append(queue, w.startLock(w.semaphore(limit)))
			}
			for i, next := range queue {
				w.unlock(leases[(first+i)%limit])
				next.held(t)
			}
		})
	}
}

// An Acquire that is given up leaves nothing, wherever it stands, and does not
// hold up those behind it.
func TestSemaphoreGivenUp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	leases := w.hold(w.semaphore(2), 2)
	var queue []*attempt
	for range 5 {
		queue = append(queue, w.startLock(w.semaphore(2)))
	}
	for _, i := range []int{2, 0, 3} { // in the middle, the head, and just ahead of the last
		queue[i].cancel()
		if err := queue[i].failed(t); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		queue[i].await(t, "orphan-done failed=false", 1)
	}
	for i, waiter := range []*attempt{queue[1], queue[4]} {
		w.unlock(leases[1-i])
		w.unlock(waiter.held(t))
	}
	w.empties()
}

// An Acquire is given up at each step of its beginning, of which a wait behind
// a holder has the most: enqueue twice, list twice, wait.
func TestSemaphoreInterrupted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(1)
	for stop := range 10 {
		ctx, cancel := context.WithCancel(t.Context())
		left := stop / 2
		step := func() {
			if left--; left < 0 {
				cancel()
			}
		}
		ctx = zklock.WithTrace(ctx, &zklock.Trace{
			EnqueueStart: func(zklock.EnqueueStartInfo) { step() },
			Enqueued:     func(zklock.EnqueuedInfo) { step() },
			Listed:       func(zklock.ListedInfo) { step() },
			WaitStart:    func(zklock.WaitStartInfo) { step() },
		})
		var holder *zklock.Lease
		if stop%2 == 1 {
			holder = w.lock(p)
			context.AfterFunc(ctx, func() { holder.Unlock(context.Background()) })
		}
		if lease, err := p.Acquire(ctx); err == nil {
			w.unlock(lease)
		}
		cancel()
		w.empties()
	}
}

func TestSemaphoreTry(t *testing.T) {
	t.Parallel()
	const clients, limit = 8, 3
	w := newWorld(t)
	var granted atomic.Int64
	var all sync.WaitGroup
	leases := make([]*zklock.Lease, clients)
	for i := range clients {
		p := w.semaphore(limit)
		all.Go(func() {
			lease, err := p.TryAcquire(t.Context())
			switch {
			case err == nil:
				granted.Add(1)
				leases[i] = lease
			case !errors.Is(err, zklock.ErrHeld):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := granted.Load(); n > limit || n != int64(len(w.children())) {
		t.Errorf("%d of %d granted, and %d znodes left", n, limit, len(w.children()))
	}
	p := w.semaphore(limit)
	for i := granted.Load(); i < limit; i++ {
		w.lock(p)
	}
	if _, err := p.TryAcquire(w.within()); !errors.Is(err, zklock.ErrHeld) {
		t.Errorf("a try beyond the limit: %v, want ErrHeld", err)
	}
	if n := len(w.children()); n != limit {
		t.Errorf("%d znodes, want %d", n, limit)
	}
}

// A mutex on the same path and a semaphore do not pass over each other's holders.
func TestSemaphoreBesideMutex(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(1)
	w.unlock(w.lock(p))
	s := w.dial(session)
	mutex := w.foreign("_c_" + strings.Repeat("0", 32) + "-lock-")
	if _, err := p.Acquire(w.within()); !errors.Is(err, zklock.ErrForeign) {
		t.Errorf("Acquire = %v, want it to be refused", err)
	}
	w.delete(mutex)
	permit := w.lock(p)
	if _, err := newMutex(s, w.path).Lock(w.within()); !errors.Is(err, zklock.ErrForeign) {
		t.Errorf("Lock = %v, want it to be refused", err)
	}
	w.unlock(permit)
	w.empties() // what the refused Lock has left is deleted in the background
	if data, _, err := w.conn.Get(w.path); err != nil || string(data) != "1" {
		t.Errorf("stored limit %q, %v", data, err)
	}
	if _, err := w.conn.Create(w.path+"/lease-1", nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatal(err)
	}
	w.unlock(w.lock(p)) // a stray
}
