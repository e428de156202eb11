package zklock

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/go-zookeeper/zk"
)

// A passage is what a reader of a mark learns.
type passage struct {
	last   int32 // the number up to which nobody is left
	marked bool  // there is a mark
	stat   *zk.Stat
}

func passageOf(data []byte, stat *zk.Stat) passage {
	last, marked := parseMark(data, stat.Czxid)
	return passage{last, marked, stat}
}

// passageRequest reads the mark of a directory, and whether the znode node is
// there.
func passageRequest(dir, node string) request[passage] {
	frame := newFrame(opMultiRead).
		int32(opGetData).bool(false).int32(-1).text(dir).bool(false).
		int32(opGetData).bool(false).int32(-1).text(node).bool(false).
		int32(-1).bool(true).int32(-1)
	return request[passage]{
		frame: frame.direct(node),
		read:  readPassage,
		by: func(c Client) (passage, error) {
			got, err := getMark(c, dir)
			if err != nil {
				return passage{}, err
			}
			found, _, err := c.Exists(node)
			if err == nil && !found {
				err = zk.ErrNoNode
			}
			return got, err
		},
	}
}

// errMuchData says that there is more data than the client takes in, so that
// it is no mark. Asking again would not help.
var errMuchData = fmt.Errorf("%w: the directory's data", ErrTooManyWaiters)

// readPassage reads the results of the two reads.
func readPassage(r *reply) (got passage, err error) {
	if r.cut {
		return passage{}, errMuchData
	}
	for read := 0; ; read++ {
		op, done, _ := r.int32(), r.bool(), r.int32()
		switch {
		case r.short || done && read != 2:
			return passage{}, errShortReply
		case done:
			return got, nil
		case op == opError:
			return passage{}, cmp.Or(codeError(r.int32()), errShortReply)
		}
		data := r.take(max(0, int(r.int32())))
		if stat := r.stat(); read == 0 {
			got = passageOf(data, stat)
		}
	}
}

// maxMarkedData bounds the data of a znode that is read together with a mark.
const maxMarkedData = 1 << 10

// readMark reads the mark of a long queue, when that is likely to be enough:
// after a look-ahead. It reports whether it was. The own znode is seen to
// exist, as in a listing.
func (v *vigil) readMark(ctx context.Context) (enough bool, err error) {
	known, _ := v.session.directories.known(v.path)
	if !v.settled || v.lists > 0 || !known.marked || !v.marks() || v.session.markless.Load() ||
		len(v.config.data) > maxMarkedData || !v.habit.marks.due() {
		return false, nil
	}
	got, err := v.passage(ctx)
	switch {
	case err == nil:
	case errors.Is(err, zk.ErrNoNode):
		return false, errVanished
	case ctx.Err() != nil:
		return false, interrupted(ctx)
	case unimplemented(err):
		v.session.markless.Store(true)
		return false, nil
	default:
		v.habit.marks.judge(false)
		return false, nil
	}
	enough = got.marked && v.turn.released(got.last, v.place.sequence)
	v.habit.marks.judge(enough)
	v.session.directories.saw(v.path, got.stat, v.config.long)
	v.seen = sightingOf(got.stat, len(v.turn.ahead), v.config.long)
	v.seen.free = v.seen.free || got.marked
	if enough {
		v.noteListed()
		v.traces.listed(ListedInfo{Node: v.place.node, Mode: v.mode, Children: int(got.stat.NumChildren), Position: v.turn.position, ByMark: true})
	}
	return enough, nil
}

// passage asks for it once. Whatever goes wrong, the listing can do without it,
// and is repeated as often as it takes.
func (v *vigil) passage(ctx context.Context) (passage, error) {
	if _, err := v.session.online(ctx); err != nil {
		return passage{}, err
	}
	return send(v.session, passageRequest(v.path, v.place.node)).wait(ctx)
}

// recognize finds out whether the data that a contender which is alone has seen
// is a mark. It does so before it holds the lock, so that nobody waits for it
// when the lock is released. Any lock of the directory does, though it may set
// no marks itself, as the data is in the way of the fast path, and of new
// numbers.
func (a *acquisition) recognize(ctx context.Context) {
	known, _ := a.session.directories.known(a.path)
	if a.seen.leftOver() && !a.config.textbook && !known.barred && !known.kept {
		a.seen.free = a.session.unkept(ctx, a.path, a.seen.version)
	}
}

// mark releases the place together with a mark, or with the removal of one. It
// returns false when there is neither to do, and then has sent nothing.
func (l *Lease) mark(ctx context.Context) (sent bool, err error) {
	data, ok := l.seen.mark(l.place.sequence)
	known, _ := l.session.directories.known(l.path)
	if !ok || known.barred || data != nil && (known.unmarkable || !l.marks()) {
		return false, nil
	}
	if _, err := l.session.online(ctx); err != nil {
		return false, err
	}
	_, err = send(l.session, markRequest(l.place.node, l.path, data, l.seen.version)).wait(ctx)
	if err != nil {
		l.session.directories.refused(l.path, err)
	}
	return true, err
}

// unkept reports whether the data of a directory, at a version, is a mark. It
// asks once: a reply that is too large for the client breaks the connection.
func (s *Session) unkept(ctx context.Context, dir string, version int32) bool {
	if _, err := s.online(ctx); err != nil {
		return false
	}
	got, err := start(s, func(c Client) (passage, error) { return getMark(c, dir) }).wait(ctx)
	switch {
	case err != nil && answered(err):
		s.directories.keep(dir, version) // or so it must seem to who may not read it
		return false
	case err != nil || got.stat.Version != version:
		return false
	case !got.marked:
		s.directories.keep(dir, version)
	}
	return got.marked
}

// getMark reads the data of a directory by go-zookeeper, if it is of a mark's
// length.
func getMark(c Client, dir string) (passage, error) {
	found, stat, err := c.Exists(dir)
	switch {
	case err != nil:
		return passage{}, err
	case !found:
		return passage{}, zk.ErrNoNode
	case stat.DataLength != int32(markLength):
		return passage{stat: stat}, nil
	}
	data, stat, err := c.Get(dir)
	if err != nil {
		return passage{}, err
	}
	return passageOf(data, stat), nil
}

// markRequest deletes a znode, and in the same transaction writes the data of
// its directory, which has the version.
func markRequest(node, dir string, data []byte, version int32) request[struct{}] {
	frame := newFrame(opMulti).
		int32(opDelete).bool(false).int32(-1).text(node).int32(-1).
		int32(opSetData).bool(false).int32(-1).text(dir).bytes(data).int32(version).
		int32(-1).bool(true).int32(-1)
	return request[struct{}]{
		frame: frame.direct(node),
		read: func(r *reply) (none struct{}, err error) {
			_, err = readCounted(r)
			return none, err
		},
		by: func(c Client) (none struct{}, err error) {
			_, err = c.Multi(&zk.DeleteRequest{Path: node, Version: -1}, &zk.SetDataRequest{Path: dir, Data: data, Version: version})
			return none, err
		},
	}
}
