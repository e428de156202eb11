package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// makeDirectory creates the znode at dir, and its parents, where missing.
func (l *lock) makeDirectory(ctx context.Context, dir string) error {
	if dir == "/" {
		return nil
	}
	err := l.makeOne(ctx, dir)
	if !errors.Is(err, zk.ErrNoNode) {
		return err
	}
	if err := l.makeDirectory(ctx, path.Dir(dir)); err != nil {
		return err
	}
	return l.makeOne(ctx, dir)
}

// makeOne creates one znode, as a container if it can be one. A parent that
// exists is as good as one made here.
func (l *lock) makeOne(ctx context.Context, dir string) error {
	var err error
	if l.config.container {
		_, err = ask(ctx, l.session, containerRequest(dir, l.config.acl))
	}
	if !l.config.container || errors.Is(err, zk.ErrBadArguments) || unimplemented(err) {
		_, err = do(ctx, l.session, func(c Client) (string, error) {
			return c.Create(dir, nil, zk.FlagPersistent, l.config.acl)
		})
	}
	if errors.Is(err, zk.ErrNodeExists) {
		return nil
	}
	return err
}

// containerRequest creates a container. It goes past go-zookeeper where it can
// also because that reads the reply to a request that has failed, which may be
// arriving just then.
func containerRequest(dir string, acl []zk.ACL) request[struct{}] {
	return request[struct{}]{
		frame: direct.End(direct.Begin(protocol.OpCreateContainer).Text(dir).Bytes(nil).ACL(acl).Int32(zk.FlagContainer), dir),
		read:  readNothing,
		by: func(c Client) (none struct{}, err error) {
			_, err = c.CreateContainer(dir, nil, zk.FlagContainer, acl)
			return none, err
		},
	}
}

// A listing is the children of a lock directory, and its own metadata.
type listing struct {
	children []string
	stat     *zk.Stat
}

// listRequest lists dir; watch says whether to watch it, too.
func (s *Session) listRequest(dir string, watch bool) request[listing] {
	return request[listing]{
		frame: direct.End(direct.Begin(protocol.OpGetChildren2).Text(dir).Bool(watch), dir),
		read: func(reply *protocol.Reader, _ int64, err error) (l listing, _ error) {
			switch {
			case errors.Is(err, direct.ErrTooLarge):
				return l, ErrTooManyWaiters
			case err != nil:
				return l, err
			}
			return listing{reply.Texts(), reply.Stat()}, nil
		},
		by: func(c Client) (l listing, err error) {
			before := s.tooLarge.Load()
			if watch {
				l.children, l.stat, _, err = c.ChildrenW(dir)
			} else {
				l.children, l.stat, err = c.Children(dir)
			}
			if err != nil && !answered(err) && s.tooLarge.Load() != before {
				err = ErrTooManyWaiters
			}
			return l, err
		},
	}
}

// listWatching lists dir, and watches it for arrivals and departures.
func (s *Session) listWatching(ctx context.Context, dir string) (listing, *watch, error) {
	change, _ := s.watches.on(watched{dir, true})
	got, err := ask(ctx, s, s.listRequest(dir, true))
	s.watches.settle(change, err)
	return got, change, err
}

// contenders reads the queue in a listing, up to the number last. It refuses, by a
// [ForeignError], one in which there is somebody whom the kind does not recognize.
func (p *place) contenders(got listing, last int32) ([]queue.Contender, error) {
	contenders, foreign := queue.Read(got.children, p.kind.Markers, last)
	if foreign != "" {
		return nil, &ForeignError{Node: childOf(p.path, foreign)}
	}
	return contenders, nil
}

// A directory is what a session has last seen of a lock directory. It decides
// only which requests to try: the server refuses those that the memory is too
// old for.
type directory struct {
	version int32 // of its data
	empty   bool  // of data
	alone   bool  // there was one child, our own
	idle    bool  // nobody else has used the lock since the look before
	barred  bool  // its data may not be written
}

// directories are the lock directories that a session remembers.
type directories struct {
	mu   sync.Mutex
	seen map[string]directory
}

// maxDirectories bounds the memory; more than that are forgotten, any first.
const maxDirectories = 1024

// minVersion is the least version of a directory's data at which a lock is joined
// by one transaction, which writes it. A directory that somebody has deleted and
// made again counts from 0: to be taken for the old one, with data in it, it would
// have to have been written exactly as often. The first release that can raises
// the version.
const minVersion = 16

// likelyEmpty returns the version to ask for in the transaction that joins a queue.
// likely is false when that is not worth a try.
func (d *directories) likelyEmpty(path string) (version int32, likely bool) {
	dir := d.known(path)
	return dir.version, dir.idle && dir.empty && !dir.barred && dir.version >= minVersion
}

// saw takes in the metadata that came with a listing.
func (d *directories) saw(path string, stat *zk.Stat) {
	d.mu.Lock()
	defer d.mu.Unlock()
	old, known := d.seen[path]
	alone := stat.NumChildren == 1
	d.put(path, directory{
		version: stat.Version,
		empty:   stat.DataLength == 0,
		alone:   alone,
		idle:    alone && (!known || old.version == stat.Version),
		barred:  old.barred,
	})
}

