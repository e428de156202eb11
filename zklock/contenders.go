package zklock

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"
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

// contentsWindow is how many znodes are read at once: enough to hide the round
// trip, and few enough not to keep the session's other requests waiting.
const contentsWindow = 16

// Contenders returns the queue of the lock at dir, the first in line first:
// those who hold the lock and those who wait for it, of whatever client and
// library. Strays are left out. A directory that does not exist is an empty
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
	found, err := l.contenders(ctx)
	if err != nil {
		return nil, failure("contenders", l.path, "", err)
	}
	return found, nil
}

func (l *lock) contenders(ctx context.Context) ([]Contender, error) {
	if l.invalid != nil {
		return nil, l.invalid
	}
	got, err := do(ctx, l.session, func(c Client) (listing, error) {
		return l.session.listing(c, l.path, false)
	})
	if errors.Is(err, zk.ErrNoNode) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	queue := queueOf(got.children, slices.Concat(contenderMarkers, l.config.markers))
	contents, err := l.session.contents(ctx, l.path, queue)
	if err != nil {
		return nil, err
	}
	limit, err := l.limitOf(ctx, queue)
	if err != nil {
		return nil, err
	}
	return describe(l.path, queue, contents, limit), nil
}

// limitOf returns how many may hold permits, 1 where there are none, or no
// limit is stored.
func (l *lock) limitOf(ctx context.Context, queue []contender) (int, error) {
	if !slices.ContainsFunc(queue, isPermit) {
		return 1, nil
	}
	data, err := do(ctx, l.session, func(c Client) ([]byte, error) {
		data, _, err := c.Get(l.path)
		return data, err
	})
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return 0, err
	}
	limit, err := parseLimit(data)
	if err != nil {
		return 1, nil
	}
	return limit, nil
}

func isPermit(c contender) bool { return c.marker == permitMarker }

// A content is what is in a znode; stat is nil when there is no such znode.
type content struct {
	data []byte
	stat *zk.Stat
}

// contents reads the znodes of a queue, several at once.
func (s *Session) contents(ctx context.Context, dir string, queue []contender) ([]content, error) {
	read := func(i int) func(Client) (content, error) {
		return func(c Client) (got content, err error) {
			got.data, got.stat, err = c.Get(childOf(dir, queue[i].name))
			return got, err
		}
	}
	contents := make([]content, len(queue))
	calls := make([]*call[content], 0, len(queue))
	for i := range queue {
		for len(calls) < min(len(queue), i+contentsWindow) {
			calls = append(calls, start(s, read(len(calls))))
		}
		got, err := calls[i].wait(ctx)
		if err != nil && !answered(err) {
			got, err = do(ctx, s, read(i))
		}
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return nil, err
		}
		if err == nil {
			contents[i] = got
		}
	}
	return contents, nil
}

// describe joins the names of a queue with what is in the znodes; limit is how
// many may hold permits.
func describe(dir string, queue []contender, contents []content, limit int) []Contender {
	var found []Contender
	written := false // a writer is ahead
	for i, c := range queue {
		stat := contents[i].stat
		if stat == nil {
			continue
		}
		reads := isReader(c)
		mode := ModeWrite
		if reads {
			mode = ModeRead
		}
		found = append(found, Contender{
			Node: childOf(dir, c.name), Sequence: c.sequence, Mode: mode,
			Data: contents[i].data, SessionID: stat.EphemeralOwner,
			Since: time.UnixMilli(stat.Ctime), Token: Token(stat.Czxid),
			Holder: len(found) == 0 || reads && !written || isPermit(c) && len(found) < limit,
		})
		written = written || !reads
	}
	return found
}
