package step

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

const (
	// scriptTimeout bounds each step of a script, on top of what clients are made
	// to wait before they go on by themselves.
	scriptTimeout = 10 * time.Second
	// retryPause is between two attempts to inject a fault.
	retryPause = 100 * time.Millisecond
	// lookPause is between two looks at what the clients have got to.
	lookPause = 20 * time.Millisecond
)

func stepTimeout(s scenario.Scenario) time.Duration {
	return scriptTimeout + time.Duration(s.Arrive) + time.Duration(s.Hold.Max) + time.Duration(s.Think.Max)
}

// errDiverged says that what happens is not what the script was written for.
var errDiverged = errors.New("it is not as the script has it")

// A player plays a script, step after step. A step without a lane is done in all
// lanes at the same time, each by a player of its own.
type player struct {
	stepper *Stepper
	lanes   map[string]*lanePlayer
}

// stepsAtStart are the groups of steps that the run begins with.
func (s *Stepper) stepsAtStart() [][]scenario.Step {
	if s.config.Replay != nil {
		return s.config.Replay
	}
	var groups [][]scenario.Step
	for _, step := range s.config.Scenario.Script {
		groups = append(groups, []scenario.Step{step})
	}
	return groups
}

// HasScript says whether the run begins with a script. After an undo that may have
// no steps left.
func (s *Stepper) HasScript() bool {
	return s.config.Replay != nil || len(s.config.Scenario.Script) > 0
}

// PlayScript does the steps that the run begins with, then lets the network
// flow unless the run is to go on by hand. It returns when ctx ends.
func (s *Stepper) PlayScript(ctx context.Context) {
	ctx, cancel := s.beginScript(ctx)
	defer cancel()
	groups := s.stepsAtStart()
	p := &player{stepper: s, lanes: make(map[string]*lanePlayer)}
	told := newHistory(s.config.Log, groups)
	for _, lane := range s.config.Scenario.Lanes {
		p.lanes[lane.Name] = &lanePlayer{stepper: s, lane: lane.Name, history: told}
	}
	done, err := p.play(ctx, groups)
	if ctx.Err() != nil {
		return // the run ends, or somebody lets the network flow
	}
	s.scriptOver(done, err)
	if !s.config.Scenario.Step {
		s.flow(flowsAgain)
	}
}

var (
	scriptEnds = event.NewCode("script-ends", "the script ends after {steps} steps: {error}")
	replayed   = event.NewCode("replayed", "replayed {steps} steps")
	scriptDone = event.NewCode("script-done", "the script is done, {steps} steps")
)

// scriptOver allows commands by hand again, and tells how the script has ended.
func (s *Stepper) scriptOver(done int, err error) {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	s.scripted = false
	s.mu.Unlock()
	held := s.holding.Load()
	switch {
	case err != nil:
		s.note(held, scriptEnds.With(done, err))
	case s.config.Replay != nil:
		s.note(held, replayed.With(done))
	case done > 0:
		s.note(held, scriptDone.With(done))
	}
}

// beginScript returns the context of a script. It ends when somebody lets the
// network flow, also if that was before the script began.
func (s *Stepper) beginScript(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.endScript = cancel
	if !s.scripted {
		cancel()
	}
	return ctx, cancel
}

// play does the groups and says how many steps were done.
func (p *player) play(ctx context.Context, groups [][]scenario.Step) (done int, err error) {
	for _, group := range groups {
		for _, step := range group {
			if err := p.step(ctx, step); err != nil {
				return done, fmt.Errorf("%v: %w", step, err)
			}
			done++
		}
		p.stepper.keep(group)
	}
	return done, nil
}

// step does one step in its lane, or in all of them at the same time.
func (p *player) step(ctx context.Context, step scenario.Step) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout(p.stepper.config.Scenario))
	defer cancel()
	if step.Name != "" {
		return p.stepper.inject(ctx, step)
	}
	if step.Lane != "" {
		return p.lanes[step.Lane].do(ctx, step)
	}
	var wait sync.WaitGroup
	errs := make([]error, len(p.stepper.config.Scenario.Lanes))
	for i, lane := range p.stepper.config.Scenario.Lanes {
		wait.Go(func() { errs[i] = p.lanes[lane.Name].do(ctx, step) })
	}
	wait.Wait()
	return errors.Join(errs...)
}

// A lanePlayer does the steps of one lane.
type lanePlayer struct {
	stepper *Stepper
	lane    string
	history *history // of all lanes
}

func (p *lanePlayer) do(ctx context.Context, step scenario.Step) error {
	var err error
	if step.Deliver != "" || step.Drop != "" {
		err = p.head(ctx, step)
	} else {
		err = p.until(ctx, step)
	}
	if errors.Is(err, context.DeadlineExceeded) {
		err = fmt.Errorf("%w: %s, after %v", errDiverged, p.missing(step), stepTimeout(p.stepper.config.Scenario).Round(time.Second))
	}
	if err != nil {
		return fmt.Errorf("lane %s: %w", p.lane, err)
	}
	return nil
}

// missing says what a step waited for in vain.
func (p *lanePlayer) missing(step scenario.Step) string {
	if step.Dir != "" {
		return fmt.Sprintf("nothing of client %d waits %s", step.Client, step.Dir)
	}
	return fmt.Sprintf("client %d does not come to %s", step.Client, step.Until+step.Await)
}

// head delivers or drops the first frame of one direction, once there is one. If
// that is not the one that the step names, the script does not fit: no other frame
// may go before it.
func (p *lanePlayer) head(ctx context.Context, step scenario.Step) error {
	wanted := step.Deliver + step.Drop // one of them is empty
	for {
		from := p.stepper.config.Log.Len() + 1
		for _, f := range waitingOf(p.stepper.client(p.lane, step.Client)) {
			if f.Dir != step.Dir || !f.First {
				continue
			}
			if wanted != "*" && wanted != f.Op {
				return fmt.Errorf("%w: %s is first there", errDiverged, f.Op)
			}
			return p.stepper.move(ctx, f, step.Drop != "")
		}
		if err := p.stepper.config.Log.Wait(ctx, from); err != nil {
			return err
		}
	}
}

// until waits for the client's next event of a kind, after the one that its last
// such step waited for. An until step delivers the client's frames meanwhile.
func (p *lanePlayer) until(ctx context.Context, step scenario.Step) error {
	kind := step.Until + step.Await // one of them is empty
	for {
		end := p.stepper.config.Log.Len() + 1
		waiting := waitingOf(p.stepper.client(p.lane, step.Client)) // before the log is read, so as not to go too far
		found, err := p.history.pass(p.lane, step.Client, kind)
		if err != nil || found {
			return err
		}
		if err := p.feed(ctx, step, waiting, end); err != nil {
			return err
		}
	}
}

// feed delivers the oldest of the frames, or waits until something happens.
func (p *lanePlayer) feed(ctx context.Context, step scenario.Step, waiting []Frame, from int64) error {
	if step.Until == "" || len(waiting) == 0 {
		return p.stepper.config.Log.Wait(ctx, from)
	}
	oldest := waiting[0]
	for _, f := range waiting {
		if f.At < oldest.At && f.First {
			oldest = f
		}
	}
	if err := p.stepper.move(ctx, oldest, false); !errors.Is(err, ErrNoFrame) {
		return err
	}
	return nil // it went with its connection
}
