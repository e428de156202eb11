package lessons

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/yuin/goldmark/ast"
)

// Limits of a run card: what can still be followed on a screen.
const (
	maxClients = 50
	maxDelay   = time.Second
	defaultFor = 15 * time.Second
	maxFor     = time.Minute
)

// A RunCard is an invitation to run a scenario. It says everything that shapes
// the run, so that every reader of a lesson sees the same one.
type RunCard struct {
	// Scenario is the name of a scenario.
	Scenario string
	// Title and Text are shown on the card, as plain text.
	Title, Text string
	// Clients is the number of clients in each lane, 1 to 50.
	Clients int
	// Delay is how long the link carries each frame, 0 to 1 s.
	Delay time.Duration
	// Seed is the seed of the run, positive.
	Seed int64
	// For is how long the run goes on where it is recorded, if it does not end by itself.
	For time.Duration
	// States are what the lesson says of the run in figures.
	States []Statement
	// Lesson is the slug of the lesson that the card stands in.
	Lesson string

	position
}

// parseRunCard reads the body of a scenario fence.
func parseRunCard(body []byte) (RunCard, error) {
	var fence struct {
		Scenario string      `json:"scenario"`
		Title    string      `json:"title"`
		Text     string      `json:"text"`
		Clients  int         `json:"clients"`
		Delay    string      `json:"delay"`
		Seed     int64       `json:"seed"`
		For      string      `json:"for"`
		States   []Statement `json:"states"`
	}
	if err := decodeFence(body, &fence, ErrRunCard); err != nil {
		return RunCard{}, err
	}
	delay, err := time.ParseDuration(fence.Delay)
	if err != nil {
		return RunCard{}, fmt.Errorf("%w: delay: %w", ErrRunCard, err)
	}
	card := RunCard{Scenario: fence.Scenario, Title: fence.Title, Text: fence.Text,
		Clients: fence.Clients, Delay: delay, Seed: fence.Seed, For: defaultFor, States: fence.States}
	if fence.For != "" {
		if card.For, err = time.ParseDuration(fence.For); err != nil {
			return RunCard{}, fmt.Errorf("%w: for: %w", ErrRunCard, err)
		}
	}
	return card, card.check()
}

func (c RunCard) check() error {
	for _, field := range []struct {
		what string
		ok   bool
	}{
		{"scenario is missing", c.Scenario != ""},
		{"title is missing", strings.TrimSpace(c.Title) != ""},
		{"text is missing", strings.TrimSpace(c.Text) != ""},
		{fmt.Sprintf("clients must be 1 to %d", maxClients), c.Clients >= 1 && c.Clients <= maxClients},
		{fmt.Sprintf("delay must be 0 to %v", maxDelay), c.Delay >= 0 && c.Delay <= maxDelay},
		{"seed must be positive", c.Seed > 0},
		{fmt.Sprintf("for must be 1s to %v", maxFor), c.For >= time.Second && c.For <= maxFor},
	} {
		if !field.ok {
			return fmt.Errorf("%w: %s", ErrRunCard, field.what)
		}
	}
	for _, statement := range c.States {
		if err := statement.check(); err != nil {
			return fmt.Errorf("%w: %w", ErrRunCard, err)
		}
	}
	return nil
}

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
