package zklock

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-zookeeper/zk"
)

var (
	// ErrHeld is returned by TryLock, TryRLock and TryAcquire when somebody
	// ahead in the queue would have to be waited for.
	ErrHeld = errors.New("zklock: lock is held by another")

	// ErrLost says that a lease ended without the holder's doing: its session
	// was lost, or its znode was deleted by somebody else.
	ErrLost = errors.New("zklock: lock lost")

	// ErrSessionLost says that a session is over, or may be: the server said
	// so, or the session timeout has passed without an acknowledgement. It
	// wraps [ErrLost], because a session takes all its locks with it.
	ErrSessionLost error = sessionLost{}

	// ErrUpgrade is returned when a writer's lock is asked for with the context
	// of a reader's lease of the same lock, for which it would wait for ever.
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
	// must be deleted, which starts the counter again. [Mutex] and [RWMutex] do
	// that themselves when they are alone there.
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
	// "revoke" or "resize".
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

// answers are the errors that only an answer of the server, or a check before
// sending, can give: the outcome is known, and the request had no effect.
var answers = []error{
	zk.ErrAPIError, zk.ErrNoNode, zk.ErrNoAuth, zk.ErrBadVersion, zk.ErrNoChildrenForEphemerals,
	zk.ErrNodeExists, zk.ErrNotEmpty, zk.ErrInvalidACL, zk.ErrInvalidFlags, zk.ErrInvalidPath,
	zk.ErrAuthFailed, zk.ErrBadArguments, zk.ErrShortBuffer, ErrTooManyWaiters,
}

// answered reports whether err tells the outcome. Every other error leaves it
// unknown: the client reports a broken connection in many different ways.
func answered(err error) bool {
	for _, answer := range answers {
		if errors.Is(err, answer) {
			return true
		}
	}
	return refused(err)
}

// refused reports whether the server said no for a reason that the client has
// no error value for: that it does not know the operation, or a reason of its
// own kind, such as a quota. Two of these numbers ask for another try.
func refused(err error) bool {
	code := unnamed(err)
	return code == codeUnimplemented || code > 100 && code < 200 && code != codeTimeout && code != codeThrottled
}

// unimplemented reports whether the server does not know the operation.
func unimplemented(err error) bool { return unnamed(err) == codeUnimplemented }

// The server's numbers, without their sign.
const (
	codeUnimplemented = 6
	codeTimeout       = 122
	codeThrottled     = 127
)

// unnamed returns the number of an error of the server that the client has no
// value for, only a text with the number; 0 for every other error.
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
