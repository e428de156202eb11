package room

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// ErrNoUndo is returned when there is no step that could be taken back.
var ErrNoUndo = errors.New("nothing can be undone")

// Start begins a run of scenario and ends the one before. It returns when the
// clients have been let loose, or with the reason why not; starts at the same
// time take turns. A scenario that is refused, and a ctx that ends before its
// turn, leave the run before as it is; after that it is over in any case.
// ErrZooKeeper means that the server did not take part, ErrNoRoom that the room has gone
// meanwhile, and ErrClosed that all rooms have closed.
func (r *Room) Start(ctx context.Context, scenario scenario.Scenario) (*run.Run, error) {
	if err := r.config.validate(scenario); err != nil {
		return nil, err
	}
	return r.startAs(ctx, func(*run.Run) (order, error) { return order{scenario: scenario}, nil })
}

// An order is what a run is to do.
type order struct {
	scenario scenario.Scenario
	replay   [][]scenario.Step // run.Config's
}

// startAs is Start of what next makes of the run before, or not at all if that
// fails.
func (r *Room) startAs(ctx context.Context, next func(before *run.Run) (order, error)) (*run.Run, error) {
	ctx, cancel := r.whileOpen(ctx)
	defer cancel()
	run, err := r.startInTurn(ctx, next)
	if err != nil && r.life.Err() != nil {
		return nil, r.whyClosed()
	}
	return run, err
}

// whyClosed says why a room that has closed takes no run.
func (r *Room) whyClosed() error {
	select {
	case <-r.gone:
		return fmt.Errorf("%w any more: %q", ErrNoRoom, r.name)
	default:
		return ErrClosed
	}
}

// whileOpen is ctx, but ends when the room closes.
func (r *Room) whileOpen(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(r.life, cancel)
	return ctx, func() { forget(); cancel() }
}

func (r *Room) startInTurn(ctx context.Context, next func(before *run.Run) (order, error)) (*run.Run, error) {
	if r.turn.Acquire(ctx, 1) != nil {
		return nil, fmt.Errorf("wait for another start: %w", context.Cause(ctx))
	}
	defer r.turn.Release(1)
	before, id := r.begin()
	defer r.begun()
	order, err := next(before)
	if err != nil {
		return nil, err
	}
	if err := stop(ctx, before); err != nil {
		return nil, err
	}
	gone := r.makeRoom(before)
	run, err := r.launch(ctx, id, order)
	if err != nil {
		if gone {
			r.succeed(nil, nil)
		}
		return nil, fmt.Errorf("%w: %w", ErrZooKeeper, err)
	}
	if gone {
		before = nil
	}
	r.succeed(run, before)
	return run, nil
}

// makeRoom removes the log of the run before, and recordings of those before it, if
// their disk is full: there may be a ZooKeeper that cannot take the next run for
// that. Otherwise the log can be read until there is a next run.
func (r *Room) makeRoom(before *run.Run) (gone bool) {
	if before == nil || !before.Log().Crowded() {
		return false
	}
	_ = before.Close() // its files have no name, so nothing can be left of them
	r.dropWhile(before.Log().Crowded)
	return true
}

// begin returns the run to be replaced and an id for the next.
func (r *Room) begin() (before *run.Run, id string) {
	r.use()
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starting = r.nextID()
	return r.run, r.starting
}

// nextID is the id of the next run. The caller holds the mutex.
func (r *Room) nextID() string {
	r.runs++
	return fmt.Sprintf("%s-%d", r.config.RunPrefix, r.runs)
}

// NewRunID makes an id for a run in the room that is not its own, as one of a trial. Its
// znodes are in use until free is called.
func (r *Room) NewRunID() (id string, free func()) {
	r.use()
	r.mu.Lock()
	defer r.mu.Unlock()
	id = r.nextID()
	r.others = append(r.others, id)
	return id, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.others = slices.DeleteFunc(r.others, func(other string) bool { return other == id })
	}
}

