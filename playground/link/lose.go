package link

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Trap waits for a reply to lose. Its methods may be called concurrently.
type Trap struct {
	traps  *traps
	match  func(request *wire.Frame) bool
	sprung chan struct{}
}

// LoseReply drops the next reply whose request matches, as it arrives from the
// server, and cuts its connection: the server has done what was asked, and the
// client cannot know. What else waits on that connection is lost, too; the
// client may dial again. Match is called with requests whose replies arrive,
// from several goroutines but not concurrently, and must not call the link.
// Each reply springs at most one trap, the oldest that matches. A handshake is
// no reply.
func (l *Link) LoseReply(match func(request *wire.Frame) bool) *Trap {
	return l.traps.set(match)
}

// Sprung is closed once the reply has been dropped and the connection cut.
func (t *Trap) Sprung() <-chan struct{} { return t.sprung }

// Disarm removes the trap. After it has returned the trap does not spring any
// more; whether it has is what Sprung says.
func (t *Trap) Disarm() { t.traps.remove(t) }

// traps are those of a link that are armed.
type traps struct {
	any atomic.Bool // so that frames need no lock while there is none

	mu    sync.Mutex // held while a trap springs
	armed []*Trap
}

func (s *traps) set(match func(*wire.Frame) bool) *Trap {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := &Trap{traps: s, match: match, sprung: make(chan struct{})}
	s.armed = append(s.armed, t)
	s.any.Store(true)
	return t
}

func (s *traps) remove(t *Trap) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(t)
}

// forget removes a trap; the caller has s.mu.
func (s *traps) forget(t *Trap) {
	s.armed = slices.DeleteFunc(s.armed, func(other *Trap) bool { return other == t })
	s.any.Store(len(s.armed) > 0)
}

// spring loses a reply if a trap is set for it, and reports whether it has.
func (s *traps) spring(c *conn, reply *wire.Frame) bool {
	if !s.any.Load() || reply.Kind != wire.Reply {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.armed, func(t *Trap) bool { return t.match(reply.Request) })
	if i < 0 {
		return false
	}
	t := s.armed[i]
	s.forget(t)
	c.lose(reply)
	close(t.sprung)
	return true
}

// lose drops a frame that has just arrived, and the connection with it.
func (c *conn) lose(f *wire.Frame) {
	c.in.cutAt(f, ErrCut)
	c.out.cut(ErrCut)
	c.tcp.Close()
}
