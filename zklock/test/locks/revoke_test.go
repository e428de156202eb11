package locks_test

import (
	"errors"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
)

// The holder is told, and goes on until it gives up by itself.
func TestRevoke(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	record := newRecorder()
	trace := record.trace()
	trace.RevokeAsked = func(i zklock.RevokeAskedInfo) { record.note("revoke-asked %d", i.Token) }
	lease := w.lock(newMutex(w.dial(session), w.path, zklock.WithData([]byte("me"))), trace)
	select {
	case <-lease.Revoked():
		t.Fatal("revoked before anybody asked")
	default:
	}
	other := w.dial(session)
	for range 2 { // once is enough, and more do no harm
		if err := zklock.Revoke(w.within(), other, lease.Node()); err != nil {
			t.Fatal(err)
		}
	}
	receive(t, lease.Revoked(), "the request")
	record.await(t, "revoke-asked", 1)
	if err := lease.Check(w.within()); err != nil {
		t.Errorf("the request has ended the lease: %v", err)
	}
	if found := w.contenders(other); len(found) != 1 || string(found[0].Data) != zklock.RevokeMessage {
		t.Errorf("contenders %+v, want data %q", found, zklock.RevokeMessage)
	}
	w.unlock(lease)
	if n := record.count("revoke-asked"); n != 1 {
		t.Errorf("told %d times, want once", n)
	}
}

// Curator's Revoker does no more than this.
func TestRevokedByCurator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lease := w.lock(newMutex(w.dial(session), w.path))
	if _, err := w.conn.Set(lease.Node(), []byte("__REVOKE__"), -1); err != nil {
		t.Fatal(err)
	}
	receive(t, lease.Revoked(), "the request")
	w.unlock(lease)
}

// A waiter that is asked is told when it holds.
func TestRevokeWaiter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	lock := newRWMutex(w.dial(session), w.path)
	holder := w.lock(lock)
	waiter := w.startLock(reader{lock})
	if err := zklock.Revoke(w.within(), w.dial(session), w.others(holder)[0]); err != nil {
		t.Fatal(err)
	}
	w.unlock(holder)
	lease := waiter.held(t)
	receive(t, lease.Revoked(), "the request")
	w.unlock(lease)
}

// All holds of an owner hear of it.
func TestRevokeReentrant(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session)
	r := newReentrant(s, w.path)
	ctx := w.owned()
	outer, inner := w.take(ctx, r), w.take(ctx, r)
	if err := zklock.Revoke(w.within(), s, outer.Node()); err != nil {
		t.Fatal(err)
	}
	receive(t, inner.Revoked(), "the request")
	w.giveUp(inner)
	w.giveUp(outer)
}

func TestRevokeErrors(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put()
	s := w.dial(session)
	lease := w.lock(newMutex(s, w.path, zklock.WithACL(zk.WorldACL(zk.PermRead))))
	for name, test := range map[string]struct {
		node string
		want error
	}{
		"gone":      {w.path + "/lock-0000000099", zk.ErrNoNode},
		"forbidden": {lease.Node(), zk.ErrNoAuth},
		"directory": {w.path, zklock.ErrNotContender},
		"stray":     {w.path + "/lock-12", zklock.ErrNotContender},
		"relative":  {"lock-0000000001", zklock.ErrNotContender},
		"empty":     {"", zklock.ErrNotContender},
	} {
		err := zklock.Revoke(w.within(), s, test.node)
		var detail *zklock.Error
		if !errors.Is(err, test.want) || !errors.As(err, &detail) || detail.Op != "revoke" {
			t.Errorf("%s: Revoke = %v, want %v", name, err, test.want)
		}
	}
	w.unlock(lease)
}
