package zklock

import (
	"context"
	"errors"
	"slices"

	"github.com/go-zookeeper/zk"
)

// An orphan is a znode that nobody wants any more, or a create under way that
// may still make one. While it exists it blocks those behind it in the queue,
// for as long as its session lives; so it is deleted in the background until
// it is known to be gone.
type orphan struct {
	dir    string
	place  place           // node is empty when it is not known
	create *call[creation] // the create, when it may be under way still
	grant  *grant
	traces traces
}

func (a *acquisition) orphan(p place, create *call[creation]) *orphan {
	return &orphan{dir: a.path, place: p, create: create, grant: a.grant, traces: a.traces}
}

// adopt takes charge of orphans, and tells their traces. It defers that, the
// first orphan last, so that a hook that panics keeps it from none.
func (s *Session) adopt(orphans ...*orphan) {
	for _, o := range slices.Backward(orphans) {
		s.mu.Lock()
		tellQueued := s.charge(o)
		s.mu.Unlock()
		defer tellQueued()
	}
}

// charge takes charge of an orphan, and returns what tells its traces so, which
// is to be called once. It does nothing where the session's end deletes the
// orphan in any case. The caller holds s.mu.
func (s *Session) charge(o *orphan) (tellQueued func()) {
	ended := o.grant.gone && o.create == nil
	dissolved := s.closing && s.owned != nil
	if ended || dissolved || s.background.Err() != nil {
		return func() {}
	}
	queued, told := o.info(nil), make(chan struct{})
	s.users++
	s.orphans++
	s.work.Go(func() {
		defer s.bury()
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

// enterOrphan counts an orphan in that no acquisition has made, unless the
// session is closing.
func (s *Session) enterOrphan() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return false
	}
	s.users++
	s.orphans++
	return true
}

// bury counts an orphan out.
func (s *Session) bury() {
	s.mu.Lock()
	s.orphans--
	s.mu.Unlock()
	s.leave()
}

func (o *orphan) info(err error) OrphanInfo {
	return OrphanInfo{Path: o.dir, Node: o.place.node, GUID: o.place.guid, Err: err}
}

// clean deletes an orphan, or returns an error that wraps ErrSessionLost when
// the session that it belongs to has ended, or ErrClosed.
func (s *Session) clean(o *orphan) error {
	ctx := s.background
	id := o.grant.id
	if o.create != nil {
		// The create may be sent as late as in the next session.
		if _, err := o.create.wait(ctx); err != nil && ctx.Err() != nil {
			return ErrClosed
		}
		if o.create.err == nil {
			o.place.node = o.create.value.node
		} else if answered(o.create.err) {
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
		gone, err := s.sweep(ctx, o)
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

// sweep makes one attempt to delete an orphan, and reports whether it is known
// to be gone. It is not when no listing shows it.
func (s *Session) sweep(ctx context.Context, o *orphan) (gone bool, err error) {
	if o.place.node == "" {
		if o.place.node, err = s.find(ctx, o.dir, o.place.guid); err != nil || o.place.node == "" {
			return false, err
		}
	}
	_, err = send(s, deleteRequest(o.place.node)).wait(ctx)
	return err == nil || errors.Is(err, zk.ErrNoNode), err
}
