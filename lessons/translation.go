package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// checkTranslation sees that a lesson has what its original has, in the same order, and
// other words. Progress, recordings and the tests of exercises are the original's.
func (l *Library) checkTranslation(lesson Lesson) error {
	if lesson.Locale == DefaultLocale {
		return nil
	}
	original, ok := l.Get(DefaultLocale, lesson.Slug)
	wrong := func(line int, format string, arguments ...any) error {
		return &Error{File: lesson.file, Line: line, Err: fmt.Errorf("%w: %s", ErrTranslation, fmt.Sprintf(format, arguments...))}
	}
	switch {
	case !ok || original.Order != lesson.Order:
		return wrong(0, "there is no %s/%02d-%s.md", DefaultLocale, lesson.Order, lesson.Slug)
	case len(lesson.Scenarios) != len(original.Scenarios):
		return wrong(0, "it has %d run cards, %s has %d", len(lesson.Scenarios), original.file, len(original.Scenarios))
	case len(lesson.Questions) != len(original.Questions):
		return wrong(0, "it has %d questions, %s has %d", len(lesson.Questions), original.file, len(original.Questions))
	case len(lesson.Tasks) != len(original.Tasks):
		return wrong(0, "it has %d tasks, %s has %d", len(lesson.Tasks), original.file, len(original.Tasks))
	case len(lesson.Checks) != len(original.Checks):
		return wrong(0, "it has %d checks, %s has %d", len(lesson.Checks), original.file, len(original.Checks))
	case lesson.folds != original.folds:
		return wrong(0, "it has %d folds, %s has %d", lesson.folds, original.file, original.folds)
	case !slices.Equal(namesOf(lesson.Challenges), namesOf(original.Challenges)):
		return wrong(0, "it has the challenges %q, %s has %q", namesOf(lesson.Challenges), original.file, namesOf(original.Challenges))
	}
	for i, card := range lesson.Scenarios {
		if !card.runs(original.Scenarios[i]) {
			return wrong(card.line, "run card %d runs otherwise than at %s:%d", i+1, original.file, original.Scenarios[i].line)
		}
		if !slices.EqualFunc(card.States, original.Scenarios[i].States, func(a, b Statement) bool { return a.Measure.equal(b.Measure) }) {
			return wrong(card.line, "run card %d states other figures than at %s:%d", i+1, original.file, original.Scenarios[i].line)
		}
	}
	for i, question := range lesson.Questions {
		if !question.answers(original.Questions[i]) {
			return wrong(question.line, "question %d has other right answers than at %s:%d", i+1, original.file, original.Questions[i].line)
		}
		if !question.Run.asks(original.Questions[i].Run) {
			return wrong(question.line, "question %d is shown otherwise than at %s:%d", i+1, original.file, original.Questions[i].line)
		}
	}
	for i, task := range lesson.Tasks {
		if !same(task.How, original.Tasks[i].How) {
			return wrong(task.line, "task %d is done otherwise than at %s:%d", i+1, original.file, original.Tasks[i].line)
		}
	}
	for i, check := range lesson.Checks {
		of := original.Checks[i]
		if check.Name != of.Name || check.Scenario != of.Scenario || !same(asked(check.Condition), asked(of.Condition)) || !same(check.Wrong, of.Wrong) {
			return wrong(check.line, "check %q asks for other things than at %s:%d", check.Name, original.file, of.line)
		}
	}
	return nil
}

// runs says whether two cards start the same run.
func (c RunCard) runs(other RunCard) bool {
	return c.Scenario == other.Scenario && c.Clients == other.Clients && c.Delay == other.Delay && c.Seed == other.Seed && c.For == other.For
}

// answers says whether two questions have as many choices, and the same one right.
func (q Question) answers(other Question) bool {
	if len(q.Choices) != len(other.Choices) {
		return false
	}
	for i, choice := range q.Choices {
		if choice.Right != other.Choices[i].Right {
			return false
		}
	}
	return true
}

// asks says whether two runs show the same at the same moment.
func (a AskedRun) asks(other AskedRun) bool {
	patterns := func(g *goal.Goal) []any {
		if g == nil {
			return nil
		}
		return asked(*g)
	}
	return a.Scenario == other.Scenario && a.Clients == other.Clients && a.Instant == other.Instant &&
		same(patterns(a.Goal), patterns(other.Goal)) && same(a.Measured, other.Measured)
}

// asked is what a goal asks for, without the words that say so.
func asked(g goal.Goal) (patterns []any) {
	patterns = append(patterns, g.AnyOrder)
	for _, step := range g.Steps {
		patterns = append(patterns, step.Where, step.Follows)
	}
	for _, mistake := range g.Mistakes {
		patterns = append(patterns, mistake.Where, mistake.Undoes)
	}
	return patterns
}

// same compares as JSON, which leaves out what people are told of an act.
func same(a, b any) bool {
	first, err := json.Marshal(a)
	second, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(first, second)
}