// wrote takes in the metadata that came with a write of ours.
func (d *directories) wrote(path string, stat *zk.Stat, alone bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.put(path, directory{version: stat.Version, empty: true, alone: alone, idle: alone})
}

// refused takes in that a write failed.
func (d *directories) refused(path string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if dir, known := d.seen[path]; known {
		dir.idle = false
		dir.barred = dir.barred || errors.Is(err, zk.ErrNoAuth)
		d.seen[path] = dir
	}
}

// forget is for a directory that is gone.
func (d *directories) forget(path string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	delete(d.seen, path)
}

// known returns what was seen last, the zero directory if nothing was.
func (d *directories) known(path string) directory {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.seen[path]
}

// put keeps dir. The caller holds d.mu.
func (d *directories) put(path string, dir directory) {
	if d.seen == nil {
		d.seen = make(map[string]directory)
	}
	if _, known := d.seen[path]; !known && len(d.seen) >= maxDirectories {
		for other := range d.seen {
			delete(d.seen, other)
			break
		}
	}
	d.seen[path] = dir
}

// releaseWith deletes the znode of p together with what is to be done to its
// directory, if there is something: to start its counter again, or to raise its
// version. done is false when that has failed, or there is nothing; sent then says
// that it may have been done all the same.
func (p *place) releaseWith(ctx context.Context) (done, sent bool) {
	seen := p.session.directories.known(p.path)
	var err error
	switch {
	case seen.alone && p.sequence >= queue.ResetSequence:
		err = p.resetDirectory(ctx)
	case seen.alone && seen.empty && seen.idle && !seen.barred && seen.version < minVersion && p.config.recipe.OneTransaction:
		err = p.raiseVersion(ctx, seen.version)
	default:
		return false, false
	}
	return err == nil, err != nil && !answered(err)
}

// raiseVersion writes the empty directory until its version is one at which the
// lock may be joined by one transaction. The own znode, which the listing showed
// together with that version, has kept the directory from being made anew since.
func (p *place) raiseVersion(ctx context.Context, version int32) error {
	ops := deletionsOf([]string{p.node})
	for v := version; v < minVersion; v++ {
		ops = append(ops, &zk.SetDataRequest{Path: p.path, Version: v})
	}
	done, err := p.session.transactOnce(ctx, ops)
	if err != nil {
		p.session.directories.refused(p.path, err)
		return err
	}
	if last := done.ops[len(ops)-1].Stat; last != nil {
		p.session.directories.wrote(p.path, last, last.NumChildren == 0)
	}
	return nil
}

// Why a directory is not made anew.
var (
	errNotAlone  = fmt.Errorf("zklock: others use the directory: %w", zk.ErrNotEmpty)
	errLargeData = fmt.Errorf("zklock: the directory's data is too large to be read: %w", zk.ErrShortBuffer)
	errHiddenACL = fmt.Errorf("zklock: the directory's access control list is not shown in full: %w", zk.ErrNoAuth)
)

// resetDirectory deletes the znode of p and the directory, in which that is alone,
// and makes the directory anew with the data and the access control list that it
// had. That starts the server's counter again. All of it is one transaction, which
// fails if anybody has come or written meanwhile.
//
// The new directory is persistent. Whether the old one was, or a container or one
// with a time to live, the server does not show (ZooKeeper, DataNode.copyStat), and
// one that is left over does less harm than one that goes with its data.
func (p *place) resetDirectory(ctx context.Context) error {
	ops, err := p.renewal(ctx)
	if err != nil {
		return err
	}
	_, err = p.session.transactOnce(ctx, ops)
	p.session.directories.forget(p.path)
	return err
}

// renewal reads the directory, and returns the operations that make it anew.
func (p *place) renewal(ctx context.Context) ([]any, error) {
	found, err := stat(ctx, p.session, p.path)
	switch limit := p.session.config.receive; {
	case err != nil:
		return nil, err
	case found.NumChildren != 1 || p.path == "/":
		return nil, errNotAlone
	case limit > 0 && int(found.DataLength) > limit/2:
		return nil, errLargeData
	}
	return do(ctx, p.session, func(c Client) ([]any, error) {
		acl, _, err := c.GetACL(p.path)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(acl, isHidden) {
			return nil, errHiddenACL
		}
		data, stat, err := c.Get(p.path)
		if err != nil {
			return nil, err
		}
		return append(deletionsOf([]string{p.node}),
			&zk.DeleteRequest{Path: p.path, Version: stat.Version},
			&zk.CreateRequest{Path: p.path, Data: data, Acl: acl}), nil
	})
}

// isHidden reports whether the server has left the hash out of an entry, as it does
// for clients that may not change the list (ZooKeeper, FinalRequestProcessor).
func isHidden(entry zk.ACL) bool {
	return entry.Scheme == "digest" && strings.HasSuffix(entry.ID, ":x")
}
