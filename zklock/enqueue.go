package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"

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
	before    former // the place of the lock that this one follows
	node      string
	sequence  int32
	token     Token
	recovered bool
	alone     bool // nobody was ahead when it was made
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

// enqueueOnce makes one attempt.
func (a *acquisition) enqueueOnce(ctx context.Context) (place, error) {
	p, left, err := a.create(ctx)
	if err == nil {
		err = a.examine(ctx, &p)
		switch {
		case err == nil:
			a.judgeSuccession(&p)
		case errors.Is(err, ErrSequenceExhausted) && a.renew(ctx, p):
			err = errRenewed
		default:
			left = a.orphan(p, nil)
		}
	}
	a.report(ctx, p, left, err)
	return p, err
}

// report tells of an attempt, and then hands over the znode that it must not
// leave behind: also p itself, when a hook does not return.
func (a *acquisition) report(ctx context.Context, p place, left *orphan, err error) {
	returned := false
	defer func() {
		if !returned && err == nil {
			left = a.orphan(p, nil)
		}
		if left != nil {
			a.session.adopt(left)
		}
	}()
	if ctx.Err() == nil {
		a.traceEnqueued(p, err)
	}
	returned = true
}

func (a *acquisition) traceEnqueued(p place, err error) {
	info := EnqueuedInfo{Path: a.path, Mode: a.mode, Err: err}
	if err == nil {
		info.Node, info.Sequence, info.Token, info.Recovered = p.node, p.sequence, p.token, p.recovered
	}
	a.traces.enqueued(info)
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
