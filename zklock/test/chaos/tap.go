package chaos

import (
	"bytes"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A tap knows the session that a client was granted, and can tell when its next
// request of an operation passes, and the reply. It is a link.Observer.
type tap struct {
	mu       sync.Mutex
	session  int64
	password []byte
	awaited  *exchange // nil when none is
}

// An exchange is a request of an operation, and its reply.
type exchange struct {
	op             string
	sent, answered chan struct{} // closed when it was sent, and when the link has its reply
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

// next returns the next request of an operation. It takes the place of one that
// was asked for before.
func (t *tap) next(op string) *exchange {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.awaited = &exchange{op, make(chan struct{}), make(chan struct{})}
	return t.awaited
}

func (t *tap) Sent(f *wire.Frame) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.awaited; e != nil && f.Op == e.op && !closed(e.sent) {
		close(e.sent)
	}
}

func (t *tap) Held(f *wire.Frame) {
	if f.Dir != event.In || f.Kind != wire.Reply {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.awaited; e != nil && f.Op == e.op && closed(e.sent) {
		close(e.answered)
		t.awaited = nil
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
