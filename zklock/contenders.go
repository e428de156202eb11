package zklock

import (
	"context"
	"iter"
	"math"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"
	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Contender is a znode in the queue of a lock, as [Contenders] found it.
type Contender struct {
	Node      string    // full path
	Sequence  int32     // its number in the queue
	Mode      Mode      // what it waits for, or holds
	Data      []byte    // see [WithData]; [RevokeMessage] once it was asked to go
	SessionID int64     // of its client
	Since     time.Time // when it came, by the server's clock, in milliseconds
	Token     Token     // that of its lease, if it gets one
	// Holder says that the contender holds the lock, as far as the queue
	// tells: it is the first, or a reader with no writer ahead, or one of a
	// [Semaphore] with fewer ahead than the stored limit. It need not know yet;
	// and a client that lost its session is a holder until the server has ended
	// that. After [Semaphore.Resize] has lowered the limit, some who hold are
	// not shown so.
	Holder bool
}

// contentsAtOnce is how many znodes are read at once: enough to hide the round
// trip, and few enough not to keep the session's other requests waiting.
const contentsAtOnce = 16

// Contenders returns the queue of the lock at dir, the first in line first:
// those who hold the lock and those who wait for it, of whatever client and
// library, that it recognizes. Other children are left out. A directory that does not exist is an empty
// queue.
//
// It takes no part in the lock, and tells the past: some may have gone, and
// others come, when it returns. A contender that goes while the queue is read
// is left out; one that comes meanwhile is behind all that are returned.
//
// Of the options only [WithExtraMarkers] matters. An error is an [*Error] that
// wraps the context's error, [ErrClosed], [ErrTooManyWaiters] when the listing
// does not fit into the receive buffer, or one of go-zookeeper, as
// zk.ErrInvalidPath.
func Contenders(ctx context.Context, s *Session, dir string, opts ...Option) ([]Contender, error) {
	l := newLock(s, dir, opts)
	found, err := l.inspect(ctx)
	if err != nil {
		return nil, failure("contenders", l.path, "", s.reason(ctx, nil, err))
	}
	return found, nil
}

func (l *lock) inspect(ctx context.Context) ([]Contender, error) {
	if l.invalid != nil {
		return nil, l.invalid
	}
	got, err := ask(ctx, l.session, l.session.listRequest(l.path, false))
	if isNoNode(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	found, _ := queue.Read(got.children, slices.Concat(queue.Markers(), l.config.markers), math.MaxInt32)
	contents, err := l.session.contents(ctx, l.path, found)
	if err != nil {
		return nil, err
	}
	limit, err := l.limitOf(ctx, found)
	if err != nil {
		return nil, err
	}
	return describe(l.path, found, contents, limit), nil
}

// limitOf returns how many may hold permits, 1 where there are none, or no
// limit is stored.
func (l *lock) limitOf(ctx context.Context, found []queue.Contender) (int, error) {
	if !slices.ContainsFunc(found, queue.Contender.HasPermit) {
		return 1, nil
	}
	data, err := do(ctx, l.session, func(c Client) ([]byte, error) {
		data, _, err := c.Get(l.path)
		return data, err
	})
	if err != nil && !isNoNode(err) {
		return 0, err
	}
	limit, err := queue.ParseLimit(data)
	if err != nil {
		return 1, nil
	}
	return limit, nil
}

// A content is what is in a znode; stat is nil when there is no such znode.
type content struct {
	data []byte
	stat *zk.Stat
}

// contents reads the znodes of contenders, several at once.
func (s *Session) contents(ctx context.Context, dir string, found []queue.Contender) ([]content, error) {
	contents := make([]content, len(found))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(contentsAtOnce)
	for i, c := range found {
		group.Go(func() error {
			got, err := do(ctx, s, func(client Client) (got content, err error) {
				got.data, got.stat, err = client.Get(childOf(dir, c.Name))
				return got, err
			})
			if isNoNode(err) {
				return nil
			}
			contents[i] = got
			return err
		})
	}
	return contents, group.Wait()
}

// describe joins the names of a queue with what is in the znodes; limit is how
// many may hold permits.
func describe(dir string, found []queue.Contender, contents []content, limit int) []Contender {
	var described []Contender
	written := false // a writer is ahead
	for i, c := range found {
		stat := contents[i].stat
		if stat == nil {
			continue
		}
		reads := c.Reads()
		mode := ModeWrite
		if reads {
			mode = ModeRead
		}
		described = append(described, Contender{
			Node: childOf(dir, c.Name), Sequence: c.Sequence, Mode: mode,
			Data: contents[i].data, SessionID: stat.EphemeralOwner,
			Since: time.UnixMilli(stat.Ctime), Token: Token(stat.Czxid),
			Holder: len(described) == 0 || reads && !written || c.HasPermit() && len(described) < limit,
		})
		written = written || !reads
	}
	return described
}

// An Election is a [Mutex] whose holder leads, and at which others may look. Who
// campaigns stands in its queue, and leads while the lease lasts; Unlock resigns. So
// it promises of a leader what a lock promises of a holder: the lease's token is the
// leader's term, and what only a leader may do needs the token, or the guard.
//
// Any number of goroutines may use it, and it keeps nothing of a campaign. A Mutex on
// its path is a candidate, too. So are Curator's LeaderSelector and kazoo's Election,
// which are locks of those libraries.
type Election struct{ lock }

// NewElection returns the election whose candidates are the children of path. The
// options are those of a mutex. [WithData] tells who a candidate is, as by its address.
func NewElection(s *Session, path string, opts ...Option) *Election {
	return &Election{newLock(s, path, opts)}
}

// Campaign waits until it is elected. The errors are those of [Locker]. With [Do], in a
// loop, a process leads whenever it can.
func (e *Election) Campaign(ctx context.Context) (*Lease, error) {
	return e.acquire(ctx, queue.Mutex, ModeWrite, false)
}

// Leader returns the present leader, which is what [Election.Observe] begins with.
func (e *Election) Leader(ctx context.Context) (leader Contender, err error) {
	for leader, err = range e.Observe(ctx) {
		break
	}
	return leader, err
}

// Observe tells of the present leader, and then of each that follows, and of what they
// proclaim. While there is none, the [Contender] has no Node. The session's loss does not end it. A missing
// directory is made.
//
// It tells the past: a client that has lost its session leads until the server has
// ended that, and one that leads for a moment may be left out. All observers wake at
// each change.
//
// It ends with an [*Error], which wraps the context's error, [ErrClosed] or another one
// of those of [Contenders].
func (e *Election) Observe(ctx context.Context) iter.Seq2[Contender, error] {
	return func(yield func(Contender, error) bool) {
		told, last := false, Contender{}
		err := e.invalid
		for err == nil {
			resumed := e.session.nextConnection()
			var leader Contender
			var change *watch
			if leader, change, err = e.look(ctx); err != nil {
				break
			}
			if !told || leader.Node != last.Node || leader.saysMore(last) {
				if !yield(leader, nil) {
					return
				}
				told, last = true, leader
			}
			select {
			case <-change.fired:
			case <-resumed:
			case <-ctx.Done():
				err = errInterrupted
			case <-e.session.background.Done():
				err = ErrClosed
			}
		}
		yield(Contender{}, failure("observe", e.path, "", e.session.reason(ctx, nil, err)))
	}
}

// saysMore reports whether the same leader has proclaimed something since.
func (c Contender) saysMore(last Contender) bool {
	return string(c.Data) != string(last.Data) && string(c.Data) != RevokeMessage
}

// Proclaim replaces the data of a leader's znode, which observers are told of. It is as
// that of [WithData], and the lease one of [Election.Campaign]. The error is an [*Error],
// which wraps [ErrLost] or [ErrUnlocked] when the lease is over, zk.ErrShortBuffer for data that
// does not fit into the send buffer, or the context's error: then it may be done or not.
func (e *Election) Proclaim(ctx context.Context, lease *Lease, data []byte) error {
	within, end := lease.grant.within(ctx)
	defer end()
	err := lease.ended()
	if err == nil {
		err = e.proclaim(within, lease.Node(), data)
	}
	if isNoNode(err) {
		lease.znodeLost(err)
		err = errDeleted
	}
	if err != nil {
		return lease.fail("proclaim", e.session.reason(ctx, lease.grant, err))
	}
	return nil
}

func (e *Election) proclaim(ctx context.Context, node string, data []byte) error {
	request := direct.Begin(protocol.OpSetData).Text(node).Bytes(data).Int32(-1)
	if limit := e.session.config.send; limit > 0 && len(request) > limit {
		return zk.ErrShortBuffer
	}
	_, err := do(ctx, e.session, func(c Client) (*zk.Stat, error) { return c.Set(node, data, -1) })
	return err
}

// look returns the leader, and a watch on its znode. While there is none, the watch is
// on the directory.
func (e *Election) look(ctx context.Context) (leader Contender, change *watch, err error) {
	for {
		leader, change, err = e.tryToLook(ctx)
		if !isNoNode(err) {
			return leader, change, err
		}
	}
}

// tryToLook returns zk.ErrNoNode when what it has found is gone before it can be read.
func (e *Election) tryToLook(ctx context.Context) (leader Contender, change *watch, err error) {
	found, err := e.candidates(ask(ctx, e.session, e.session.listRequest(e.path, false)))
	if isNoNode(err) {
		err = e.makeDirectory(ctx, e.path)
	}
	if err == nil && len(found) == 0 {
		// Where there is a leader, a watch on arrivals would wake all for nothing.
		var got listing
		got, change, err = e.session.listWatching(ctx, e.path)
		found, err = e.candidates(got, err)
	}
	if err != nil || len(found) == 0 {
		return leader, change, err
	}
	first, change, err := e.session.readWatching(ctx, childOf(e.path, found[0].Name))
	if err != nil {
		return leader, change, err
	}
	return describe(e.path, found[:1], []content{first}, 1)[0], change, nil
}

// candidates reads the queue in a listing.
func (e *Election) candidates(got listing, err error) ([]queue.Contender, error) {
	found, _ := queue.Read(got.children, queue.Mutex.With(e.config.markers).Markers, math.MaxInt32)
	return found, err
}
