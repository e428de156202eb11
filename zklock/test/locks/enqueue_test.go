package locks_test

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The reply to the create is lost: the znode is found again by its guid.
func TestCreateReplyLost(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lock := r.make(s, w.path)
		w.unlock(w.lock(lock)) // makes the directory
		lost := network.loseReply(opCreate, opMulti)
		record := newRecorder()
		lease := w.lock(lock, record.trace())
		receive(w, lost, "the loss")
		if n := record.count("enqueued recovered=true failed=false"); n != 1 {
			w.Errorf("recovered %d times, want once: %q", n, record.all())
		}
		if n := len(w.children()); n != 1 {
			w.Errorf("%d znodes, want 1", n)
		}
		w.checkToken(lease)
		w.unlock(lease)
	})
}

// The create itself is lost: another is sent, and nothing stays behind.
func TestCreateRequestLost(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lock := r.make(s, w.path)
		w.unlock(w.lock(lock))
		lost := network.loseRequest(opCreate, opMulti)
		record := newRecorder()
		lease := w.lock(lock, record.trace())
		receive(w, lost, "the loss")
		if n := record.count("enqueue-start"); n != 2 {
			w.Errorf("%d attempts, want 2: %q", n, record.all())
		}
		record.await(w, "orphan-done failed=false", 1)
		w.unlock(lease)
		w.empties()
	})
}

// The caller gives up while the reply to the create is lost: Lock returns at
// once, and the znode goes when there is a connection again.
func TestCancelWhileCreating(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lock := r.make(s, w.path)
		w.unlock(w.lock(lock))
		created, _, events, err := w.conn.ChildrenW(w.path)
		if err != nil || len(created) > 0 {
			w.Fatal(created, err)
		}
		network.holdReplies()
		a := w.beginLock(lock)
		receive(w, events, "the create")
		a.cancel()
		if err := a.failed(w); !errors.Is(err, context.Canceled) {
			w.Fatal(err)
		}
		a.await(w, "orphan-queued", 1)
		network.cut() // the reply is lost for good
		network.heal()
		a.await(w, "orphan-done failed=false", 1)
		w.empties()
	})
}

// Every request of an acquisition fails once, in every way.
func TestLostRequests(t *testing.T) {
	forEach(t, func(w *world, r recipe) {
		s, network := w.dialThrough(session)
		lock := r.make(s, w.path)
		w.unlock(w.lock(lock))
		groups := [][]int32{{opCreate, opMulti}, {opDelete}}
		if r.textbook {
			groups = append(groups, []int32{opGetChildren2})
		}
		for _, ops := range groups {
			for _, lose := range []func(...int32) <-chan struct{}{network.loseRequest, network.loseReply} {
				lost := lose(ops...)
				w.unlock(w.lock(lock))
				receive(w, lost, "the loss")
				w.empties()
			}
		}
	})
}

// The first release raises the version of the directory in the transaction
// that deletes the znode; its request or its reply is lost.
func TestFirstReleaseLost(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*network, ...int32) <-chan struct{}{
		"request": (*network).loseRequest, "reply": (*network).loseReply,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t)
			s, network := w.dialThrough(session)
			lock := newMutex(s, w.path)
			lease := w.lock(lock)
			lost := lose(network, opMulti)
			w.unlock(lease)
			receive(w, lost, "the loss")
			w.empties()
			w.unlock(w.lock(lock))
		})
	}
}

const opContainer = 19

// Missing parents are made as containers, which the server deletes when they
// are empty; but not where they are to be kept, nor by a server of before
// ZooKeeper 3.5, which does not know containers.
func TestParents(t *testing.T) {
	t.Parallel()
	w := &world{TB: t, server: zktest.StartOwn(t, zkserver.Config{JVM: []string{"-Dznode.container.checkIntervalMs=100"}})}
	w.conn = w.server.Conn(t)
	dialled, asked := w.dial(session), new(atomic.Int32)
	older := w.dial(session, zklock.WithDialer(func(kind, address string, timeout time.Duration) (net.Conn, error) {
		conn, err := zktest.Dial(kind, address, timeout)
		return olderConn{conn, asked}, err
	}))
	wrapped := w.bring(func(c *zk.Conn) zklock.Client { return struct{ *zk.Conn }{c} })
	for _, lock := range []zklock.Locker{
		newMutex(dialled, "/dialled/of/many"),
		newMutex(wrapped, "/wrapped/of/many"),
		newMutex(dialled, "/kept/of/many", zklock.WithContainer(false)),
		newMutex(older, "/older/of/many"),
	} {
		w.unlock(w.lock(lock))
	}
	for _, top := range []string{"/dialled", "/wrapped"} {
		eventually(t, top+" is deleted", func() bool { return !w.exists(top) })
	}
	for _, top := range []string{"/kept", "/older"} {
		if !w.exists(top + "/of/many") {
			t.Errorf("%s: deleted", top)
		}
	}
	if asked.Load() == 0 {
		t.Error("not asked for a container")
	}
}

// An olderConn is the connection to a server that knows no containers.
type olderConn struct {
	net.Conn
	asked *atomic.Int32
}

func (c olderConn) Write(p []byte) (int, error) {
	if len(p) < 12 || binary.BigEndian.Uint32(p[8:]) != opContainer {
		return c.Conn.Write(p)
	}
	c.asked.Add(1)
	unknown := append([]byte(nil), p...)
	binary.BigEndian.PutUint32(unknown[8:], 99)
	_, err := c.Conn.Write(unknown)
	return len(p), err
}

func (w *world) exists(node string) bool {
	w.Helper()
	found, _, err := w.conn.Exists(node)
	if err != nil {
		w.Fatal(err)
	}
	return found
}
