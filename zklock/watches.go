package zklock

import (
	"context"
	"errors"
	"sync"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// watches are the watches of a session that are set on its present connection, or
// requested. All waiters for the same event of a znode share one: a watch cannot be
// taken back, and there would be one more for each wait that is given up, sent again
// by go-zookeeper on each connection. The zero value is ready.
type watches struct {
	mu  sync.Mutex
	set map[watched]*watch
}

// A watched says what is watched.
type watched struct {
	node     string
	children bool // else the znode's data, or its end
}

// A watch is one of them.
type watch struct {
	watched
	fired chan struct{} // closed with the event
	event zk.EventType  // once fired is closed
	// The rest is guarded by the mutex of watches.
	armed  bool // the server has it
	asking int  // requests for it under way, until it is armed
}

// on returns the watch on w, and whether the server has it. If not, it is to be
// requested, and settle called with the outcome.
func (s *watches) on(w watched) (shared *watch, armed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if shared = s.set[w]; shared == nil {
		if s.set == nil {
			s.set = make(map[watched]*watch)
		}
		shared = &watch{watched: w, fired: make(chan struct{})}
		s.set[w] = shared
	}
	shared.asking++
	return shared, shared.armed
}

// settle records the outcome of a request for a watch. One that was not set is
// forgotten when no request for it is under way any more.
func (s *watches) settle(w *watch, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w.asking--
	w.armed = w.armed || err == nil
	if !w.armed && w.asking == 0 && s.set[w.watched] == w {
		delete(s.set, w.watched)
	}
}

// fire wakes the waiters for the event.
func (s *watches) fire(event zk.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if event.Type != zk.EventNodeChildrenChanged {
		s.end(watched{event.Path, false}, event.Type)
	}
	switch event.Type {
	case zk.EventNodeChildrenChanged, zk.EventNodeDeleted, zk.EventNotWatching:
		s.end(watched{event.Path, true}, event.Type)
	}
}

// end ends a watch. The caller holds s.mu.
func (s *watches) end(on watched, event zk.EventType) {
	if w := s.set[on]; w != nil {
		delete(s.set, on)
		w.event = event
		close(w.fired)
	}
}

// reset forgets all: whether they are set on the next connection is not known.
// The waiters learn of that connection by themselves.
func (s *watches) reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.set)
}

// set sets watches, all at once, and returns those whose znodes do not exist.
func (s *Session) set(ctx context.Context, watches []*watch) (gone []*watch, err error) {
	if len(watches) == 0 {
		return nil, nil
	}
	requests := make([]request[content], len(watches))
	for i, w := range watches {
		requests[i] = watchRequest(w)
	}
	for i, sent := range sendAll(s, requests) {
		_, failed := sent.wait(ctx)
		s.watches.settle(watches[i], failed)
		if isNoNode(failed) {
			gone = append(gone, watches[i])
		} else if failed != nil {
			err = failed
		}
	}
	return gone, err
}

// watchRequest reads a znode's data and watches it: unlike exists, that leaves no
// watch when there is no such znode. The content is empty where it is too large.
func watchRequest(w *watch) request[content] {
	return request[content]{
		frame: direct.End(direct.Begin(protocol.OpGetData).Text(w.node).Bool(true), w.node),
		read: func(reply *protocol.Reader, _ int64, err error) (got content, _ error) {
			if errors.Is(err, direct.ErrTooLarge) {
				return content{}, nil
			}
			if err == nil {
				got.data, got.stat = reply.Bytes(), reply.Stat()
			}
			return got, err
		},
		by: func(c Client) (got content, err error) {
			got.data, got.stat, _, err = c.GetW(w.node)
			return got, err
		},
	}
}

// readWatching reads a znode and watches it. The data is left out where it is too large.
func (s *Session) readWatching(ctx context.Context, node string) (content, *watch, error) {
	change, _ := s.watches.on(watched{node: node})
	got, err := ask(ctx, s, watchRequest(change))
	s.watches.settle(change, err)
	if err == nil && got.stat == nil {
		got.stat, err = stat(ctx, s, node)
	}
	return got, change, err
}

// watchOwn has the lease's own znodes watched, on goroutines of the session, until
// it ends.
func (l *Lease) watchOwn() {
	s := l.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil || l.ctx.Err() != nil {
		return
	}
	for _, p := range l.places {
		s.work.Go(func() {
			if err := l.follow(p); err != nil {
				l.znodeLost(err)
			}
		})
	}
}

// follow reads the znode of p again and again: after each event, and after each
// reconnect, because go-zookeeper does not report when it fails to set a watch again.
// It returns an error when the znode is not the lease's any more, nil when the lease
// has ended.
func (l *Lease) follow(p *place) error {
	for {
		resumed := l.session.nextConnection()
		change, err := l.readOwn(p)
		if err != nil {
			return err
		}
		select {
		case <-change.fired:
		case <-resumed:
		case <-l.ctx.Done():
			return nil
		}
	}
}

// readOwn reads the znode of p and watches it.
func (l *Lease) readOwn(p *place) (*watch, error) {
	got, change, err := l.session.readWatching(l.ctx, p.node)
	if err == nil {
		err = p.matches(l.grant, got.stat)
	}
	if err == nil && string(got.data) == RevokeMessage {
		l.askFor(p)
	}
	return change, err
}

// znodeLost ends the lease if its znode has gone, and not by a Downgrade that
// is under way.
func (l *Lease) znodeLost(err error) {
	if isNoNode(err) {
		err = errDeleted
	}
	if !errors.Is(err, ErrLost) || l.claim(l.ctx) != nil {
		return
	}
	defer l.unclaim()
	if l.ctx.Err() == nil {
		l.session.drop(l, err)
	}
}
