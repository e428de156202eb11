package link

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A ReplyLoss is one reply that is to be lost. Its methods may be called
// concurrently.
type ReplyLoss struct {
	of    *replyLosses
	match func(reply *wire.Frame) bool
	done  chan struct{}
}

// LoseReply drops the next reply that matches, as it arrives from the server, and cuts
// its connection: the server has done what was asked, and the client cannot know.
// What else waits on that connection is lost, too; the client may dial again. Match is
// called with replies as they arrive, from several goroutines but not concurrently, and
// must not call the link. A reply is lost for one caller, the first that it matches. A
// handshake is no reply.
func (l *Link) LoseReply(match func(reply *wire.Frame) bool) *ReplyLoss {
	return l.losses.add(match)
}

// Done is closed once the reply has been dropped and the connection cut.
func (r *ReplyLoss) Done() <-chan struct{} { return r.done }

// Cancel lets all replies through again. Done says whether one was lost before.
func (r *ReplyLoss) Cancel() { r.of.remove(r) }

// replyLosses are those of a link that are still to come.
type replyLosses struct {
	any atomic.Bool // so that frames need no lock while there is none

	mu      sync.Mutex // held while a reply is lost
	pending []*ReplyLoss
}

func (s *replyLosses) add(match func(*wire.Frame) bool) *ReplyLoss {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &ReplyLoss{of: s, match: match, done: make(chan struct{})}
	s.pending = append(s.pending, r)
	s.any.Store(true)
	return r
}

func (s *replyLosses) remove(r *ReplyLoss) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.forget(r)
}

// forget takes one off the list; the caller has s.mu.
func (s *replyLosses) forget(r *ReplyLoss) {
	s.pending = slices.DeleteFunc(s.pending, func(other *ReplyLoss) bool { return other == r })
	s.any.Store(len(s.pending) > 0)
}

// take loses a reply that has just arrived if it is one to be lost, and reports
// whether it was.
func (s *replyLosses) take(c *conn, reply *wire.Frame) bool {
	if !s.any.Load() || reply.Kind != wire.Reply {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.pending, func(r *ReplyLoss) bool { return r.match(reply) })
	if i < 0 {
		return false
	}
	r := s.pending[i]
	s.forget(r)
	c.lose(reply)
	close(r.done)
	return true
}

// lose drops a frame that has just arrived, and the connection with it.
func (c *conn) lose(f *wire.Frame) {
	c.in.cutAt(f, ErrCut)
	c.out.cut(ErrCut)
	c.tcp.Close()
}
