package locks_test

import (
	"context"
	"errors"
	"net"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// Even the first create of a client goes past go-zookeeper, so that its reply tells
// the token: there is no need to read the znode.
func TestFirstLockReadsNothing(t *testing.T) {
	t.Parallel()
	zktest.SkipSecure(t, "after credentials go-zookeeper goes first, for which the lock reads once", zktest.Auth)
	w := newWorld(t)
	w.unlock(w.lock(newMutex(w.dial(session), w.path))) // makes the directory
	s, network := w.dialThrough(session)
	w.unlock(w.lock(newMutex(s, w.path)))
	if n := network.requests(opExists); n > 0 {
		t.Errorf("%d reads", n)
	}
}

// A blocked connection takes no large write until it is opened.
type blocked struct {
	net.Conn
	begun, open chan struct{}
}

func (c blocked) Write(p []byte) (int, error) {
	if len(p) > 32<<10 {
		close(c.begun)
		<-c.open
	}
	return c.Conn.Write(p)
}

// A large write of another goroutine's fills the connection: Lock returns when its
// context ends, and is served when there is room again.
func TestLockWhileAWriteBlocks(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	begun, open := make(chan struct{}), make(chan struct{})
	s := w.dial(session, zklock.WithBuffers(64<<10, 64<<10), zklock.WithDialer(
		func(network, address string, timeout time.Duration) (net.Conn, error) {
			conn, err := zktest.Dial(network, address, timeout)
			return blocked{conn, begun, open}, err
		}))
	mutex := newMutex(s, w.path)
	w.unlock(w.lock(mutex))
	written := make(chan error)
	go func() {
		_, err := s.Client().Set(w.path, make([]byte, 40<<10), -1)
		written <- err
	}()
	receive(t, begun, "the write")
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := mutex.Lock(ctx); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Lock = %v, want the deadline's error", err)
	}
	close(open)
	if err := <-written; err != nil {
		t.Error(err)
	}
	w.unlock(w.lock(mutex))
	w.empties()
}
