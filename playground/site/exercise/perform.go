package exercise

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

var (
	// ErrOver is returned when the run has ended before all acts were done.
	ErrOver = errors.New("the run is over")
	// ErrNoConsole is returned when the reader's own client is to be broken, and there is
	// none.
	ErrNoConsole = errors.New("the reader is no client")
)

// A performance is what one reader does in the current run of a room.
type performance struct {
	room *room.Room
	run  *run.Run
	pace time.Duration
	// waited says that the last act was a wait: what that was for is answered at once.
	waited bool
	judge  *goal.Judge
	next   func() (event.Event, error, bool) // the log, which ends with an error
	seen   int64                             // so many events of the log are no concern of the next wait
	at     *typist
}

// Perform does the acts in the current run of a room, one after the other. Before each is
// a pause of that pace, so that somebody can follow, unless it has been waited for. It
// returns when the last has been done and whatever was answered is in the log. A console
// that it has opened stays, with its session, until leave is called, which is never nil.
func Perform(ctx context.Context, r *room.Room, acts []lessons.Act, pace time.Duration) (leave func(), err error) {
	current, _ := r.Current()
	if current == nil {
		return func() {}, fmt.Errorf("%w: none was started", ErrOver)
	}
	p := &performance{room: r, run: current, pace: pace, judge: goal.NewJudge(goal.Goal{}, current.Describe().Lanes)}
	next, stop := iter.Pull2(current.Log().Follow(ctx, 1))
	defer stop()
	p.next = next
	for i, act := range acts {
		if err := p.do(ctx, act); err != nil {
			return p.leave, fmt.Errorf("act %d: %w", i+1, err)
		}
	}
	return p.leave, nil
}

// Ready returns when the acts of an exercise can begin: all clients of the first lane
// have come to the lock.
func Ready(ctx context.Context, r *run.Run) error {
	lane := r.Describe().Lanes[0]
	came := map[int]bool{}
	for e, err := range r.Log().Follow(ctx, 1) {
		if err != nil {
			return fmt.Errorf("wait for the clients: %w", err)
		}
		if slices.Contains(comesToLock, e.Kind) && e.Lane == lane.Name {
			came[e.Client] = true
		}
		if len(came) == lane.Clients {
			break
		}
	}
	return nil
}

// comesToLock is what a client tells first of a lock; of one without a queue it tells no
// more than that it waits, or holds.
var comesToLock = []event.Kind{event.LockEnqueued, event.LockWaiting, event.LockAcquired}

func (p *performance) leave() {
	if p.at != nil {
		p.at.leave()
		p.at = nil
	}
}

// enter types a line at the console, which is opened for the first one and after quit.
func (p *performance) enter(ctx context.Context, line string) error {
	if p.at == nil {
		at, err := sit(p.room)
		if err != nil {
			return err
		}
		p.at = at
	}
	if line == "quit" {
		defer p.leave()
		return p.at.quit(ctx)
	}
	return p.at.enter(ctx, line)
}

func (p *performance) do(ctx context.Context, act lessons.Act) error {
	if act.Wait != nil {
		p.waited = true
		where := *act.Wait
		path, err := p.filled(ctx, where.Path)
		if err != nil {
			return err
		}
		where.Path = path
		return p.wait(where)
	}
	if !p.waited && !clock.Sleep(ctx, p.pace) {
		return context.Cause(ctx)
	}
	p.waited = false
	p.seen = p.run.Log().Len() // what the act brings about comes later
	if act.Break == nil {
		line, err := p.filled(ctx, act.Line)
		if err != nil {
			return err
		}
		return p.enter(ctx, line)
	}
	fault, err := faultOf(*act.Break)
	if err != nil {
		return err
	}
	if act.Break.You {
		if p.at == nil {
			return ErrNoConsole
		}
		fault.Lane, fault.Client = p.at.seat.Lane(), p.at.seat.Number()
	}
	return p.run.Inject(ctx, fault)
}

// wait returns when an event has come that fits, after the last act began and after the
// event that the last wait was for.
func (p *performance) wait(where goal.Pattern) error {
	p.judge.Begin(goal.Goal{Steps: []goal.Step{{Where: where}}})
	for p.judge.Verdict().State != goal.Met {
		e, err, _ := p.next()
		switch {
		case err != nil:
			return fmt.Errorf("wait for %s: %w", where.Kind, err)
		case e.Seq <= p.seen:
			p.judge.Skip(e)
		case e.Kind == event.NoteStopping:
			return ErrOver
		default:
			p.judge.Take(e)
		}
	}
	return nil
}
