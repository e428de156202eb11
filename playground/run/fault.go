package run

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
)

// Inject does f and returns when it has taken effect, or arms it, if it is to wait
// for a moment. In step mode it takes its turn among the commands, and becomes part
// of the script; there none can be armed. Its errors wrap
// scenario.ErrUnknownFault, scenario.ErrFault, step.ErrNoClient, ErrNotOurs,
// client.ErrNotRunning or client.ErrImpossible.
func (r *Run) Inject(ctx context.Context, f scenario.Fault) error {
	if f.Armed() {
		return r.arm(f)
	}
	turn, err := r.stepper.BeginFault(ctx, f)
	if err != nil {
		return err
	}
	err = r.inject(ctx, f)
	turn.End(err == nil)
	return err
}

// inject does f, into the client of its number in each of its lanes, unless ctx has
// ended. One lane's client may be in no state for the fault while the other's is: that is
// a success.
func (r *Run) inject(ctx context.Context, f scenario.Fault) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if err := f.Validate(Catalogue(), r.config.Scenario.MaxDelay()); err != nil {
		return err
	}
	if r.State() != event.Running {
		return client.ErrNotRunning
	}
	if ofServers(f.Name) {
		return r.injectIntoServers(ctx, f)
	}
	var errs []error
	done := false
	for _, c := range r.participants() {
		if c.Number() != f.Client || f.Lane != "" && c.Lane() != f.Lane {
			continue
		}
		err := c.Inject(ctx, f)
		done = done || err == nil
		errs = append(errs, err)
	}
	if len(errs) == 0 {
		return r.noClient(f)
	}
	err := errors.Join(errs...)
	if done && errors.Is(err, client.ErrImpossible) {
		return nil
	}
	return err
}

// A participant is what faults can be injected into.
type participant interface {
	Lane() string
	Number() int
	Inject(ctx context.Context, f scenario.Fault) error
}

// participants are the clients and the guests.
func (r *Run) participants() []participant {
	var all []participant
	for _, c := range r.clients {
		all = append(all, c)
	}
	for _, g := range r.guests.list() {
		all = append(all, g)
	}
	return all
}

// numbers are those of a lane's clients, and of the guests that take part in it by a program.
func (r *Run) numbers(lane string) []int {
	var all []int
	for number := range r.config.Scenario.Clients {
		all = append(all, number+1)
	}
	for _, g := range r.guests.list() {
		if g.Lane() == lane && g.Kind() == event.Guest && g.Present() {
			all = append(all, g.Number())
		}
	}
	return all
}

// has says whether a number is a client's, or that of a guest in this lane; in any for
// no lane.
func (r *Run) has(lane string, number int) bool {
	return number <= r.config.Scenario.Clients || slices.ContainsFunc(r.guests.list(), func(g *client.Guest) bool {
		return g.Number() == number && (lane == "" || g.Lane() == lane)
	})
}

// tells says whether a guest of that number, of this lane or of any for no lane, tells what it
// believes.
func (r *Run) tells(lane string, number int) bool {
	return slices.ContainsFunc(r.guests.list(), func(g *client.Guest) bool {
		return g.Number() == number && (lane == "" || g.Lane() == lane) && g.Tells()
	})
}

// noClient says why there is no client that f could be injected into.
func (r *Run) noClient(f scenario.Fault) error {
	s := r.config.Scenario
	switch {
	case f.Lane != "" && !s.HasLane(f.Lane):
		return fmt.Errorf("%w: there is no lane %q", step.ErrNoClient, f.Lane)
	case f.Client == 0:
		return fmt.Errorf("%w: %s concerns a client, name one of 1 to %d", step.ErrNoClient, f.Name, s.Clients)
	default:
		return fmt.Errorf("%w: client %d, there are 1 to %d", step.ErrNoClient, f.Client, s.Clients)
	}
}
