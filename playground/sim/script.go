package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// String says what the step is to do, for readers of the log.
func (s StepSpec) String() string {
	var who []string
	if s.Client > 0 {
		who = append(who, fmt.Sprintf("client %d", s.Client))
	}
	if s.Lane != "" {
		who = append(who, "lane "+s.Lane)
	}
	if len(who) == 0 {
		return s.what()
	}
	return strings.Join(who, ", ") + ": " + s.what()
}

func (s StepSpec) what() string {
	switch {
	case s.Deliver != "":
		return fmt.Sprintf("deliver %s %s", s.Deliver, s.Dir)
	case s.Drop != "":
		return fmt.Sprintf("drop %s %s", s.Drop, s.Dir)
	case s.Until != "":
		return fmt.Sprintf("deliver until %s", s.Until)
	case s.Await != "":
		return fmt.Sprintf("await %s", s.Await)
	default:
		return s.Fault
	}
}

// stepOf is the step that injects f again, in that scene.
func stepOf(f Fault, scene string) StepSpec {
	return StepSpec{Client: f.Client, Lane: f.Lane, Fault: f.Name, For: Duration(f.For),
		Delay: Duration(f.Delay), Jitter: Duration(f.Jitter), Op: f.Op, scene: scene}
}

// Inject does f to its victims and returns when it has taken effect. In step
// mode it takes its turn among the commands, and becomes part of the script.
func (r *Run) Inject(ctx context.Context, f Fault) error {
	if !r.stepper.holding.Load() {
		return r.inject(ctx, f)
	}
	r.stepper.turn.Lock() // so that the script has it where it happened
	defer r.stepper.turn.Unlock()
	if err := r.stepper.ready(); errors.Is(err, errScripted) {
		return err
	}
	scene := r.sceneOf(f)
	if err := r.inject(ctx, f); err != nil {
		return err
	}
	if r.stepper.holding.Load() {
		r.stepper.keep([]StepSpec{stepOf(f, scene)})
	}
	return nil
}

// Scenario is what the run does, with the delay that it has now.
func (r *Run) Scenario() Scenario {
	s := r.config.Scenario
	s.Delay = Duration(r.delayNow())
	return s
}

func (r *Run) delayNow() time.Duration {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.delay
}

// client returns the client of that lane and number, which must exist.
func (r *Run) client(lane string, number int) *client {
	return r.clients[slices.IndexFunc(r.clients, func(c *client) bool { return c.lane == lane && c.number == number })]
}

// note tells of step mode.
func (r *Run) note(why string) { r.recorder.record(event.Event{Kind: event.NoteStep, Why: why}) }

// await waits for the first event that fits, from that one on, and returns an
// error when ctx ends first, or the log does.
func (r *Run) await(ctx context.Context, from int64, fits func(event.Event) bool) error {
	for {
		if err := r.log.Wait(ctx, from); err != nil {
			return err
		}
		next, found, err := r.find(from, fits)
		if err != nil || found {
			return err
		}
		from = next
	}
}

// findBatch is how many events are read at a time.
const findBatch = 256

// find looks for the first event that fits among those that there are, from
// that one on. Next is the one after it, or after the last.
func (r *Run) find(from int64, fits func(event.Event) bool) (next int64, found bool, err error) {
	for {
		events, err := r.log.Read(from, findBatch)
		if err != nil || len(events) == 0 {
			return from, false, err
		}
		for _, e := range events {
			from++
			if fits(e) {
				return from, true, nil
			}
		}
	}
}
