package zklock

import (
	"context"
	"errors"
	"math"
	"path"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"
	"golang.org/x/sync/errgroup"

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
	limit, err := parseLimit(data)
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

// RevokeMessage is what [Revoke] writes into a contender's znode. It is what
// Curator writes and looks for.
const RevokeMessage = "__REVOKE__"

// ErrNotContender is returned by [Revoke] for a path that is not the znode of
// a contender. [Contenders] and [Lease.Node] give such paths.
var ErrNotContender = errors.New("zklock: not the znode of a contender, want a path as Contenders gives it")

// Revoke asks the contender whose znode is at the path node to give up the
// lock, by writing [RevokeMessage] into the znode, in place of its data. It is
// a request and forces nothing: a holder of ours sees it in [Lease.Revoked], one
// of Curator's in its RevocationListener if it was made revocable, and others
// not at all. A waiter is asked too, and sees it when it holds the lock.
//
// An error is an [*Error]. It wraps zk.ErrNoNode when the contender has gone,
// zk.ErrNoAuth when its access control list forbids the write, and
// [ErrNotContender] when nothing was sent, as to those of [WithExtraMarkers],
// whose libraries know no such message. Revoke may be repeated.
func Revoke(ctx context.Context, s *Session, node string) error {
	node = trimPath(node)
	if err := s.writeRevoke(ctx, node); err != nil {
		dir, _ := path.Split(node)
		return failure("revoke", trimPath(dir), node, s.reason(ctx, nil, err))
	}
	return nil
}

func (s *Session) writeRevoke(ctx context.Context, node string) error {
	if _, _, ok := queue.Parse(path.Base(node), queue.Markers()); !ok || !path.IsAbs(node) {
		return ErrNotContender
	}
	if err := checkPath(node); err != nil {
		return err
	}
	_, err := do(ctx, s, func(c Client) (*zk.Stat, error) {
		return c.Set(node, []byte(RevokeMessage), -1)
	})
	return err
}

// Revoked returns a channel that is closed when somebody asks for the lock, by
// [Revoke] or by Curator's Revoker. It is a request: the lease goes on, and
// it is the holder's business to end its work and unlock. It may take some
// 10 ms after the acquisition until a request is seen. A lock with
// WithOwnWatch(false) never sees one, and one made during a [Lease.Downgrade] may
// be missed; no other is.
func (l *Lease) Revoked() <-chan struct{} { return l.revoked }

// askFor closes Revoked, once, after a write of RevokeMessage into the
// znode of p.
func (l *Lease) askFor(p *place) {
	l.session.mu.Lock()
	defer l.session.mu.Unlock()
	if l.wasAsked {
		return
	}
	l.wasAsked = true
	close(l.revoked)
	l.session.hooks.add(func() {
		<-l.announced
		l.traces.revokeAsked(RevokeAskedInfo{Node: p.node, Token: p.token, Mode: l.mode})
	})
}
