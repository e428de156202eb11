package room

import (
	"context"
	"errors"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// ErrNoUndo is returned when there is no step that could be taken back.
var ErrNoUndo = errors.New("nothing can be undone")

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
