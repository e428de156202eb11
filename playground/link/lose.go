package link

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Loss is one frame that is to be lost. Its methods may be called concurrently.
type Loss struct {
	of    *losses
	match func(f *wire.Frame) bool
	done  chan struct{}
}

// LoseReply drops the next reply that matches, as it arrives from the server, and cuts
// its connection: the server has done what was asked, and the client cannot know.
// What else waits on that connection is lost, too; the client may dial again. Match is
// called with replies as they arrive, from several goroutines but not concurrently, and
// must not call the link. A reply is lost for one caller, the first that it matches. A
// handshake is no reply.
func (l *Link) LoseReply(match func(reply *wire.Frame) bool) *Loss {
	return l.replies.add(match)
}

// LoseRequest is LoseReply of the next request that matches, as the client sends it: the
// server never hears of it, and the client cannot know.
func (l *Link) LoseRequest(match func(request *wire.Frame) bool) *Loss {
	return l.requests.add(match)
}

// Done is closed once the frame has been dropped and the connection cut.
func (r *Loss) Done() <-chan struct{} { return r.done }

// Cancel lets all frames through again. Done says whether one was lost before.
func (r *Loss) Cancel() { r.of.remove(r) }

// losses are those of one direction of a link that are still to come.
type losses struct {
	any atomic.Bool // so that frames need no lock while there is none

	mu      sync.Mutex // held while a frame is lost
	pending []*Loss
}

func (s *losses) add(match func(*wire.Frame) bool) *Loss {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &Loss{of: s, match: match, done: make(chan struct{})}
	s.pending = append(s.pending, r)
	s.any.Store(true)
	return r
}

func (s *losses) remove(r *Loss) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(r)
}

// forget takes one off the list; the caller has s.mu.
func (s *losses) forget(r *Loss) {
	s.pending = slices.DeleteFunc(s.pending, func(other *Loss) bool { return other == r })
	s.any.Store(len(s.pending) > 0)
}

// take loses a frame that has just arrived at the link if it is one to be lost, and
// reports whether it was.
func (s *losses) take(c *conn, f *wire.Frame) bool {
	if !s.any.Load() || f.Kind != wire.Reply && f.Kind != wire.Request {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.pending, func(r *Loss) bool { return r.match(f) })
	if i < 0 {
		return false
	}
	r := s.pending[i]
	s.forget(r)
	c.lose(f)
	close(r.done)
	return true
}

// lose drops a frame that has just arrived, and the connection with it.
func (c *conn) lose(f *wire.Frame) {
	if f.Kind == wire.Reply {
		c.in.cutAt(f, ErrCut)
		c.out.cut(ErrCut)
	} else {
		c.out.cutAt(f, ErrCut)
		c.in.cut(ErrCut)
	}
	c.tcp.Close()
}
