package zklock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"github.com/go-zookeeper/zk"
)

var (
	// ErrHeld is returned by TryLock, TryRLock and TryAcquire when somebody
	// ahead in the queue would have to be waited for.
	ErrHeld = errors.New("zklock: lock is held by another")

	// ErrForeign is returned when a child of the lock directory is named as a
	// contender may be, by a sequence number or a bare guid, but is none of the lock's:
	// a znode of another kind of lock, or of another library. Both might hold at once.
	// See [ForeignError], and [WithExtraMarkers] for what the two sides must be told.
	ErrForeign = errors.New("zklock: another kind of lock is in the directory")

	// ErrLost says that a lease ended without the holder's doing: its session
	// was lost, or its znode was deleted by somebody else.
	ErrLost = errors.New("zklock: lock lost")

	// ErrSessionLost says that a session is over, or may be: the server said
	// so, or the session timeout has passed without an acknowledgement. It
	// wraps [ErrLost], because a session takes all its locks with it.
	ErrSessionLost error = sessionLost{}

	// ErrUpgrade is returned when a writer's lock is asked for with the context
	// of a reader's lease of the same lock, for which it would wait forever.
	ErrUpgrade = errors.New("zklock: a reader cannot become a writer, unlock first")

	// ErrNotWriter is returned by Downgrade for a lease that is not a writer's
	// of an [RWMutex].
	ErrNotWriter = errors.New("zklock: not a writer's lease of a read/write lock")

	// ErrUnlocked is the cause of a lease's context after Unlock, and what Check
	// and Downgrade return then.
	ErrUnlocked = errors.New("zklock: unlocked")

	// ErrClosed is returned by the operations of a [Session] that is closed, or
	// whose connection is.
	ErrClosed = errors.New("zklock: session closed")

	// ErrArguments is returned by [Dial] for a timeout, servers or buffers with
	// which no session can be made.
	ErrArguments = errors.New("zklock: bad arguments of dial")

	// ErrTooManyWaiters is returned when the listing of the lock directory does
	// not fit into the client's receive buffer, see [WithBuffers], or when the
	// queue is longer than [WithMaxWaiters] allows.
	ErrTooManyWaiters = errors.New("zklock: too many waiters")

	// ErrSequenceExhausted is returned when the sequence counter of the lock
	// directory is close to its end, 2^31-1. The server hands out the same
	// number twice there, so no recipe can tell who is first: the directory
	// must be deleted, which starts the counter again. A lock does that itself
	// when it is alone there.
	ErrSequenceExhausted = errors.New("zklock: sequence numbers of the lock directory are used up, delete it while it is idle")
)

type sessionLost struct{}

func (sessionLost) Error() string { return "zklock: session lost" }
func (sessionLost) Unwrap() error { return ErrLost }

// errClosedSession ends what is still open when a session is closed.
var errClosedSession = fmt.Errorf("%w: %w", ErrSessionLost, ErrClosed)

// An Error says which operation failed, and where. The reason is Err, which
// errors.Is and errors.As find.
type Error struct {
	// Op is "lock", "try", "unlock", "check", "downgrade", "contenders",
	// "observe", "proclaim", "revoke" or "resize".
	Op string
	// Path is the lock directory, or several of a [Multi], joined by commas.
	Path string
	// Node is the full path of the znode concerned, empty before there is one.
	Node string
	// Err is the reason: a sentinel of this package, an error of go-zookeeper,
	// or the context's, with its cause.
	Err error
}

// Error describes the failure in one line.
func (e *Error) Error() string {
	where := e.Path
	if e.Node != "" {
		where = e.Node
	}
	return fmt.Sprintf("zklock: %s %s: %s", e.Op, where, strings.TrimPrefix(e.Err.Error(), "zklock: "))
}

// Unwrap returns the reason.
func (e *Error) Unwrap() error { return e.Err }

// A ForeignError names a znode because of which a lock was refused. It wraps
// [ErrForeign].
type ForeignError struct {
	Node string // full path
}

