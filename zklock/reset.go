package zklock

import (
	"context"
	"fmt"

	"github.com/go-zookeeper/zk"
)

// maxSequence is the greatest number that is used. The counter sticks at
// 2^31-1, and creates under way run ahead of it, so the last million is left.
const maxSequence = 1<<31 - 1<<20 - 1

// exhausted reports whether a number is too close to the counter's end.
func exhausted(sequence int32) bool { return sequence < 0 || sequence > maxSequence }

// resetSequence is the number from which a release tries to start the lock
// directory's counter again. There is no hurry at 2^30: half of the numbers
// are left for the moment when the lock is idle.
const resetSequence = 1 << 30

// parting returns what a release does besides, in the same transaction, to a
// directory in which it is alone, and what takes in the outcome. The version
// that was seen last makes sure that it is still empty of data.
func (l *Lease) parting() (more []any, done func([]zk.MultiResponse, error)) {
	seen, known := l.session.directories.known(l.path)
	switch {
	case !known || !seen.alone || !seen.empty:
		return nil, nil
	case l.place.sequence >= resetSequence:
		return l.reset(seen.version)
	case seen.quiet && !seen.barred && seen.version < minVersion && !l.config.textbook:
		return l.raise(seen.version)
	default:
		return nil, nil
	}
}

// reset deletes the directory, so that the next one starts at 0. It fails when
// there is another child.
func (l *Lease) reset(version int32) ([]any, func([]zk.MultiResponse, error)) {
	return []any{&zk.DeleteRequest{Path: l.path, Version: version}}, func(_ []zk.MultiResponse, err error) {
		if err == nil {
			l.session.directories.forget(l.path)
		}
	}
}

// raise writes the empty directory until its version is one at which the fast
// path may be taken. The own znode, which the listing showed together with
// that version, has kept the directory from being made anew since, or else the
// numbers of the places that followed show that it was not.
func (l *Lease) raise(version int32) (more []any, done func([]zk.MultiResponse, error)) {
	for v := version; v < minVersion; v++ {
		more = append(more, &zk.SetDataRequest{Path: l.path, Version: v})
	}
	return more, func(replies []zk.MultiResponse, err error) {
		if err != nil {
			l.session.directories.refused(l.path, err)
			return
		}
		if len(replies) == 0 || replies[len(replies)-1].Stat == nil {
			return // an answer cut short tells nothing
		}
		last := replies[len(replies)-1].Stat
		l.session.directories.wrote(l.path, last, last.NumChildren == 0)
	}
}

// errRenewed says that an exhausted directory has been deleted.
var errRenewed = fmt.Errorf("%w: the directory was deleted: %w", ErrSequenceExhausted, zk.ErrNoNode)

// renew deletes an exhausted directory together with p, if that is alone there
// and nobody keeps data: who comes to be alone in such a directory ends its
// being refused.
func (a *acquisition) renew(ctx context.Context, p place) bool {
	got, err := do(ctx, a.session, func(c Client) (listing, error) {
		return a.session.listing(c, a.path, false)
	})
	if err != nil || got.stat.NumChildren != 1 || got.stat.DataLength > 0 && !a.session.unkept(ctx, a.path, got.stat.Version) {
		return false
	}
	_, err = a.session.removeWith(ctx, p.node, []any{&zk.DeleteRequest{Path: a.path, Version: got.stat.Version}})
	a.session.directories.forget(a.path)
	return err == nil
}
