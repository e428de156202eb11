package sim

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// scriptPatience bounds each step of a script, on top of what clients are made
// to wait before they go on by themselves.
const scriptPatience = 10 * time.Second

func (s Scenario) stepPatience() time.Duration {
	return scriptPatience + time.Duration(s.Arrive) + time.Duration(s.Hold.Max) + time.Duration(s.Think.Max)
}

// errDiverged says that what happens is not what the script was written for.
var errDiverged = errors.New("it is not as the script has it")

// A player does a script, step after step, in each lane as itself.
type player struct {
	run   *Run
	lanes map[string]*lanePlayer
}

// stepsAtStart are the groups of steps that the run begins with.
func (r *Run) stepsAtStart() [][]StepSpec {
	if r.config.Replay != nil {
		return r.config.Replay
	}
	var groups [][]StepSpec
	for _, step := range r.config.Scenario.Script {
		groups = append(groups, []StepSpec{step})
	}
	return groups
}

// hasScript says whether the run begins with steps, if only with none to repeat.
func (r *Run) hasScript() bool { return r.config.Replay != nil || len(r.config.Scenario.Script) > 0 }

// playScript does the steps that the run begins with, then lets the network
// flow unless the run is to go on by hand. It returns when ctx ends.
func (r *Run) playScript(ctx context.Context) {
	ctx, cancel := r.stepper.beginScript(ctx)
	defer cancel()
	p := &player{run: r, lanes: make(map[string]*lanePlayer)}
	for _, lane := range r.lanes {
		p.lanes[lane.Name] = newLanePlayer(r, lane.Name)
	}
	done, err := p.play(ctx, r.stepsAtStart())
	if ctx.Err() != nil {
		return // the run ends, or somebody lets the network flow
	}
	r.stepper.scriptOver()
	r.tellScript(done, err)
	if !r.config.Scenario.Step {
		r.stepper.flow("the network flows again")
	}
}

func (r *Run) tellScript(done int, err error) {
	switch {
	case err != nil:
		r.note(fmt.Sprintf("the script ends after %d steps: %v", done, err))
	case r.config.Replay != nil:
		r.note(fmt.Sprintf("replayed %d steps", done))
	case done > 0:
		r.note(fmt.Sprintf("the script is done, %d steps", done))
	}
}

// beginScript bounds a script: flow breaks it off, also beforehand.
func (s *stepper) beginScript(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endScript = cancel
	if !s.scripted {
		cancel()
	}
	return ctx, cancel
}

// scriptOver lets commands in again.
func (s *stepper) scriptOver() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripted = false
}

// play does the groups and says how many steps were done.
func (p *player) play(ctx context.Context, groups [][]StepSpec) (done int, err error) {
	for _, group := range groups {
		for _, step := range group {
			if err := p.step(ctx, step); err != nil {
				return done, fmt.Errorf("%v: %w", step, err)
			}
			done++
		}
		p.run.stepper.keep(group)
	}
	return done, nil
}

// step does one step in its lane, or in all of them at the same time.
func (p *player) step(ctx context.Context, step StepSpec) error {
	ctx, cancel := context.WithTimeout(ctx, p.run.config.Scenario.stepPatience())
	defer cancel()
	if step.Fault != "" {
		return p.strike(ctx, step)
	}
	if step.Lane != "" {
		return p.lanes[step.Lane].do(ctx, step)
	}
	var wait sync.WaitGroup
	errs := make([]error, len(p.run.lanes))
	for i, lane := range p.run.lanes {
		wait.Go(func() { errs[i] = p.lanes[lane.Name].do(ctx, step) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// strike injects a fault once its victims are in a state for it: they may not
// even have a session yet.
func (p *player) strike(ctx context.Context, step StepSpec) error {
	f := step.fault()
	if err := p.run.awaitScene(ctx, f, step.scene); err != nil {
		return err
	}
	for {
		err := p.run.inject(ctx, f)
		if !errors.Is(err, ErrImpossible) || !sleep(ctx, retryPause) {
			return err
		}
	}
}

// A lanePlayer does the steps of one lane.
type lanePlayer struct {
	run  *Run
	lane string
	// read is, for each client, the first event after those that its steps
	// have waited for.
	read map[int]int64
}

func newLanePlayer(r *Run, lane string) *lanePlayer {
	p := &lanePlayer{run: r, lane: lane, read: make(map[int]int64)}
	for number := range r.config.Scenario.Clients {
		p.read[number+1] = 1
	}
	return p
}

func (p *lanePlayer) do(ctx context.Context, step StepSpec) error {
	var err error
	if step.Deliver != "" || step.Drop != "" {
		err = p.head(ctx, step)
	} else {
		err = p.until(ctx, step)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %s, after %v", errDiverged, p.missing(step), p.run.config.Scenario.stepPatience().Round(time.Second))
	}
	if err != nil {
		return fmt.Errorf("lane %s: %w", p.lane, err)
	}
	return nil
}

// missing says what a step waited for in vain.
func (p *lanePlayer) missing(step StepSpec) string {
	if step.Dir != "" {
		return fmt.Sprintf("nothing of client %d waits %s", step.Client, step.Dir)
	}
	return fmt.Sprintf("client %d does not come to %s", step.Client, step.Until+step.Await)
}

// head delivers or drops what is first in one direction, once there is
// something. Only what is first may go, so anything else there is no reason to
// wait for.
func (p *lanePlayer) head(ctx context.Context, step StepSpec) error {
	wanted := step.Deliver + step.Drop // one of them is empty
	for {
		from := p.run.log.Len() + 1
		for _, f := range p.run.client(p.lane, step.Client).waiting() {
			if f.Dir != step.Dir || !f.First {
				continue
			}
			if wanted != "*" && wanted != f.Op {
				return fmt.Errorf("%w: %s is first there", errDiverged, f.Op)
			}
			return p.run.stepper.move(ctx, f, step.Drop != "")
		}
		if err := p.run.log.Wait(ctx, from); err != nil {
			return err
		}
	}
}

// until waits for an event of the client after the one that its steps waited
// for before, and delivers what is the client's meanwhile if the step says so.
func (p *lanePlayer) until(ctx context.Context, step StepSpec) error {
	kind := step.Until + step.Await // one of them is empty
	for {
		end := p.run.log.Len() + 1
		waiting := p.run.client(p.lane, step.Client).waiting() // before the log is read, so as not to go too far
		next, found, err := p.run.find(p.read[step.Client], func(e event.Event) bool {
			return e.Lane == p.lane && e.Client == step.Client && e.Kind == kind
		})
		p.read[step.Client] = next
		if err != nil || found {
			return err
		}
		if err := p.feed(ctx, step, waiting, end); err != nil {
			return err
		}
	}
}

// feed delivers the oldest of the frames, or waits until something happens.
func (p *lanePlayer) feed(ctx context.Context, step StepSpec, waiting []WaitingFrame, from int64) error {
	if step.Until == "" || len(waiting) == 0 {
		return p.run.log.Wait(ctx, from)
	}
	oldest := waiting[0]
	for _, f := range waiting {
		if f.At < oldest.At && f.First {
			oldest = f
		}
	}
	if err := p.run.stepper.move(ctx, oldest, false); !errors.Is(err, ErrNoFrame) {
		return err
	}
	return nil // it went with its connection
}
