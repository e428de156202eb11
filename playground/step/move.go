package step

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// answerTimeout is how long a delivered request may take to be answered, on
// top of what the link delays it. Then the next one goes on all the same.
const answerTimeout = time.Second

// Do does a command that [Stepper.Check] finds nothing wrong with. It returns when
// the server has answered what was delivered to it, or has had a second for that.
// Its errors wrap ErrNotStepping, ErrNoFrame, ErrOutOfOrder, client.ErrNotRunning, or
// client.ErrImpossible while a script is under way. Commands take turns.
func (s *Stepper) Do(ctx context.Context, c Command) ([]scenario.Step, error) {
	switch c.Do {
	case On:
		return []scenario.Step{}, s.turnOn()
	case Off:
		s.flow(flowsAgain)
		return []scenario.Step{}, nil
	}
	if err := s.turn.begin(ctx); err != nil {
		return nil, err
	}
	defer s.turn.end()
	if err := s.ready(); err != nil {
		return nil, err
	}
	frames, err := s.choose(c)
	if err != nil {
		return nil, err
	}
	done, err := s.carry(ctx, frames, c.Do == Drop)
	s.keep(done)
	return done, err
}

// errScripted is returned for a command or a fault by hand while a script is under
// way. It counts as client.ErrImpossible.
var errScripted = scripted{}

type scripted struct{}

func (scripted) Error() string {
	return "a script is under way: wait for its end, or end it with off"
}

func (scripted) Is(target error) bool { return target == client.ErrImpossible }

// ready says why a step by hand is refused now, if so.
func (s *Stepper) ready() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.over:
		return client.ErrNotRunning
	case !s.holding.Load():
		return ErrNotStepping
	case s.scripted:
		return errScripted
	}
	return nil
}

// choose finds the frames that a command means.
func (s *Stepper) choose(c Command) ([]Frame, error) {
	frames := s.waiting(c.Lane)
	switch c.Do {
	case Next:
		frames = frames[:min(len(frames), 1)]
	case Deliver, Drop:
		frames = slices.DeleteFunc(frames, func(f Frame) bool {
			return f.Client != c.Client || f.Dir != c.Dir || f.Frame != c.Frame
		})
	}
	if len(frames) == 0 {
		return nil, fmt.Errorf("%w: %s", ErrNoFrame, c.wanted())
	}
	return frames, nil
}

func (c Command) wanted() string {
	if c.Frame == 0 {
		return "there is none"
	}
	return fmt.Sprintf("frame %d %s of client %d in lane %s", c.Frame, c.Dir, c.Client, c.Lane)
}

// carry delivers or drops frames one after the other. A frame that has gone with
// its connection meanwhile is skipped, unless it was the only one.
func (s *Stepper) carry(ctx context.Context, frames []Frame, drop bool) ([]scenario.Step, error) {
	var done []scenario.Step
	for _, f := range frames {
		if ctx.Err() != nil { // nobody would wait for the answer, and so the order be lost
			return done, context.Cause(ctx)
		}
		err := s.move(ctx, f, drop)
		if err != nil && (len(frames) == 1 || !errors.Is(err, ErrNoFrame)) {
			return done, err
		}
		if err == nil {
			done = append(done, f.step(drop))
		}
	}
	if len(done) == 0 {
		return nil, fmt.Errorf("%w: all of them have vanished", ErrNoFrame)
	}
	return done, nil
}

// step is the step of a script that moves the frame again.
func (f Frame) step(drop bool) scenario.Step {
	step := scenario.Step{Fault: scenario.Fault{Lane: f.Lane, Client: f.Client}, Dir: f.Dir}
	if drop {
		step.Drop = f.Op
	} else {
		step.Deliver = f.Op
	}
	return step
}

// move delivers one frame, or drops it.
func (s *Stepper) move(ctx context.Context, f Frame, drop bool) error {
	c := s.client(f.Lane, f.Client)
	if c == nil {
		return ErrNoFrame // it went with its guest
	}
	if drop {
		return c.Link().Break(f.Dir, f.Frame)
	}
	from := s.config.Log.Len() + 1
	if err := c.Link().Deliver(f.Dir, f.Frame); err != nil {
		return err
	}
	if f.Dir == event.Out {
		s.awaitAnswer(ctx, f, from)
	}
	return nil
}

// awaitAnswer waits until the answer to a delivered request is back at the link.
// Thus requests reach the server in the order of the steps, however fast these
// follow each other, and a script can repeat what happened.
func (s *Stepper) awaitAnswer(ctx context.Context, f Frame, from int64) {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout+s.config.Delay())
	defer cancel()
	_ = s.await(ctx, from, func(e event.Event) bool { // without an answer there is nothing to wait for
		return e.Lane == f.Lane && e.Client == f.Client && answers(e, f.Op)
	})
}

// answers says whether e is the arrival of a reply to op, or shows that none
// will come.
func answers(e event.Event, op string) bool {
	switch e.Kind {
	case event.WireHeld:
		return e.Dir == event.In && e.Op == op
	case event.WireReceived:
		return e.Op == op
	case event.WireDropped, event.SessionSuspended, event.SessionLost:
		return true
	default:
		return e.Injects(event.LeavesSession)
	}
}
