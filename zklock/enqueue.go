package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/go-zookeeper/zk"
)

// maxAttempts bounds how often an acquisition starts again because somebody
// deletes its znode, or its directory, under it.
const maxAttempts = 10

// errVanished says that the own znode was deleted by somebody else while it
// was waiting.
var errVanished = fmt.Errorf("zklock: own znode was deleted by another: %w", zk.ErrNoNode)

// A place is a znode of ours in a queue.
type place struct {
	guid      string
	node      string
	sequence  int32
	token     Token
	recovered bool
}

// enqueue creates a znode in the queue, in the session of a.grant, and returns
// it. When it fails, a znode that exists, or may come to exist, has been handed
// to the session's clean-up. ctx ends with the grant at the latest.
func (a *acquisition) enqueue(ctx context.Context) (place, error) {
	missing, pause := 0, minRetry
	for {
		a.traces.enqueueStart(EnqueueStartInfo{Path: a.path, Mode: a.mode})
		p, err := a.enqueueOnce(ctx)
		switch {
		case errors.Is(err, errLostCreate):
			err = sleep(ctx, pause)
			pause = min(2*pause, maxRetry)
		case errors.Is(err, zk.ErrNoNode) && missing < maxAttempts:
			missing++
			err = a.makeDirectory(ctx, a.path)
		default:
			return p, err
		}
		// A parent may vanish again while its child is made.
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return place{}, err
		}
	}
}

// enqueueOnce makes one attempt. A znode that it must not leave behind is
// handed over after the attempt has been reported.
func (a *acquisition) enqueueOnce(ctx context.Context) (place, error) {
	p, left, err := a.create(ctx)
	if err == nil {
		if err = a.examine(ctx, &p); err != nil {
			left = a.orphan(p, nil)
		}
	}
	if ctx.Err() == nil {
		a.traceEnqueued(p, err)
	}
	if left != nil {
		a.session.adopt(left)
	}
	return p, err
}

func (a *acquisition) traceEnqueued(p place, err error) {
	info := EnqueuedInfo{Path: a.path, Mode: a.mode, Err: err}
	if err == nil {
		info.Node, info.Sequence, info.Token, info.Recovered = p.node, p.sequence, p.token, p.recovered
	}
	a.traces.enqueued(info)
}

// errLostCreate says that a create has failed, as far as can be seen, and may
// be repeated.
var errLostCreate = errors.New("zklock: connection lost while creating the znode")

// create sends one create and finds out what became of it. With an error it
// returns the znode that may exist all the same.
func (a *acquisition) create(ctx context.Context) (place, *orphan, error) {
	if _, err := a.session.online(ctx); err != nil {
		return place{}, nil, err
	}
	p := place{guid: a.session.config.newGUID()}
	a.session.tokens.expect(p.guid)
	defer a.session.tokens.take(p.guid)
	request := a.sendCreate(p.guid)
	node, err := request.wait(ctx)
	switch {
	case err == nil && ctx.Err() == nil:
		p.node, p.token = node, a.session.tokens.take(p.guid)
		return p, nil, nil
	case request.over() && answered(request.err):
		return place{}, nil, err
	case ctx.Err() == nil:
		return a.recover(ctx, p)
	default:
		return place{}, a.orphan(p, request), context.Cause(ctx)
	}
}

func (a *acquisition) sendCreate(guid string) *call[string] {
	name := path.Join(a.path, protectedName(guid, a.marker))
	return start(a.session, func(c Client) (string, error) {
		return c.Create(name, a.config.data, zk.FlagEphemeralSequential, a.config.acl)
	})
}

// recover looks for the znode of a create that got no reply.
func (a *acquisition) recover(ctx context.Context, p place) (place, *orphan, error) {
	node, err := a.session.find(ctx, a.path, p.guid)
	switch {
	case err != nil:
		return place{}, a.orphan(p, nil), err
	case node == "":
		return place{}, a.orphan(p, nil), errLostCreate
	default:
		p.node, p.recovered = node, true
		return p, nil, nil
	}
}

// find returns the path of the znode in dir whose name carries guid, or "".
// The sync lets the server catch up first with a create that was sent through
// another one.
func (s *Session) find(ctx context.Context, dir, guid string) (string, error) {
	found, err := do(ctx, s, func(c Client) (listing, error) {
		if _, err := c.Sync(dir); err != nil {
			return listing{}, err
		}
		return s.listing(c, dir, false)
	})
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return "", err
	}
	for _, name := range found.children {
		if strings.HasPrefix(name, protection+guid+"-") {
			return path.Join(dir, name), nil
		}
	}
	return "", nil
}

// examine completes what is known of a new znode, and refuses it when its
// number is too close to the counter's end.
func (a *acquisition) examine(ctx context.Context, p *place) error {
	if err := a.number(p); err != nil {
		return err
	}
	if p.token != 0 {
		return nil
	}
	return a.readToken(ctx, p)
}

func (a *acquisition) number(p *place) error {
	_, sequence, ok := parseName(path.Base(p.node), a.markers)
	if !ok {
		return fmt.Errorf("zklock: the server made a name that is no contender's: %q", p.node)
	}
	if exhausted(sequence) {
		return ErrSequenceExhausted
	}
	p.sequence = sequence
	return nil
}

// readToken asks the server for the token where the connection did not show
// it, and whether the znode is of this session: a znode found again may be a
// former one's.
func (a *acquisition) readToken(ctx context.Context, p *place) error {
	stat, err := stat(ctx, a.session, p.node)
	if err != nil {
		return err
	}
	if stat.EphemeralOwner != a.grant.id {
		return fmt.Errorf("%w: znode is of session %#x", ErrSessionLost, stat.EphemeralOwner)
	}
	p.token = Token(stat.Czxid)
	return nil
}

// stat reads the metadata of a znode.
func stat(ctx context.Context, s *Session, node string) (*zk.Stat, error) {
	return do(ctx, s, func(c Client) (*zk.Stat, error) {
		found, stat, err := c.Exists(node)
		if err == nil && !found {
			err = zk.ErrNoNode
		}
		return stat, err
	})
}
