package chaos

import (
	"bytes"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A tap knows the session that a client was granted, and can tell when it asks
// for a change, and when its link holds back the reply. It is a link.Observer.
type tap struct {
	mu       sync.Mutex
	session  int64
	password []byte
	bait     *bait
}

// A bait is an operation that somebody waits for.
type bait struct {
	op           string
	asked, holds chan struct{} // closed when it was sent, and when its reply is held back
}

// granted returns what is needed to attach to the newest session.
func (t *tap) granted() (session int64, password []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.session, t.password
}

func (t *tap) Received(f *wire.Frame) {
	if f.Kind != wire.ConnectResponse {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.session, t.password = f.Session, bytes.Clone(f.Password)
}

// await has the tap look out for the next request of an operation.
func (t *tap) await(op string) *bait {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.bait = &bait{op, make(chan struct{}), make(chan struct{})}
	return t.bait
}

func (t *tap) Sent(f *wire.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.bait; b != nil && f.Op == b.op && !closed(b.asked) {
		close(b.asked)
	}
}

func (t *tap) Held(f *wire.Frame) {
	if f.Dir != event.In || f.Kind != wire.Reply {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if b := t.bait; b != nil && f.Op == b.op && closed(b.asked) {
		close(b.holds)
		t.bait = nil
	}
}

func closed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (*tap) Delivered(*wire.Frame) {}
func (*tap) Dropped(*wire.Frame)   {}
