package client

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// A leftSession is one of a process that is gone, which the server keeps until it times out.
type leftSession struct {
	id       int64 // 0 for none
	password []byte
	until    int64 // on the log's clock: it has timed out by then
}

// timedOutAt is when a session has timed out that nobody has used since now.
func timedOutAt(now int64, timeout time.Duration) int64 {
	const ample = 3 // the server rounds up, and may have to be started again
	return now + ample*timeout.Microseconds()
}

// leftSessions are those of the processes of one client.
type leftSessions []leftSession

// keep adds a session, and forgets those that have timed out.
func (l *leftSessions) keep(session leftSession, now int64) {
	*l = slices.DeleteFunc(*l, func(s leftSession) bool { return s.until < now })
	if session.id != 0 {
		*l = append(*l, session)
	}
}

// end has the server end the sessions, instead of making everybody wait for their timeouts.
func (l leftSessions) end(ctx context.Context, zookeeper wire.Ensemble) error {
	var errs []error
	for _, s := range l {
		err := zookeeper.Expire(ctx, s.id, s.password)
		if !errors.Is(err, wire.SessionExpired) { // it may have timed out by itself
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}
