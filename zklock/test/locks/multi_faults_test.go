package locks_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// The reply to the transaction that stands in line is lost: the znodes are
// found again, on all paths.
func TestMultiLostReplyToCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	m := w.multi(s, "a b c")
	w.unlockAll(w.lockAll(m))
	lost := network.loseReply(opMulti)
	record := newRecorder()
	lease := w.lockAll(m, record.trace())
	receive(t, lost, "the loss")
	if n := record.count("enqueued recovered=true failed=false"); n != 3 {
		t.Errorf("recovered %d, want 3: %q", n, record.all())
	}
	if err := lease.Check(w.within()); err != nil {
		t.Error(err)
	}
	w.become("a b c", 1)
	w.unlockAll(lease)
	w.become("a b c", 0)
}

// The transaction never reaches the server: another one stands in line, and
// the clean-up of the first finds nothing.
func TestMultiLostCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	m := w.multi(s, "a b")
	w.unlockAll(w.lockAll(m))
	lost := network.loseRequest(opMulti)
	record := newRecorder()
	lease := w.lockAll(m, record.trace())
	receive(t, lost, "the loss")
	record.await(t, "orphan-done failed=false", 2)
	w.become("a b", 1)
	w.unlockAll(lease)
}

// The caller gives up while the transaction is under way: what it makes is
// deleted.
func TestMultiCancelDuringCreate(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	m := w.multi(s, "a b")
	w.unlockAll(w.lockAll(m))
	network.holdReplies()
	record := newRecorder()
	ctx, cancel := context.WithCancel(zklock.WithTrace(t.Context(), record.trace()))
	defer cancel()
	failed := make(chan error, 1)
	go func() {
		_, err := m.Lock(ctx)
		failed <- err
	}()
	w.become("a b", 1)
	cancel()
	if err := receive(t, failed, "Lock to return"); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	network.heal()
	record.await(t, "orphan-done failed=false", 2)
	w.become("a b", 0)
}

// The release's reply, or the release, is lost: it is done all the same, and
// not taken for a loss.
func TestMultiLostRelease(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	m := w.multi(s, "a b")
	for _, lose := range []func(...int32) <-chan struct{}{network.loseReply, network.loseRequest} {
		lease := w.lockAll(m)
		lost := lose(opMulti)
		w.unlockAll(lease)
		receive(t, lost, "the loss")
		w.become("a b", 0)
	}
}

// Unlock is given up while the server cannot be reached.
func TestMultiUnlockDisconnected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	record := newRecorder()
	lease := w.lockAll(w.multi(s, "a b"), record.trace())
	network.partition()
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err := lease.Unlock(ctx)
	if !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, zklock.ErrLost) {
		t.Fatalf("Unlock = %v, want the deadline's error", err)
	}
	if again := lease.Unlock(w.within()); again != err {
		t.Errorf("Unlock again = %v, want the same", again)
	}
	record.await(t, "orphan-queued", 2)
	network.heal()
	record.await(t, "orphan-done failed=false", 2)
	w.become("a b", 0)
}

// The session ends while its client waits on the second path.
func TestMultiExpiryWhileWaiting(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.mutex("b"))
	s, network := w.dialThrough(mortal)
	m := w.multi(s, "a b")
	waiter := w.startMulti(m)
	network.partition()
	if err := waiter.failed(t); !errors.Is(err, zklock.ErrSessionLost) {
		t.Fatalf("Lock = %v, want ErrSessionLost", err)
	}
	w.become("a", 0)
	network.heal()
	again := w.startMulti(m)
	w.unlock(holder)
	w.unlockAll(again.held(t))
}

// The holder knows of its loss before the server gives a lock to another.
func TestMultiPartitionWhileHolding(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(mortal)
	record := newRecorder()
	lease := w.lockAll(w.multi(s, "a b"), record.trace())
	next := w.startLock(w.mutex("b"))
	network.partition()
	receive(t, next.done, "the next holder")
	if believes(lease) {
		t.Error("two hold, and the first does not know")
	}
	receive(t, lease.Lost(), "the loss")
	if cause := context.Cause(lease.Context()); !errors.Is(cause, zklock.ErrSessionLost) {
		t.Errorf("cause %v, want ErrSessionLost", cause)
	}
	if held := next.held(t); held.Token() <= lease.Token() {
		t.Errorf("token %d after %d", held.Token(), lease.Token())
	}
	record.await(t, "lost", 2)
	if err := lease.Unlock(w.within()); !errors.Is(err, zklock.ErrLost) || record.count("release") > 0 {
		t.Errorf("Unlock = %v, want ErrLost", err)
	}
	w.become("a", 0)
	w.unlock(next.lease)
}

// A break that is shorter than the session timeout costs nothing, whether it
// comes while waiting or while holding.
func TestMultiReconnect(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.mutex("b"))
	s, network := w.dialThrough(session)
	waiter := w.startMulti(w.multi(s, "a b"))
	network.cut()
	waiter.await(t, "wait-start", 2)
	w.unlock(holder)
	lease := waiter.held(t)
	network.cut()
	if err := lease.Check(w.within()); err != nil {
		t.Fatal(err)
	}
	w.unlockAll(lease)
}

func TestMultiClosedSession(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	m := w.multi(s, "a b")
	lease := w.lockAll(m)
	waiter := w.startMulti(m)
	closeSession(t, s)
	if err := waiter.failed(t); !errors.Is(err, zklock.ErrClosed) {
		t.Errorf("Lock = %v, want ErrClosed", err)
	}
	receive(t, lease.Lost(), "the loss")
	if _, err := m.TryLock(w.within()); !errors.Is(err, zklock.ErrClosed) {
		t.Errorf("TryLock = %v, want ErrClosed", err)
	}
	w.become("a b", 0)
}

// The answers to the listings are lost: they are asked for again.
func TestMultiLostListing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s, network := w.dialThrough(session)
	m := w.multi(s, "a b c")
	for _, lose := range []func(...int32) <-chan struct{}{network.loseReply, network.loseRequest} {
		lost := lose(opGetChildren2)
		lease := w.lockAll(m)
		receive(t, lost, "the loss")
		w.unlockAll(lease)
	}
}

// More paths than the client can send at once are refused, and not forever
// tried again.
func TestMultiTooLargeToSend(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session, zklock.WithBuffers(4096, 512))
	if _, err := w.multi(s, "a b c d e f").Lock(w.within()); !errors.Is(err, zk.ErrShortBuffer) {
		t.Fatalf("Lock = %v, want ErrShortBuffer", err)
	}
	w.unlockAll(w.lockAll(w.multi(s, "a b")))
}

// Somebody else's queue is too long on one of the paths.
func TestMultiMaxWaiters(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	holder := w.lock(w.mutex("b"))
	first := w.startLock(w.mutex("b"))
	m := w.multi(w.dial(session), "a b", zklock.WithMaxWaiters(1))
	if _, err := m.Lock(w.within()); !errors.Is(err, zklock.ErrTooManyWaiters) {
		t.Fatalf("Lock = %v, want ErrTooManyWaiters", err)
	}
	w.become("a", 0)
	w.become("b", 2)
	w.unlock(holder)
	w.unlock(first.held(t))
}
