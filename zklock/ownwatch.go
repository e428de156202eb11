package zklock

import (
	"errors"
	"fmt"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"time"

	"github.com/go-zookeeper/zk"
)

// watchOwn has the lease's own znode watched once the lease has lasted for a
// moment.
func (l *Lease) watchOwn() {
	if l.config.without.Has(mechanism.OwnWatch) {
		return
	}
	if l.session.config.without.Has(mechanism.Reminder) {
		l.plainTimer = time.AfterFunc(l.config.delay, func() { l.session.guard(l) })
		return
	}
	if !l.config.textbook {
		l.watching = l.session.reminders.add(l.config.delay, func() { l.session.guard(l) })
	}
}

// stopWatching is for a lease that is over.
func (l *Lease) stopWatching() {
	if l.plainTimer != nil {
		l.plainTimer.Stop()
	}
	if l.watching != nil {
		l.watching.takeBack()
	}
}

// guard watches the znode of l, on a goroutine of the session.
func (s *Session) guard(l *Lease) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() == nil && l.ctx.Err() == nil {
		s.work.Go(l.keep)
	}
}

// keep watches the own znode until the lease ends. It reads it anew after each
// event, and after each reconnect, because go-zookeeper does not tell when it
// fails to set a watch again.
func (l *Lease) keep() {
	for {
		resumed := l.session.nextConnection()
		event, err := l.readOwn()
		if err != nil {
			l.ownFailed(err)
			return
		}
		select {
		case <-event:
		case <-resumed:
		case <-l.ctx.Done():
			return
		}
	}
}

// readOwn reads the own znode and watches it.
func (l *Lease) readOwn() (<-chan zk.Event, error) {
	type reading struct {
		data  []byte
		stat  *zk.Stat
		event <-chan zk.Event
	}
	got, err := do(l.ctx, l.session, func(c Client) (r reading, err error) {
		r.data, r.stat, r.event, err = c.GetW(l.place.node)
		return r, err
	})
	if err != nil {
		return nil, err
	}
	if got.stat.EphemeralOwner != l.grant.id {
		return nil, fmt.Errorf("%w: znode is of session %#x", ErrLost, got.stat.EphemeralOwner)
	}
	if string(got.data) == RevokeMessage {
		l.askFor()
	}
	return got.event, nil
}

// ownFailed ends the lease if its znode has gone, and not by a Downgrade that
// is under way.
func (l *Lease) ownFailed(err error) {
	if errors.Is(err, zk.ErrNoNode) {
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

// errDeleted is the cause of a lease whose znode was deleted under it.
var errDeleted = fmt.Errorf("%w: znode was deleted by another", ErrLost)
