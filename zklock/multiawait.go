package zklock

import (
	"context"
	"errors"

	"github.com/go-zookeeper/zk"
)

// await returns when all places hold. It gives them up when a hook does not
// return.
func (a *multiAcquisition) await(ctx context.Context) error {
	returned := false
	defer func() {
		if !returned {
			a.session.adopt(a.orphans()...)
		}
	}()
	err := a.awaitTurns(ctx)
	returned = true
	return err
}

// awaitTurns waits for all places. Who is first in a queue stays so while
// its znode exists; whether those exist that were first before the wait for
// the others is seen to at the end.
func (a *multiAcquisition) awaitTurns(ctx context.Context) error {
	behind, err := a.survey(ctx)
	if err != nil || len(behind) == 0 {
		return err
	}
	for _, p := range behind {
		if err := p.awaitTurn(ctx, p.place); err != nil {
			return a.blame(p, err)
		}
	}
	return a.confirm(ctx)
}

// survey lists all queues at once, and returns the parts that have somebody
// ahead.
func (a *multiAcquisition) survey(ctx context.Context) (behind []*part, err error) {
	requests := make([]*call[listing], len(a.parts))
	for i, p := range a.parts {
		requests[i] = start(a.session, p.list)
	}
	for i, p := range a.parts {
		first, err := p.first(ctx, requests[i])
		switch {
		case err != nil:
			return nil, a.blame(p, err)
		case !first && a.try:
			return nil, a.blame(p, ErrHeld)
		case !first:
			behind = append(behind, p)
		}
	}
	return behind, nil
}

func (p *part) list(c Client) (listing, error) { return p.session.listing(c, p.path, false) }

// first reports whether the listing that was asked for shows nobody ahead.
func (p *part) first(ctx context.Context, request *call[listing]) (bool, error) {
	got, err := request.wait(ctx)
	if err != nil && !answered(err) {
		got, err = do(ctx, p.session, p.list)
	}
	if errors.Is(err, zk.ErrNoNode) {
		return false, errVanished
	}
	if err != nil {
		return false, err
	}
	p.session.directories.saw(p.path, got.stat, p.config.long)
	position := positionOf(queueOf(got.children, p.markers), p.place.node)
	p.traces.listed(ListedInfo{Node: p.place.node, Mode: p.mode, Children: len(got.children), Position: position})
	if position < 0 {
		return false, errVanished
	}
	return position == 0, nil
}

// confirm returns errVanished when one of the znodes does not exist.
func (a *multiAcquisition) confirm(ctx context.Context) error {
	err := existAll(ctx, a.session, a.nodes())
	if errors.Is(err, zk.ErrNoNode) {
		return errVanished
	}
	return err
}

// existAll returns nil when, at one moment, all nodes exist. It asks by a
// transaction, which no server answers from a state that is out of date.
func existAll(ctx context.Context, s *Session, nodes []string) error {
	_, err := do(ctx, s, func(c Client) ([]zk.MultiResponse, error) {
		return c.Multi(checksOf(nodes)...)
	})
	return err
}

func checksOf(nodes []string) []any {
	checks := make([]any, len(nodes))
	for i, node := range nodes {
		checks[i] = &zk.CheckVersionRequest{Path: node, Version: -1}
	}
	return checks
}
