package zklock

import (
	"context"
	"errors"
	"math"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

// A Mode says how a lock is held.
type Mode string

// The modes of a lock.
const (
	ModeWrite Mode = "write" // alone, or one permit of a [Semaphore]
	ModeRead  Mode = "read"  // together with other readers
)

// An acquisition is one call of Lock: it takes a place in a queue, or, of a [Multi],
// in several at once, and waits until all of them hold.
type acquisition struct {
	session *Session
	caller  context.Context
	places  []*place
	mode    Mode
	traces  traces
	try     bool
	began   time.Time
	// wait waits until the places hold; a semaphore has one of its own.
	wait func(ctx context.Context, a *acquisition) error

	grant    *grant         // of the session that the places belong to
	creating *call[results] // the create, while its outcome is not known
	blamed   *place         // where it failed; nil when nowhere in particular
	lease    *Lease         // once it is held
}

// A place is where an acquisition stands in one queue.
type place struct {
	*lock
	kind      queue.Kind
	guid      string // in the znode's name; empty when there can be no znode
	node      string // full path of the znode, empty when it is not known
	sequence  int32
	token     Token
	czxid     int64 // of the znode, 0 when it is not known
	recovered bool
	alone     bool // nobody else was in the queue when it was joined
}

// newAcquisition returns one that takes a place in each of locks.
func newAcquisition(ctx context.Context, locks []*lock, kind queue.Kind, mode Mode, try bool) *acquisition {
	first := locks[0]
	a := &acquisition{
		session: first.session, caller: ctx, mode: mode, try: try, began: time.Now(),
		traces: first.config.traces.with(ctx), wait: awaitTurns,
	}
	for _, l := range locks {
		a.places = append(a.places, &place{lock: l, kind: kind.With(l.config.markers)})
	}
	return a
}

// acquire takes the lock, or fails with an [*Error].
func (l *lock) acquire(ctx context.Context, kind queue.Kind, mode Mode, try bool) (*Lease, error) {
	return newAcquisition(ctx, []*lock{l}, kind, mode, try).acquire(ctx)
}

func (a *acquisition) acquire(ctx context.Context) (*Lease, error) {
	lease, err := a.run(ctx)
	if err == nil {
		return lease, nil
	}
	err = a.session.reason(ctx, a.grant, err)
	for _, p := range a.places {
		a.traces.gaveUp(GaveUpInfo{Path: p.path, Node: p.node, Mode: a.mode, Err: err})
	}
	return nil, a.fail(err)
}

// fail names the path that err is about, or else all of them.
func (a *acquisition) fail(err error) error {
	p := a.blamed
	if p == nil && len(a.places) == 1 {
		p = a.places[0]
	}
	if p != nil {
		return failure(operation(a.try), p.path, p.node, err)
	}
	return failure(operation(a.try), strings.Join(pathsOf(a.places), ","), "", err)
}

// blame notes that err came up at p, and returns it.
func (a *acquisition) blame(p *place, err error) error {
	a.blamed = p
	return err
}

func pathsOf(places []*place) []string {
	paths := make([]string, len(places))
	for i, p := range places {
		paths[i] = p.path
	}
	return paths
}

func nodesOf(places []*place) []string {
	nodes := make([]string, len(places))
	for i, p := range places {
		nodes[i] = p.node
	}
	return nodes
}

// maxAttempts bounds how often an acquisition starts again because somebody
// deletes its znode, or its directory, under it.
const maxAttempts = 10

// run repeats attempts that somebody else spoils by deleting an own znode. When a
// hook does not return, what there is of the acquisition is cleaned up.
func (a *acquisition) run(ctx context.Context) (lease *Lease, err error) {
	for _, p := range a.places {
		if p.invalid != nil {
			return nil, a.blame(p, p.invalid)
		}
	}
	if err := a.session.enter(); err != nil {
		return nil, err
	}
	defer a.session.leave()
	if a.upgrades(ctx) {
		return nil, ErrUpgrade
	}
	returned := false
	defer func() {
		if !returned {
			a.abandon()
		}
	}()
	if err = a.probe(ctx); err == nil {
		for range maxAttempts {
			if lease, err = a.attempt(ctx); !errors.Is(err, errVanished) {
				break
			}
		}
	}
	returned = true
	return lease, err
}

// abandon is for an acquisition of which a hook has panicked, or ended the
// goroutine.
func (a *acquisition) abandon() {
	if a.lease != nil {
		a.session.drop(a.lease, errHook)
		return
	}
	a.giveUp()
}

// attempt takes a place in each queue and waits there.
func (a *acquisition) attempt(ctx context.Context) (*Lease, error) {
	a.blamed = nil
	if err := a.connect(ctx); err != nil {
		return nil, err
	}
	waiting, end := a.grant.within(ctx)
	defer end()
	if err := a.enqueue(waiting); err != nil {
		return nil, err
	}
	if err := a.wait(waiting, a); err != nil {
		a.withdraw(waiting, err)
		return nil, err
	}
	return a.hold(ctx)
}

// connect waits for a connection. The grant of none would pass for what has ended
// the acquisition: it may have been lost before that began.
func (a *acquisition) connect(ctx context.Context) error {
	grant, err := a.session.connected(ctx)
	if err == nil {
		a.grant = grant
	}
	return err
}

// withdraw gives up the places. A client that tried and found the lock held
// waits until its znodes are gone, or its next try would find those.
func (a *acquisition) withdraw(ctx context.Context, why error) {
	if !errors.Is(why, ErrHeld) || a.removePlaces(ctx) != nil {
		a.giveUp()
	}
}

// removePlaces deletes the znodes of all places.
func (a *acquisition) removePlaces(ctx context.Context) error {
	if len(a.places) == 1 {
		return a.session.remove(ctx, a.places[0].node, false)
	}
	_, err := a.session.transactOnce(ctx, deletionsOf(nodesOf(a.places)))
	return err
}

// giveUp has the znodes of all places, which exist or may come to exist, deleted in
// the background.
func (a *acquisition) giveUp() {
	var left []*orphan
	for i, p := range a.places {
		if p.guid != "" {
			left = append(left, a.orphan(p, i))
			p.guid = ""
		}
	}
	a.creating = nil
	a.session.adopt(left...)
}

// probe returns ErrHeld when somebody would be ahead of a newcomer, if that is to
// be found out first.
func (a *acquisition) probe(ctx context.Context) error {
	for _, p := range a.places {
		if !a.try || !p.config.probe || p.kind.Marker == queue.PermitMarker {
			continue
		}
		if err := a.probeAt(ctx, p); err != nil {
			return a.blame(p, err)
		}
	}
	return nil
}

func (a *acquisition) probeAt(ctx context.Context, p *place) error {
	if err := a.connect(ctx); err != nil {
		return err
	}
	waiting, end := a.grant.within(ctx)
	defer end()
	got, err := ask(waiting, a.session, a.session.listRequest(p.path, false))
	if isNoNode(err) {
		return nil
	}
	if err != nil {
		return err
	}
	contenders, err := p.contenders(got, math.MaxInt32)
	if err == nil && len(p.kind.Blockers(contenders, len(contenders))) > 0 {
		err = ErrHeld
	}
	return err
}
