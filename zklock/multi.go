package zklock

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// ErrPaths is returned by [NewMulti] when the paths are not those of at least
// one lock directory, or name one twice.
var ErrPaths = errors.New("zklock: bad paths of a multi-lock")

// A Multi is several mutexes that are taken as one: all of them, or none. It
// holds no state about its acquisitions, and any number of goroutines may use
// it. It is not reentrant.
//
// Each of its paths is the queue of a [Mutex], in which users of that mutex
// and other multi-locks stand too, and each keeps to its place. All paths must
// be in the same ensemble, as they are of one session.
//
// # Why it does not deadlock
//
// An acquisition enters all its queues in one transaction, so that its znodes
// have the same czxid. Two transactions do not share one, and a queue is in
// the order in which its znodes were created; so whoever is ahead of an
// acquisition, in any of its queues, has a smaller czxid. That holds for a
// Mutex as well, which has one znode. Therefore, if each waits for one ahead
// of it, which waits for one ahead, and so on, the czxids fall all the way, and
// nobody comes up twice: there is no cycle, and the one with the smallest
// waits for nobody. The order of the paths, and which of them two multi-locks
// share, do not matter. An acquisition that has to start again gives up all
// its places, and has a new czxid in all queues.
//
// The proof is about acquisitions, of which each waits only for those ahead. A
// client that holds one lease and asks for a second makes the first wait for
// the second, whose czxid is greater: such clients can still deadlock, whether
// their locks are a Mutex or a Multi. Ask for all at once.
//
// # What it costs
//
// A free multi-lock on k paths is taken by one transaction, and then k listings
// sent together, and released by one transaction. One that had to wait is confirmed
// by one transaction more. The requests that create
// must fit into the client's send buffer, see [WithBuffers]: 64 KiB are room
// for some 400 paths.
//
// Lock waits for the queues one after the other, and keeps its place in all
// meanwhile: those behind it on one path wait although it is not held yet.
//
// A [Trace] is told of each path as of a mutex, in the order of the paths:
// EnqueueStart, Enqueued, ReleaseStart, Released and Lost of all paths in a
// row, and the wait for one path after that for the other. Acquired is called
// once for each path, when all are held; otherwise GaveUp is, once for each.
type Multi struct {
	session *Session
	locks   []*lock // one a path
}

// NewMulti returns the multi-lock on the mutexes whose queues are the children
// of paths. It sends nothing; missing parents are created when they are
// needed. The options are those of a mutex, and are for all paths. The error
// wraps [ErrPaths], and zk.ErrInvalidPath where a path is one that no znode can
// have.
func NewMulti(s *Session, paths []string, opts ...Option) (*Multi, error) {
	if len(paths) == 0 {
		return nil, fmt.Errorf("%w: there are none", ErrPaths)
	}
	m := &Multi{session: s}
	for _, dir := range paths {
		l := newLock(s, dir, opts)
		if l.invalid != nil {
			return nil, fmt.Errorf("%w: %w", ErrPaths, l.invalid)
		}
		if slices.Contains(m.Paths(), l.path) {
			return nil, fmt.Errorf("%w: %q is there twice", ErrPaths, l.path)
		}
		m.locks = append(m.locks, &l)
	}
	return m, nil
}

// Paths returns the lock directories, in the order in which they were given.
func (m *Multi) Paths() []string {
	paths := make([]string, len(m.locks))
	for i, l := range m.locks {
		paths[i] = l.path
	}
	return paths
}

// Lock waits until all are held, and returns the lease. ctx bounds the whole.
// When one cannot be had, for whatever reason, all are given up at once. The
// errors are those of [Locker]; the Path of the [*Error] is the one that was
// waited for, or else all of them, separated by commas.
func (m *Multi) Lock(ctx context.Context) (*MultiLease, error) {
	return m.acquire(ctx, false)
}

// TryLock is like Lock, but returns [ErrHeld] when somebody is ahead on any of
// the paths. Its znodes are gone then, on all of them.
func (m *Multi) TryLock(ctx context.Context) (*MultiLease, error) {
	return m.acquire(ctx, true)
}

func (m *Multi) acquire(ctx context.Context, try bool) (*MultiLease, error) {
	lease, err := newAcquisition(ctx, m.locks, queue.Mutex, ModeWrite, try).acquire(ctx)
	if err != nil {
		return nil, err
	}
	return &MultiLease{lease}, nil
}

// A MultiLease is one acquisition of a [Multi], held until Unlock or until it
// is lost. All of it is lost when a part is: when the session ends, or somebody
// deletes the znode on one of the paths; then the other znodes are deleted too,
// in the background. Its methods may be called from any goroutine.
type MultiLease struct{ lease *Lease }

// Token returns the fence of this acquisition: the czxid that all its znodes
// share. On each of the paths it is greater than that of every earlier
// acquisition, by a [Mutex] as well.
func (l *MultiLease) Token() Token { return l.lease.Token() }

// Nodes returns the full paths of the znodes that hold the locks, in the order
// of the paths.
func (l *MultiLease) Nodes() []string { return nodesOf(l.lease.places) }

// Guards returns the checks, one a path, to be put into a Multi of your own:
// its other operations then take effect only while all the znodes exist. See
// [Lease.Guard].
func (l *MultiLease) Guards() []any { return checksOf(l.Nodes()) }

// Context returns a context for the work that the locks protect. It ends with
// the lease, as soon as one part of it does. See [Lease.Context].
func (l *MultiLease) Context() context.Context { return l.lease.ctx }

// Lost returns a channel that is closed when the lease is lost, at the latest
// a moment after its context has ended, and not when it is unlocked.
func (l *MultiLease) Lost() <-chan struct{} { return l.lease.lost }

// Revoked returns a channel that is closed when somebody asks for one of the
// locks. See [Lease.Revoked].
func (l *MultiLease) Revoked() <-chan struct{} { return l.lease.revoked }

// Err returns why the lease is over, nil while it is held. See [Lease.Err].
func (l *MultiLease) Err() error { return l.lease.Err() }

// Check asks the servers, at once, whether all the znodes still exist. See [Lease.Check].
func (l *MultiLease) Check(ctx context.Context) error { return l.lease.Check(ctx) }

// Unlock ends the lease and deletes its znodes in one transaction. See
// [Lease.Unlock]. The error wraps [ErrLost] when the lease was lost, or one of the
// znodes was found deleted by somebody else; the others are released all the same.
func (l *MultiLease) Unlock(ctx context.Context) error { return l.lease.Unlock(ctx) }
