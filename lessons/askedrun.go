package lessons

import (
	"fmt"
	"slices"

	"github.com/yuin/goldmark/ast"
)

// findAskedRuns finds out which run each question is about, and when that has shown the
// answer: the next run card or check of the text says it, or else the last run card.
func (r *reading) findAskedRuns() error {
	next := 0 // question
	for i, node := range r.asking {
		asks, ok := node.(*questionNode)
		if !ok {
			continue
		}
		question := &r.lesson.Questions[next]
		next++
		run, err := r.askedRun(*question, r.asking[i+1:])
		if err != nil {
			return &Error{File: r.lesson.file, Line: question.line, Err: err}
		}
		question.Run = run
		asks.question = *question
	}
	return nil
}

// askedRun is the run that a question is about, with what follows it in the text.
func (r *reading) askedRun(q Question, following []ast.Node) (AskedRun, error) {
	run := AskedRun{Instant: q.ShownAt.Instant, Goal: q.ShownAt.Events, Measured: q.Measured}
	card := r.lesson.Scenarios[len(r.lesson.Scenarios)-1]
	if i := slices.IndexFunc(following, func(n ast.Node) bool { return n.Kind() != kindQuestion }); i >= 0 {
		switch node := following[i].(type) {
		case *runCardNode:
			card = node.card
		case *checkNode:
			card = r.cardOf(node.check.Scenario)
			if q.ShownAt == (Moment{}) {
				run.Goal = &node.check.Condition
			}
		}
	}
	if q.ShownAt.Goal != "" {
		named := func(c Check) bool { return c.Name == q.ShownAt.Goal }
		i := slices.IndexFunc(r.lesson.Checks, named)
		if i < 0 {
			return AskedRun{}, fmt.Errorf("%w: shownAt: the lesson has no check %q", ErrQuestion, q.ShownAt.Goal)
		}
		card, run.Goal = r.cardOf(r.lesson.Checks[i].Scenario), &r.lesson.Checks[i].Condition
	}
	run.Scenario = card.Scenario
	if slices.ContainsFunc(r.lesson.Scenarios, func(other RunCard) bool { return other.Scenario == card.Scenario && other.Clients != card.Clients }) {
		run.Clients = card.Clients
	}
	return run, nil
}

// cardOf is the first card that runs a scenario.
func (r *reading) cardOf(scenario string) RunCard {
	i := slices.IndexFunc(r.lesson.Scenarios, func(card RunCard) bool { return card.Scenario == scenario })
	return r.lesson.Scenarios[i]
}
