package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// enqueue creates a znode in every queue. When it fails, the znodes that exist,
// or may come to exist, have been handed to the session's clean-up.
func (a *multiAcquisition) enqueue(ctx context.Context) error {
	missing, pause := 0, minRetry
	for {
		err := a.enqueueOnce(ctx)
		switch {
		case errors.Is(err, errLostCreate):
			err = sleep(ctx, pause)
			pause = min(2*pause, maxRetry)
		case errors.Is(err, zk.ErrNoNode) && missing < maxAttempts:
			missing++
			err = a.makeDirectories(ctx)
		default:
			return err
		}
		// A parent may vanish again while its child is made.
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
	}
}

// makeDirectories makes all lock directories. The answer of a transaction
// names only the first that is missing.
func (a *multiAcquisition) makeDirectories(ctx context.Context) error {
	for _, p := range a.parts {
		if err := p.makeDirectory(ctx, p.path); err != nil {
			return a.blame(p, err)
		}
	}
	return nil
}

// enqueueOnce makes one attempt.
func (a *multiAcquisition) enqueueOnce(ctx context.Context) error {
	for _, p := range a.parts {
		a.traces.enqueueStart(EnqueueStartInfo{Path: p.path, Mode: p.mode})
	}
	left, err := a.create(ctx)
	if err == nil {
		if err = a.examine(ctx); err != nil {
			left = a.orphans()
		}
	}
	a.report(ctx, left, err)
	return err
}

// report tells of the attempt, and then hands over the znodes that it must not
// leave behind: all of them, when a hook does not return.
func (a *multiAcquisition) report(ctx context.Context, left []*orphan, err error) {
	returned := false
	defer func() {
		if !returned && err == nil {
			left = a.orphans()
		}
		a.session.adopt(left...)
	}()
	if ctx.Err() == nil {
		for _, p := range a.parts {
			p.traceEnqueued(p.place, err)
		}
	}
	returned = true
}

// create makes all znodes in one transaction, and finds out what became of it.
// With an error it returns the znodes that may exist all the same.
func (a *multiAcquisition) create(ctx context.Context) ([]*orphan, error) {
	if _, err := a.session.online(ctx); err != nil {
		return nil, err
	}
	guid := a.session.config.newGUID()
	for _, p := range a.parts {
		p.place = place{guid: guid}
	}
	request := a.sendCreate(guid)
	made, err := request.wait(ctx)
	switch {
	case err == nil && ctx.Err() == nil:
		for i, p := range a.parts {
			p.place.node = made[i].String
		}
		return nil, nil
	case request.over() && answered(request.err):
		return nil, err
	case ctx.Err() != nil:
		return a.unborn(request), interrupted(ctx)
	case errors.Is(err, zk.ErrShortBuffer): // would be so again
		return a.orphans(), err
	default:
		return a.recover(ctx)
	}
}

func (a *multiAcquisition) sendCreate(guid string) *call[[]zk.MultiResponse] {
	var creates []any
	for _, p := range a.parts {
		creates = append(creates, &zk.CreateRequest{
			Path: childOf(p.path, protectedName(guid, p.marker)), Data: p.config.data,
			Acl: p.config.acl, Flags: zk.FlagEphemeralSequential,
		})
	}
	return start(a.session, func(c Client) ([]zk.MultiResponse, error) {
		made, err := c.Multi(creates...)
		if err == nil && len(made) != len(creates) {
			err = errShortReply
		}
		return made, err
	})
}

// unborn returns what a transaction under way may still make.
func (a *multiAcquisition) unborn(request *call[[]zk.MultiResponse]) []*orphan {
	var all []*orphan
	for i, p := range a.parts {
		create := start(a.session, func(Client) (creation, error) {
			made, err := request.wait(a.session.background)
			if err != nil {
				return creation{}, err
			}
			return creation{node: made[i].String}, nil
		})
		all = append(all, p.orphan(p.place, create))
	}
	return all
}

// recover looks for the znodes of a transaction that got no reply. There are
// either all or none, unless somebody deletes one.
func (a *multiAcquisition) recover(ctx context.Context) ([]*orphan, error) {
	complete := true
	for _, p := range a.parts {
		node, err := a.session.find(ctx, p.path, p.place.guid)
		if err != nil {
			return a.orphans(), err
		}
		p.place.node, p.place.recovered = node, true
		complete = complete && node != ""
	}
	if !complete {
		return a.orphans(), errLostCreate
	}
	return nil, nil
}

// examine completes what is known of the new znodes, and refuses them when the
// number of one is too close to the counter's end. Their token is the same,
// and so is their session.
func (a *multiAcquisition) examine(ctx context.Context) error {
	for _, p := range a.parts {
		if err := p.number(&p.place); err != nil {
			return a.blame(p, err)
		}
	}
	first := a.parts[0]
	if err := first.readToken(ctx, &first.place); err != nil {
		return err
	}
	for _, p := range a.parts {
		p.place.token = first.place.token
	}
	return nil
}
