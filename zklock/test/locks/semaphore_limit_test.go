package locks_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// A client that comes with another limit is told both, and never stands in
// line.
func TestSemaphoreLimitMismatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lease := w.lock(w.semaphore(3))
	other, record := w.semaphore(2), newRecorder()
	for op, take := range map[string]func() error{
		"lock": func() error {
			_, err := other.Acquire(zklock.WithTrace(w.within(), record.trace()))
			return err
		},
		"try":    func() error { _, err := other.TryAcquire(w.within()); return err },
		"resize": func() error { return other.Resize(w.within(), 4) },
	} {
		err := take()
		var detail *zklock.Error
		if !errors.Is(err, zklock.ErrLimitMismatch) || !errors.As(err, &detail) || detail.Op != op || detail.Path != w.path {
			t.Errorf("%s = %v, want ErrLimitMismatch", op, err)
		}
		if text := err.Error(); !strings.Contains(text, "own 2") || !strings.Contains(text, "stored 3") {
			t.Errorf("%q does not name both", text)
		}
	}
	if got := record.all(); len(got) != 1 || got[0] != "gave-up" {
		t.Errorf("the trace was told %q, want gave-up", got)
	}
	w.unlock(lease)
	w.lock(w.semaphore(3)) // the stored limit is as it was
}

func TestSemaphoreLimitOutOfRange(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	good := w.semaphore(1)
	for _, limit := range []int{0, -1, 1 << 31} {
		if _, err := w.semaphore(limit).Acquire(w.within()); !errors.Is(err, zklock.ErrLimitRange) {
			t.Errorf("Acquire of %d = %v, want ErrLimitRange", limit, err)
		}
		if err := good.Resize(w.within(), limit); !errors.Is(err, zklock.ErrLimitRange) {
			t.Errorf("Resize to %d = %v, want ErrLimitRange", limit, err)
		}
	}
	if found, _, err := w.conn.Exists(w.path); err != nil || found {
		t.Errorf("something was created: %v, %v", found, err)
	}
}

// Data that is no limit belongs to somebody else.
func TestSemaphoreForeignData(t *testing.T) {
	t.Parallel()
	for i, data := range []string{"settings", "0", "-3", "+3", "03", "3 ", "2147483648", "99999999999999999999", "3\n"} {
		w := newWorld(t)
		if _, err := w.conn.Create(w.path, []byte(data), 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
		p := w.semaphore(3)
		if _, err := p.Acquire(w.within()); !errors.Is(err, zklock.ErrLimitMismatch) || !strings.Contains(err.Error(), fmt.Sprintf("%q", data)) {
			t.Errorf("%d: Acquire = %v, want ErrLimitMismatch with the data", i, err)
		}
		if err := p.Resize(w.within(), 2); !errors.Is(err, zklock.ErrLimitMismatch) {
			t.Errorf("%d: Resize = %v, want ErrLimitMismatch", i, err)
		}
		if got, _, err := w.conn.Get(w.path); err != nil || string(got) != data {
			t.Errorf("%d: data %q, %v; want %q", i, got, err, data)
		}
	}
}

// A greater limit lets waiters in, as many as there is room for.
func TestSemaphoreGrows(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(1)
	holder := w.lock(p)
	var queue []*attempt
	for range 4 {
		queue = append(queue, w.startLock(w.semaphore(1)))
	}
	if err := p.Resize(w.within(), 4); err != nil {
		t.Fatal(err)
	}
	for _, next := range queue[:3] {
		next.held(t)
	}
	w.lockRefused(p)
	w.unlock(holder)
	queue[3].held(t)
	if n := p.Limit(); n != 4 {
		t.Errorf("limit %d, want 4", n)
	}
}

// A smaller limit takes nothing away, and holds from then on.
func TestSemaphoreShrinks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.semaphore(3)
	leases := w.hold(p, 3)
	s := w.dial(session)
	head := w.startLock(permits{newSemaphore(s, w.path, 3)})
	follower := w.semaphore(3)
	second := w.startLock(follower)
	if err := p.Resize(w.within(), 2); err != nil {
		t.Fatal(err)
	}
	late := w.startLock(w.semaphore(2))
	for _, lease := range leases {
		if err := lease.Check(w.within()); err != nil {
			t.Fatal(err)
		}
	}
	w.unlock(leases[0])
	head.await(t, "wait-start", head.count("wait-done")+1)
	w.caughtUp(s)
	if head.count("acquired") > 0 {
		t.Fatal("three hold, and two may")
	}
	for i, next := range []*attempt{head, second} { // the last holder came in before them all
		w.unlock(leases[1+i])
		next.held(t)
	}
	w.unlock(head.lease)
	late.held(t)
	if n := follower.Limit(); n != 2 {
		t.Errorf("limit %d of a semaphore that has waited, want 2", n)
	}
}

