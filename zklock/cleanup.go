package zklock

import (
	"context"
	"errors"
	"slices"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// An orphan is a znode that nobody wants any more, or a create under way that
// may still make one. While it exists it blocks those behind it in the queue,
// for as long as its session lives; so it is deleted in the background until
// it is known to be gone.
type orphan struct {
	dir      string
	guid     string
	node     string         // empty when it is not known
	creating *call[results] // the create, when it may be under way still
	index    int            // of the znode in what that makes
	grant    *grant
	traces   traces
}

// orphan is what the place at that index leaves behind.
func (a *acquisition) orphan(p *place, index int) *orphan {
	return &orphan{dir: p.path, guid: p.guid, node: p.node, creating: a.creating, index: index, grant: a.grant, traces: a.traces}
}

func (o *orphan) info(err error) OrphanInfo {
	return OrphanInfo{Path: o.dir, Node: o.node, GUID: o.guid, Err: err}
}

// adopt takes charge of orphans, and tells their traces. It defers that, the
// first orphan last, so that a hook that panics keeps it from none.
func (s *Session) adopt(orphans ...*orphan) {
	for _, o := range slices.Backward(orphans) {
		s.mu.Lock()
		tellQueued := s.adoptLocked(o)
		s.mu.Unlock()
		defer tellQueued()
	}
}

// adoptLocked takes charge of an orphan, and returns what tells its traces so, which
// is to be called once. It does nothing where the session's end deletes the
// orphan in any case. The caller holds s.mu.
func (s *Session) adoptLocked(o *orphan) (tellQueued func()) {
	ended := o.grant.gone && o.creating == nil
	dissolved := s.closing && s.owned != nil
	if ended || dissolved || s.background.Err() != nil {
		return func() {}
	}
	queued, told := o.info(nil), make(chan struct{})
	s.users++
	s.orphans++
	s.work.Go(func() {
		defer s.leaveOrphan()
		if err := s.clean(o); !errors.Is(err, ErrClosed) {
			<-told
			o.traces.orphanDone(o.info(err))
		}
	})
	return func() {
		defer close(told)
		o.traces.orphanQueued(queued)
	}
}

func (s *Session) leaveOrphan() {
	s.mu.Lock()
	s.orphans--
	s.mu.Unlock()
	s.leave()
}

// clean deletes an orphan, or returns an error that wraps ErrSessionLost when
// the session that it belongs to has ended, or ErrClosed.
func (s *Session) clean(o *orphan) error {
	ctx := s.background
	id := o.grant.id
	if o.creating != nil {
		// The create may be sent as late as in the next session.
		made, err := o.creating.wait(ctx)
		switch {
		case err == nil:
			o.node = made.ops[o.index].String
		case ctx.Err() != nil:
			return ErrClosed
		case answered(err) && !errors.Is(err, zk.ErrNodeExists): // which an earlier try has made
			return nil
		}
		id = s.SessionID()
	}
	return s.erase(ctx, o, id)
}

// confirmations is how many listings must not show an orphan before it counts
// as never created: a request may linger in a server after its connection has
// gone.
const confirmations = 2

// erase deletes an orphan of session id.
func (s *Session) erase(ctx context.Context, o *orphan, id int64) error {
	missed := 0
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		now, err := s.online(ctx)
		if err != nil {
			return ErrClosed
		}
		if now != id {
			return ErrSessionLost
		}
		gone, err := s.tryToErase(ctx, o)
		if gone {
			return nil
		}
		if errors.Is(err, zk.ErrNoAuth) {
			return err // nor will it be allowed later
		}
		if err == nil {
			missed++
		}
		if missed == confirmations {
			return nil
		}
		if sleep(ctx, pause) != nil {
			return ErrClosed
		}
	}
}

// tryToErase makes one attempt to delete an orphan, and reports whether it is known
// to be gone. It is not when no listing shows it.
func (s *Session) tryToErase(ctx context.Context, o *orphan) (gone bool, err error) {
	if o.node == "" {
		if o.node, err = s.find(ctx, o.dir, o.guid); err != nil || o.node == "" {
			return false, err
		}
	}
	_, err = send(s, deleteRequest(o.node)).wait(ctx)
	return err == nil || isNoNode(err), err
}

// deleteRequest deletes a znode of any version.
func deleteRequest(node string) request[struct{}] {
	return request[struct{}]{
		frame: direct.End(direct.Begin(protocol.OpDelete).Text(node).Int32(-1), node),
		read:  readNothing,
		by:    func(c Client) (none struct{}, err error) { return none, c.Delete(node, -1) },
	}
}