func (r *Room) begun() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.starting = ""
}

func (r *Room) launch(ctx context.Context, id string, what order) (*run.Run, error) {
	return run.Start(ctx, run.Config{
		Backend: r.config.Backend, Program: r.config.Program, Starlark: r.config.Starlark,
		Base: r.config.Base, Room: r.name, ID: id, Scenario: what.scenario, Replay: what.replay,
		LogDir: r.config.LogDir, LogLimit: r.config.LogLimit, Limits: r.config.Limits.ofRun(), EndTimeout: r.config.EndTimeout,
		Changed: func(event.State) { r.broadcast() },
	})
}

// stop ends a run and waits for it; what it had to complain about is in its log.
func stop(ctx context.Context, run *run.Run) error {
	if run == nil {
		return nil
	}
	run.Stop()
	select {
	case <-run.Done():
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for the run to end: %w", context.Cause(ctx))
	}
}

// close refuses further runs, breaks off a start under way, and ends the run. What
// outlasts the program is written by then. An error means that ctx ended before, or is
// what the run could not clean up. What a run left that was over before, the sweep sees to.
func (r *Room) close(ctx context.Context) error {
	r.end()
	if r.store == nil {
		r.endWriting()
	}
	defer context.AfterFunc(ctx, r.endWriting)()
	last, _ := r.Current()
	over := last != nil && last.State() == event.Finished
	if last != nil {
		last.Stop() // also when its turn does not come
	}
	if r.turn.Acquire(ctx, 1) != nil {
		return fmt.Errorf("room %s: wait for a start under way: %w", r.name, context.Cause(ctx))
	}
	defer r.turn.Release(1)
	run, _ := r.Current()
	if err := stop(ctx, run); err != nil {
		return err
	}
	r.keeping.Wait() // the writing ends with ctx
	if r.class != nil {
		r.save() // what waits for its turn
	}
	if r.store == nil {
		r.dropWhile(func() bool { return true })
	}
	if run == nil {
		return nil
	}
	err := run.Wait(ctx)
	if over && run == last {
		err = nil // of before
	}
	return errors.Join(err, run.Close()) // nobody will read its log any more
}

// leave is close of a room that is not to come back. It ends when the run has, whose end
// is bounded; what that could not clean up is in nobody's way.
func (r *Room) leave() {
	close(r.gone)
	r.endWriting()
	_ = r.close(context.Background())
	if r.store != nil {
		r.store.Remove()
	}
	_ = r.release(context.Background()) // or its session ends
}

// Undo takes back the last command of step mode: it begins a new run of the
// same scenario and seed in place of the current one, on fresh znodes, which
// repeats all commands but the last and then waits for more. That takes as long
// as the clients do; an event note.step tells when it is done. Errors are as of
// Start, and wrap client.ErrNotRunning without a run under way, or ErrNoUndo when
// nothing has been done by hand, or the network has flowed meanwhile, or faults
// come on schedule: no script can repeat what happened then. They leave the
// current run as it is.
func (r *Room) Undo(ctx context.Context) (*run.Run, error) {
	return r.startAs(ctx, func(before *run.Run) (order, error) {
		if before == nil || before.State() != event.Running {
			return order{}, client.ErrNotRunning
		}
		groups, whole := before.Script()
		switch {
		case len(groups) == 0:
			return order{}, fmt.Errorf("%w: nothing has been done by hand yet, or it is being repeated just now", ErrNoUndo)
		case !whole:
			return order{}, fmt.Errorf("%w: the network has flowed by itself, and no script can repeat that", ErrNoUndo)
		}
		scenario := before.Scenario()
		if len(scenario.Faults) > 0 {
			return order{}, fmt.Errorf("%w: the scenario has faults on schedule, which come by the clock and would fall between other steps", ErrNoUndo)
		}
		scenario.Step = true
		return order{scenario, groups[:len(groups)-1]}, nil
	})
}
