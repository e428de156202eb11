package locks_test

import (
	"encoding/binary"
	"net"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

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
		conn, err := net.DialTimeout(kind, address, timeout)
		return olderConn{conn, asked}, err
	}))
	wrapped := w.bring(func(c *zk.Conn) zklock.Client { return struct{ *zk.Conn }{c} })
	for _, lock := range []zklock.Locker{
		zklock.NewMutex(dialled, "/dialled/of/many"),
		zklock.NewMutex(wrapped, "/wrapped/of/many"),
		zklock.NewMutex(dialled, "/kept/of/many", zklock.WithContainer(false)),
		zklock.NewMutex(older, "/older/of/many"),
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