// Error names the znode.
func (e *ForeignError) Error() string {
	return fmt.Sprintf("%v: %s, give it a directory of its own or see WithExtraMarkers", ErrForeign, e.Node)
}

// Unwrap returns ErrForeign.
func (e *ForeignError) Unwrap() error { return ErrForeign }

// reason returns what err means to the caller whose context is ctx. An interrupted
// wait has ended with the grant, which may be what ended the caller's context, with
// ctx, or with the session; g is nil when no grant was waited for.
func (s *Session) reason(ctx context.Context, g *grant, err error) error {
	if !errors.Is(err, errInterrupted) {
		return err
	}
	switch {
	case g != nil && g.ctx.Err() != nil:
		return context.Cause(g.ctx)
	case ctx.Err() == nil:
		return ErrClosed
	}
	if why := s.whyNotConnected(); why != "" {
		return unconnectedError{contextError(ctx), why}
	}
	return contextError(ctx)
}

// contextError returns the error of a context that has ended, with its cause.
func contextError(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	switch {
	case errors.Is(err, cause):
		return err
	case errors.Is(cause, err):
		return cause
	default:
		return fmt.Errorf("%w: %w", err, cause)
	}
}

// An unconnectedError is the error of a context that ended while there was no
// connection. It does not wrap the reason for that: the failure of a dialer may
// pass for the end of a context, too.
type unconnectedError struct {
	error
	why string
}

func (e unconnectedError) Error() string { return e.error.Error() + ": " + e.why }
func (e unconnectedError) Unwrap() error { return e.error }

// whyNotConnected is empty when there is a connection.
func (s *Session) whyNotConnected() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.client == nil:
		return "no connection bound"
	case s.refusal != nil:
		return s.refusal.Error()
	case s.linked:
		return ""
	case s.failure == nil:
		return "not connected"
	default:
		return "not connected: " + s.failure.Error()
	}
}

// noteFailure notes why there is no connection, unless this side has closed it.
func (s *Session) noteFailure(accepted bool, err error) {
	if errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return
	}
	what := "no handshake with"
	if accepted {
		what = "lost"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = fmt.Errorf("%s %s: %w", what, s.server, err)
}

// answers are the errors that only an answer of the server, or a check before
// sending, can give: the outcome is known, and the request had no effect.
var answers = []error{
	zk.ErrAPIError, zk.ErrNoNode, zk.ErrNoAuth, zk.ErrBadVersion, zk.ErrNoChildrenForEphemerals,
	zk.ErrNodeExists, zk.ErrNotEmpty, zk.ErrInvalidACL, zk.ErrInvalidFlags, zk.ErrInvalidPath,
	zk.ErrAuthFailed, zk.ErrBadArguments, zk.ErrShortBuffer, ErrTooManyWaiters,
}

// answered reports whether err says the outcome. Every other error leaves it
// unknown: the client reports a broken connection in many different ways.
func answered(err error) bool {
	for _, answer := range answers {
		if errors.Is(err, answer) {
			return true
		}
	}
	code := unnamed(err)
	return code == codeUnimplemented || code > 100 && code < 200 && code != codeTimeout && code != codeThrottled
}

// unimplemented reports whether the server does not know the operation.
func unimplemented(err error) bool { return unnamed(err) == codeUnimplemented }

// The numbers, without their sign, of errors that go-zookeeper has no value for.
// Those from 101 are the server's refusals, such as a quota; two of them ask for
// another try.
const (
	codeUnimplemented = 6
	codeTimeout       = 122
	codeThrottled     = 127
)

// unnamed returns the number of such an error; 0 for every other error.
func unnamed(err error) int {
	if err == nil {
		return 0
	}
	text, ok := strings.CutPrefix(err.Error(), "unknown error: -")
	code, bad := strconv.Atoi(text)
	if !ok || bad != nil {
		return 0
	}
	return code
}
