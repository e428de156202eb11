package lessons

import (
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// Known is what lessons can name that is not theirs.
type Known struct {
	Scenarios, Faults, Checks []string
	// Challenges are all that there are, in their order: the lessons must have each of them.
	Challenges []string
	// Decisive are the instants at which the view of a scenario's run pauses.
	Decisive func(scenario string) []string
	// Fault says what is wrong with a fault to inject.
	Fault func(Break) error
}

// Validate checks that what the lessons name is known, and then that translations have
// what their originals have. The error is an [*Error] that wraps [ErrUnknownScenario],
// [ErrQuestion], [ErrTask], [ErrCheck], [ErrChallenge] or [ErrTranslation].
func (l *Library) Validate(known Known) error {
	for _, lesson := range l.lessons {
		for _, card := range lesson.Scenarios {
			if !slices.Contains(known.Scenarios, card.Scenario) {
				err := fmt.Errorf("%w %q, have %q", ErrUnknownScenario, card.Scenario, known.Scenarios)
				return &Error{File: lesson.file, Line: card.line, Err: err}
			}
		}
		for _, question := range lesson.Questions {
			if err := known.askedRun(question.Run); err != nil {
				return &Error{File: lesson.file, Line: question.line, Err: fmt.Errorf("%w: shownAt: %w", ErrQuestion, err)}
			}
		}
		for _, check := range lesson.Checks {
			if err := known.check(check); err != nil {
				return &Error{File: lesson.file, Line: check.line, Err: fmt.Errorf("%w %q: %w", ErrCheck, check.Name, err)}
			}
		}
		for _, task := range lesson.Tasks {
			if err := known.acts(task.How); err != nil {
				return &Error{File: lesson.file, Line: task.line, Err: fmt.Errorf("%w: %w", ErrTask, err)}
			}
		}
	}
	var challenges []string
	for _, lesson := range l.lessons {
		if err := l.checkTranslation(lesson); err != nil {
			return err
		}
		if lesson.Locale == DefaultLocale {
			challenges = append(challenges, namesOf(lesson.Challenges)...)
		}
	}
	if !slices.Equal(challenges, known.Challenges) {
		return &Error{File: DefaultLocale, Err: fmt.Errorf("%w: the lessons have %q, there are %q", ErrChallenge, challenges, known.Challenges)}
	}
	return nil
}

func (k Known) askedRun(run AskedRun) error {
	if decisive := k.Decisive(run.Scenario); run.Instant != "" && !slices.Contains(decisive, run.Instant) {
		return fmt.Errorf("unknown instant %q, scenario %s has %q", run.Instant, run.Scenario, decisive)
	}
	if run.Goal == nil {
		return nil
	}
	return k.steps(run.Goal.Steps)
}

func (k Known) steps(steps []goal.Step) error {
	for _, step := range steps {
		if err := k.pattern(step.Where); err != nil {
			return err
		}
	}
	return nil
}

func (k Known) check(c Check) error {
	if err := k.steps(c.Condition.Steps); err != nil {
		return err
	}
	for _, mistake := range c.Condition.Mistakes {
		if err := k.pattern(mistake.Where); err != nil {
			return err
		}
	}
	return k.acts(c.Wrong)
}

func (k Known) acts(acts []Act) error {
	for _, act := range acts {
		switch {
		case act.Break != nil:
			if err := k.Fault(*act.Break); err != nil {
				return err
			}
		case act.Wait != nil:
			if err := k.pattern(*act.Wait); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k Known) pattern(p goal.Pattern) error {
	if p.Fault != "" && !slices.Contains(k.Faults, p.Fault) {
		return fmt.Errorf("unknown fault %q, have %q", p.Fault, k.Faults)
	}
	if p.Check != "" && !slices.Contains(k.Checks, p.Check) {
		return fmt.Errorf("unknown check %q, have %q", p.Check, k.Checks)
	}
	return nil
}
