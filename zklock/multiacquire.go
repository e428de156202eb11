package zklock

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"
)

// A multiAcquisition is one call of Multi.Lock.
type multiAcquisition struct {
	session *Session
	grant   *grant // of the session that the places belong to
	traces  traces
	try     bool
	parts   []*part
	blamed  *part // where the attempt failed; nil when on none in particular
}

// A part is what an acquisition of a multi-lock does on one of its paths: it
// stands in line there as a mutex does.
type part struct {
	*acquisition
	place place
}

func (m *Multi) acquire(ctx context.Context, try bool) (*MultiLease, error) {
	a := m.newAcquisition(ctx, try)
	lease, err := a.run(ctx)
	if err == nil {
		return lease, nil
	}
	err = m.session.explain(ctx, err)
	for _, p := range a.parts {
		a.traces.gaveUp(GaveUpInfo{Path: p.path, Node: p.place.node, Mode: p.mode, Err: err})
	}
	return nil, a.fail(err)
}

func (m *Multi) newAcquisition(ctx context.Context, try bool) *multiAcquisition {
	a := &multiAcquisition{session: m.session, try: try}
	began := time.Now()
	for _, l := range m.locks {
		k := mutexKind
		k.markers = slices.Concat(k.markers, l.config.markers)
		a.traces = l.config.traces.with(ctx)
		a.parts = append(a.parts, &part{acquisition: &acquisition{
			lock: l, kind: k, traces: a.traces, try: try, began: began,
		}})
	}
	return a
}

// blame notes that err came up on the path of p, and returns it.
func (a *multiAcquisition) blame(p *part, err error) error {
	a.blamed = p
	return err
}

func (a *multiAcquisition) fail(err error) error {
	op := operation(a.try)
	if p := a.blamed; p != nil {
		return failure(op, p.path, p.place.node, err)
	}
	var paths []string
	for _, p := range a.parts {
		paths = append(paths, p.path)
	}
	return failure(op, strings.Join(paths, ","), "", err)
}

// run repeats attempts that somebody else spoils by deleting one of the own
// znodes.
func (a *multiAcquisition) run(ctx context.Context) (lease *MultiLease, err error) {
	if err := a.session.enter(); err != nil {
		return nil, err
	}
	defer a.session.leave()
	if err := a.probe(ctx); err != nil {
		return nil, err
	}
	for range maxAttempts {
		lease, err = a.attempt(ctx)
		if !errors.Is(err, errVanished) {
			break
		}
	}
	return lease, err
}

// probe looks at the queues before they are joined, when that is wanted.
func (a *multiAcquisition) probe(ctx context.Context) error {
	for _, p := range a.parts {
		if !a.try || !p.config.probe {
			continue
		}
		if err := p.probe(ctx); err != nil {
			return a.blame(p, err)
		}
	}
	return nil
}

// attempt takes a place in every queue, and waits until all hold.
func (a *multiAcquisition) attempt(ctx context.Context) (*MultiLease, error) {
	a.blamed = nil
	if err := a.connect(ctx); err != nil {
		return nil, err
	}
	waiting := a.grant.within(ctx)
	defer waiting.end()
	if err := a.enqueue(waiting); err != nil {
		return nil, err
	}
	if err := a.await(waiting); err != nil {
		a.withdraw(waiting, err)
		return nil, err
	}
	return a.hold(ctx)
}

// connect waits for a session, which is then that of all parts.
func (a *multiAcquisition) connect(ctx context.Context) (err error) {
	if a.grant, err = a.session.connected(ctx); err != nil {
		return err
	}
	for _, p := range a.parts {
		p.grant, p.place = a.grant, place{}
	}
	return nil
}

func (a *multiAcquisition) nodes() []string {
	nodes := make([]string, len(a.parts))
	for i, p := range a.parts {
		nodes[i] = p.place.node
	}
	return nodes
}

// withdraw gives up all places. A client that tried and found a lock held
// waits until its znodes are gone, or its next try would find those.
func (a *multiAcquisition) withdraw(ctx context.Context, why error) {
	if errors.Is(why, ErrHeld) && a.session.removeAll(ctx, a.nodes()) == nil {
		return
	}
	a.session.adopt(a.orphans()...)
}

// removeAll deletes nodes in one transaction, and may have done so even when
// it fails, unless the error is an answer.
func (s *Session) removeAll(ctx context.Context, nodes []string, more ...any) error {
	var ops []any
	for _, node := range nodes[1:] {
		ops = append(ops, &zk.DeleteRequest{Path: node, Version: -1})
	}
	_, err := s.removeWith(ctx, nodes[0], slices.Concat(ops, more))
	return err
}

func (a *multiAcquisition) orphans() []*orphan {
	var all []*orphan
	for _, p := range a.parts {
		all = append(all, p.orphan(p.place, nil))
	}
	return all
}
