package locks_test

import (
	"context"
	"errors"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The locks of a session with a chroot meet those of one without, and all that is
// returned is whole.
func TestChroot(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	root, whole := path.Join(w.path, "app"), path.Join(w.path, "app", "lock")
	s, err := dialSecure([]string{"nobody.invalid", w.server.Address() + root + "/"}, "", session, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	lock := newMutex(s, "/lock")
	if lock.Path() != whole || newMutex(s, "/").Path() != root {
		t.Errorf("paths %s and %s", lock.Path(), newMutex(s, "/").Path())
	}
	lease := w.lock(lock) // which makes the chroot
	if path.Dir(lease.Node()) != whole {
		t.Errorf("holds by %s", lease.Node())
	}
	if _, err := s.Client().Multi(lease.Guard()); err != nil {
		t.Errorf("the guard: %v", err)
	}
	other := w.startLock(newMutex(w.dial(session), whole))
	queue, err := contenders(w.within(), s, "/lock")
	if err != nil || len(queue) != 2 || queue[0].Node != lease.Node() {
		t.Fatalf("the queue is %+v, %v", queue, err)
	}
	if err := zklock.Revoke(w.within(), s, queue[0].Node); err != nil {
		t.Error(err)
	}
	receive(t, lease.Revoked(), "the request")
	w.unlock(lease)
	w.unlock(other.held(t))
	for _, bad := range []string{"", "lock"} {
		if err := newMutex(s, bad).Invalid(); !errors.Is(err, zk.ErrInvalidPath) {
			t.Errorf("%q below the chroot: %v", bad, err)
		}
	}
}

// All kinds of locks work with credentials, and their znodes are for who has these.
func TestAuth(t *testing.T) {
	t.Parallel()
	zktest.SkipSecure(t, "its strangers would be known, by the tests' secret or by the certificate", zktest.Auth, zktest.TLS)
	w := newWorld(t)
	s, network := w.dialThrough(session, zklock.WithAuth("digest", []byte("ann:secret")), zklock.WithAuth("digest", []byte("bob:other")))
	closed := zklock.WithACL(zk.AuthACL(zk.PermAll))
	for range 2 {
		w.doUnderEach(s, closed)
		network.cut() // go-zookeeper sends the credentials again
	}
	lease := w.lock(newMutex(s, w.path, closed))
	if err := w.conn.Delete(lease.Node(), -1); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("a stranger deletes the znode: %v", err)
	}
	if _, err := newMutex(w.dial(session), w.path).Lock(w.within()); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("a stranger locks: %v", err)
	}
	w.unlock(lease)
	for _, dir := range []string{w.path + "/a", w.path + "/b", w.path, w.path + "-permits"} { // nobody else may
		if err := s.Client().Delete(dir, -1); err != nil && err != zk.ErrNoNode {
			t.Error(err)
		}
	}
}

// The same over TLS, and below a chroot. With -secure all tests run so.
func TestAuthByTLSBelowAChroot(t *testing.T) {
	t.Parallel()
	server := zktest.StartTLS(t)
	w := &world{TB: t, server: server, conn: server.Conn(t), path: "/app/lock"}
	ann, closed := zklock.WithAuth("digest", []byte("ann:secret")), zklock.WithACL(zk.DigestACL(zk.PermAll, "ann", "secret"))
	s, err := zklock.Dial([]string{server.SecureAddress() + "/app"}, session, zklock.WithDialer(zktest.DialTLS), ann)
	if err != nil {
		t.Fatal(err)
	}
	w.Cleanup(func() { closeSession(w, s) })
	w.doUnderEach(s, closed)
	lease := w.lock(newMutex(s, w.path, closed))
	waiter := w.startLock(newMutex(w.dial(session, ann), w.path, closed)) // without TLS
	if _, err := newMutex(w.dial(session), w.path).Lock(w.within()); !errors.Is(err, zk.ErrNoAuth) {
		t.Errorf("a stranger locks: %v", err)
	}
	w.unlock(lease)
	w.unlock(waiter.held(t))
}

// A client that cannot be authenticated gets no lock, and is told why.
func TestAuthRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	s := w.dial(session, zklock.WithAuth("no-such-scheme", nil))
	eventually(t, "the reason is known", func() bool {
		ctx, cancel := context.WithTimeout(w.within(), 20*time.Millisecond)
		defer cancel()
		_, err := newMutex(s, w.path).Lock(ctx)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		return strings.Contains(err.Error(), "authenticate by no-such-scheme")
	})
}
