package zklock

import (
	"context"
	"time"
)

// A State says how a [Session] stands.
type State int

// The states of a session.
const (
	// Suspended: there is no connection, and the session may still live. Locks
	// are still held. A session begins in this state.
	Suspended State = iota
	// Connected: a server serves the session.
	Connected
	// Lost: the session is over, or may be for all that the client can know.
	// Its locks are lost. The client goes on to ask for a new one.
	Lost
)

// String returns the state's name.
func (s State) String() string {
	switch s {
	case Suspended:
		return "suspended"
	case Connected:
		return "connected"
	case Lost:
		return "lost"
	default:
		return "unknown"
	}
}

// A SessionState is a change of a session, as its hook is told. A session that
// is closed, or whose connection is, becomes Lost, and its Cause then wraps
// ErrClosed too.
type SessionState struct {
	State     State
	SessionID int64         // 0 before the first session
	Timeout   time.Duration // what the server granted; 0 when it is not known
	Cause     error         // with Lost, why; it wraps ErrSessionLost
}

// A grant is one session of the server as the client may count on it: from the
// server's word until it ends, by the server's word or by the clock. A client
// that is told after all that a session lives, whose grant the clock has ended,
// gets a new grant of the same id: what was held under the old one stays lost.
// The fields are guarded by the session's mutex, except id and the contexts.
type grant struct {
	id     int64
	ctx    context.Context
	shown  context.Context // ctx, for callers
	cancel context.CancelCauseFunc
	// timeout is what the server granted; 0 when nobody could read it.
	timeout time.Duration
	// acked is when the last frame was sent that the server acknowledged. The
	// server keeps the session for timeout after receiving it, so at least
	// until acked + timeout.
	acked time.Time
	// gone says that the server ended the session: its znodes go with it.
	gone   bool
	leases map[*Lease]struct{}
}

func newGrant(id int64) *grant {
	g := &grant{id: id, leases: make(map[*Lease]struct{})}
	g.ctx, g.cancel = context.WithCancelCause(own(context.Background()))
	g.shown = disown(g.ctx)
	return g
}

// live reports whether g has not ended.
func (g *grant) live() bool { return g.ctx.Err() == nil }

// overdue reports whether the server may have ended the session by now.
func (g *grant) overdue(now time.Time) bool {
	return g.timeout > 0 && !now.Before(g.acked.Add(g.timeout))
}