// Only a semaphore that has not agreed yet minds another limit: one that was
// idle when the limit was changed follows.
func TestSemaphoreFollowsResize(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, idle := w.semaphore(1), w.semaphore(1)
	w.unlock(w.lock(idle))
	for _, limit := range []int{5, 2, 2} {
		if err := p.Resize(w.within(), limit); err != nil {
			t.Fatal(err)
		}
	}
	w.hold(idle, 2)
	w.lockRefused(idle)
	w.lockRefused(w.semaphore(2))
	if _, err := w.semaphore(1).Acquire(w.within()); !errors.Is(err, zklock.ErrLimitMismatch) {
		t.Errorf("Acquire with the old limit = %v, want ErrLimitMismatch", err)
	}
	if err := w.semaphore(1).Resize(w.within(), 2); err != nil {
		t.Errorf("Resize to what is stored = %v", err)
	}
}

// The directory is deleted while nobody uses it, as the server deletes a
// container, and the limit with it.
func TestSemaphoreDirectoryDeleted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, other := w.semaphore(1), w.semaphore(1)
	w.unlock(w.lock(p))
	w.unlock(w.lock(other))
	if err := w.conn.Delete(w.path, -1); err != nil {
		t.Fatal(err)
	}
	if err := p.Resize(w.within(), 2); err != nil {
		t.Fatal(err)
	}
	w.hold(p, 2)
	w.lockRefused(p)
	if _, err := other.Acquire(w.within()); !errors.Is(err, zklock.ErrLimitMismatch) {
		t.Errorf("Acquire = %v, want ErrLimitMismatch: that is another directory", err)
	}
}

// The directory of an idle semaphore is reaped, as the server does with containers. In
// the new one, who has followed a resize agrees with the limit that it was made with,
// and with the one that it followed, and with no other.
func TestSemaphoreFollowerAfterReaping(t *testing.T) {
	for _, c := range []struct {
		stored int // by whoever comes first
		want   error
	}{{1, nil}, {3, nil}, {2, zklock.ErrLimitMismatch}} {
		t.Run(fmt.Sprint(c.stored), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			p, follower := w.semaphore(1), w.semaphore(1)
			w.unlock(w.lock(follower))
			if err := p.Resize(w.within(), 3); err != nil {
				t.Fatal(err)
			}
			w.unlock(w.lock(follower))
			if n := follower.Limit(); n != 3 {
				t.Fatalf("limit %d, want 3", n)
			}
			w.delete(w.path)
			w.unlock(w.lock(w.semaphore(c.stored)))
			lease, err := follower.Acquire(w.within())
			if !errors.Is(err, c.want) {
				t.Fatalf("Acquire = %v, want %v", err, c.want)
			}
			if err == nil && follower.Limit() != c.stored {
				t.Errorf("limit %d, want %d", follower.Limit(), c.stored)
			}
			if err == nil {
				w.unlock(lease)
			}
		})
	}
}

// When nobody else comes, the first of those who followed stores its own limit again,
// and all go on.
func TestSemaphoreFollowersAloneAfterReaping(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, follower := w.semaphore(1), w.semaphore(1)
	w.unlock(w.lock(follower))
	if err := p.Resize(w.within(), 3); err != nil {
		t.Fatal(err)
	}
	w.unlock(w.lock(follower))
	w.delete(w.path)
	for range 2 {
		for _, each := range []permits{follower, p} {
			w.unlock(w.lock(each))
		}
	}
	if follower.Limit() != p.Limit() {
		t.Errorf("limits %d and %d", follower.Limit(), p.Limit())
	}
}

// lockRefused checks that there is no permit.
func (w *world) lockRefused(p permits) {
	w.Helper()
	if lease, err := p.TryAcquire(w.within()); !errors.Is(err, zklock.ErrHeld) {
		w.Errorf("TryAcquire = %v, %v; want ErrHeld", lease, err)
	}
}
