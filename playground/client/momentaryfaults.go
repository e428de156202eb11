package client

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// The faults that are done once and for all.

var (
	sessionLivesOn   = event.NewCode("process-gone", "the process is gone; its session lives on until the server times it out")
	entryStays       = event.NewCode("process-gone-entry-stays", "the process is gone; what it has in the store stays there")
	endedWithProcess = event.NewCode("ended-with-process", "it ended with the process")
	closesSession    = event.NewCode("closes-session", "the client closes its session in good order and leaves")
	madeToExpire     = event.NewCode("made-to-expire", "the server is made to end the session {session}")
	operatorDeletes  = event.NewCode("operator-deletes", "an operator deletes the client's newest znode")
	didNotHappen     = event.NewCode("did-not-happen", "it did not happen: {reason}")
	mayHaveHappened  = event.NewCode("may-have-happened", "no server has confirmed it, it may have happened: {reason}")
)

func crash(_ context.Context, p *Participant, f scenario.Fault) error {
	if err := p.present(); err != nil {
		return err
	}
	p.link.Kill() // first, so that nothing passes the link unrecorded
	left := sessionLivesOn
	if p.config.Store != nil {
		left = entryStays
	}
	died := p.injected(f, left.With())
	if !p.config.Recorder.RecordIf(func() bool { return !p.crashed.Swap(true) }, died) {
		return p.present()
	}
	p.stop() // before the gate opens: what was paused is not to go on
	p.endFaults(endedWithProcess.With())
	p.owner.died()
	return nil
}

// closeSession closes the client's session in good order. It goes on after the
// fault has been told: on a bad link that takes as long as it takes, and is ended
// with the run.
func closeSession(_ context.Context, p *Participant, f scenario.Fault) error {
	leave, err := p.owner.leave()
	if err != nil {
		return err
	}
	p.active.mu.Lock()
	defer p.active.mu.Unlock()
	if err := p.mayLeave(); err != nil {
		return err
	}
	p.left.Store(true)
	p.config.Recorder.Record(p.injected(f, closesSession.With()))
	p.leaving.Go(func() {
		leave()
		p.stop()
	})
	return nil
}

// startAgain starts another process in the place of one that is gone.
func startAgain(_ context.Context, p *Participant, f scenario.Fault) error { return p.owner.again(f) }

// mayLeave says why the client cannot close its session, if so. The caller
// holds the mutex of the active faults.
func (p *Participant) mayLeave() error {
	if p.active.byName[pause] != nil {
		return fmt.Errorf("%w: client %d is paused and can do nothing in good order", ErrImpossible, p.number)
	}
	return p.mayBegin()
}

// expire takes the session over from a second connection and closes it. The
// client's link is blocked meanwhile: else a client that reconnects in between
// would win its session back.
func expire(ctx context.Context, p *Participant, f scenario.Fault) error {
	ctx, done, err := p.faultContext(ctx)
	if err != nil {
		return err
	}
	defer done()
	id, password := p.owning(ctx)
	switch {
	case p.config.Store != nil:
		return fmt.Errorf("%w: the lock of this lane is in no session", ErrImpossible)
	case id == 0:
		return fmt.Errorf("%w: client %d has no session that it could lose", ErrImpossible, p.number)
	}
	told := p.injected(f, madeToExpire.With(wire.SessionHex(id)))
	p.config.Recorder.Record(told)
	p.link.Block(f.Name)
	defer p.link.Unblock(f.Name)
	if err := p.config.ZooKeeper.Expire(ctx, id, password); err != nil {
		return p.missed(told, true, err)
	}
	if !p.link.Blocked(f.Name) { // else the end of the connection waits, too
		p.link.Cut()
	}
	return nil
}

// owning is the session of the client that its newest znode is of, or else its newest one.
func (p *Participant) owning(ctx context.Context) (id int64, password []byte) {
	id, password, _ = p.tap.Session()
	node, _ := p.tap.LastCreated()
	sessions := p.tap.Sessions()
	if len(sessions) < 2 || node == "" {
		return id, password
	}
	_ = p.config.ZooKeeper.Do(ctx, operatorSession, func(operator *wire.Client) error {
		stat, err := operator.Exists(ctx, node)
		if own, its := sessions[stat.EphemeralOwner]; err == nil && its {
			id, password = stat.EphemeralOwner, own
		}
		return err
	}) // then it is the newest
	return id, password
}

// operatorSession is the session timeout of an operator, who owns nothing.
const operatorSession = 10 * time.Second

// deleteNode deletes the client's newest znode, as an operator may.
func deleteNode(ctx context.Context, p *Participant, f scenario.Fault) error {
	if p.config.Store != nil {
		return deleteEntry(ctx, p, f)
	}
	ctx, done, err := p.faultContext(ctx)
	if err != nil {
		return err
	}
	defer done()
	node, _ := p.tap.LastCreated()
	if node == "" {
		return fmt.Errorf("%w: client %d has made no znode yet", ErrImpossible, p.number)
	}
	told := p.injected(f, operatorDeletes.With())
	told.Path = node
	asked, deleted := false, false
	err = p.config.ZooKeeper.Do(ctx, operatorSession, func(operator *wire.Client) error {
		asked = true
		p.config.Recorder.Record(told)
		err := operator.Delete(ctx, node)
		deleted = err == nil
		return err
	})
	if deleted {
		return nil // whatever became of the operator's session, which owns nothing
	}
	return p.missed(told, asked, err)
}

// missed tells that a fault did not happen, or, where a server was asked for it
// and has not answered, that nobody knows.
func (p *Participant) missed(told event.Event, asked bool, err error) error {
	refused := wire.Code(0)
	answered := errors.As(err, &refused) || store.Refused(err) || errors.Is(err, errNobodyHas)
	told.Kind, told.Reason = event.NoteFault, didNotHappen.With(Because(err))
	if asked && !answered {
		told.Reason = mayHaveHappened.With(Because(err))
	}
	p.config.Recorder.Record(told)
	reason := ErrZooKeeper
	switch ended := p.mayBeginNow(); {
	case answered:
		reason = ErrImpossible
	case errors.Is(err, context.Canceled) && ended == nil:
		return err // who wanted it has gone
	case errors.Is(err, context.Canceled):
		reason = ended // that is what broke it off
	case p.config.Store != nil:
		reason = ErrStore
	}
	return fmt.Errorf("%w: %w", reason, err)
}
