package step

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A FaultTurn is the turn of a fault among the commands of step mode.
type FaultTurn struct {
	stepper *Stepper // nil while the network flows
	step    scenario.Step
}

// BeginFault waits until it is the turn of a fault that is injected by hand, or until
// ctx ends. End must follow. While a script is under way it is refused.
func (s *Stepper) BeginFault(ctx context.Context, f scenario.Fault) (*FaultTurn, error) {
	if !s.holding.Load() {
		return new(FaultTurn), nil
	}
	if err := s.turn.begin(ctx); err != nil { // so that the script has the fault where it happened
		return nil, err
	}
	if err := s.ready(); errors.Is(err, errScripted) {
		s.turn.end()
		return nil, err
	}
	return &FaultTurn{stepper: s, step: scenario.Step{Fault: f, Waited: s.situation(f)}}, nil
}

// End ends the turn. A fault that was done becomes part of the script.
func (t *FaultTurn) End(done bool) {
	s := t.stepper
	if s == nil {
		return
	}
	if done && s.holding.Load() {
		s.keep([]scenario.Step{t.step})
	}
	s.turn.end()
}

// situation is what there is of the clients that f is for: who has a session, and
// which frames wait. The clients are quick, but not equally quick each time: a
// fault that is repeated has to wait until they are as far again.
func (s *Stepper) situation(f scenario.Fault) string {
	var parts []string
	for _, c := range s.participants() {
		if c.Number() != f.Client || f.Lane != "" && c.Lane() != f.Lane {
			continue
		}
		if c.HasSession() {
			parts = append(parts, c.Lane()+" session")
		}
		for _, w := range waitingOf(c) {
			parts = append(parts, fmt.Sprintf("%s %s %s", w.Lane, w.Dir, w.Op))
		}
	}
	return strings.Join(parts, ", ")
}

// missing returns the first part of a situation that is not there; empty when
// nothing is missing. There may be more than the situation has.
func (s *Stepper) missing(f scenario.Fault, situation string) string {
	if situation == "" {
		return ""
	}
	now := strings.Split(s.situation(f), ", ")
	for part := range strings.SplitSeq(situation, ", ") {
		if !slices.Contains(now, part) {
			return part
		}
	}
	return ""
}

// inject does the fault of a script's step once its clients are in a state for
// it: they may not even have a session yet.
func (s *Stepper) inject(ctx context.Context, step scenario.Step) error {
	f := step.Fault
	for missing := s.missing(f, step.Waited); missing != ""; missing = s.missing(f, step.Waited) {
		if !clock.Sleep(ctx, lookPause) { // sessions are not all told in the log
			return fmt.Errorf("%w: there is no %q yet: %w", errDiverged, missing, context.Cause(ctx))
		}
	}
	for {
		err := s.config.Inject(ctx, f)
		if !errors.Is(err, client.ErrImpossible) || !clock.Sleep(ctx, retryPause) {
			return err
		}
	}
}
