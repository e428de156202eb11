package lessons

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// Limits of a question: fewer choices are no question, more are not read.
const (
	minChoices = 2
	maxChoices = 6
)

// A Question asks the reader to predict what a run will show.
type Question struct {
	// Text is the question itself, as plain text.
	Text string `json:"question"`
	// Choices are 2 to 6 answers, exactly one of them right.
	Choices []Choice `json:"choices"`
	// ShownAt is when a run has shown the answer.
	ShownAt Moment `json:"shownAt"`
	// Measured are the figures of the run that are the answer, and their bounds where it is
	// the one that the right choice says.
	Measured []Measure `json:"measured"`
	// Run is what it is asked about.
	Run AskedRun `json:"-"`
	// Group is unique among the questions of a locale: the name that ties the
	// radio buttons of this one together.
	Group string `json:"-"`

	line int
}

// A Choice is one answer to a [Question].
type Choice struct {
	// Text is the answer, as plain text.
	Text string `json:"text"`
	// Right says that this is what happens.
	Right bool `json:"right"`
	// Because is the reason why it is right or wrong.
	Because string `json:"because"`
}

// A Moment is when a run has shown what a [Question] asks: at a decisive instant of its
// scenario, when a goal of the lesson is met, or when some events have happened, one after
// the other. One of the three is set; none is the goal of the next check or, where a run
// card comes first, the end of its run.
type Moment struct {
	Instant string
	Goal    string
	Events  *goal.Goal
}

// UnmarshalJSON reads the name of an instant, {"goal": NAME}, or a list of events.
func (m *Moment) UnmarshalJSON(text []byte) error {
	switch {
	case bytes.HasPrefix(text, []byte(`"`)):
		return json.Unmarshal(text, &m.Instant)
	case bytes.HasPrefix(text, []byte("{")):
		var of struct {
			Goal string `json:"goal"`
		}
		if err := decodeStrictly(text, &of); err != nil {
			return err
		}
		m.Goal = of.Goal
		return nil
	}
	var events []goal.WantedMoment
	if err := decodeStrictly(text, &events); err != nil {
		return err
	}
	steps, err := goal.ParseMoment(events)
	m.Events = &steps
	return err
}

func decodeStrictly(text []byte, v any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	return decoder.Decode(v)
}

// An AskedRun is the run that a [Question] is asked about, and what of it the page looks
// for.
type AskedRun struct {
	Scenario string `json:"scenario"`
	// Clients is set where the lesson runs the scenario with other numbers of them, too.
	Clients int `json:"clients,omitempty"`
	// Instant or Goal is when the answer has been shown; without either, the end of the run.
	Instant  string     `json:"instant,omitempty"`
	Goal     *goal.Goal `json:"goal,omitempty"`
	Measured []Measure  `json:"measured,omitempty"`
}

// Asked is the run as JSON, for the page.
func (q Question) Asked() (string, error) { return marshal(q.Run) }

// parseQuestion reads the body of a predict fence.
func parseQuestion(body []byte) (Question, error) {
	var question Question
	if err := decodeFence(body, &question, ErrQuestion); err != nil {
		return Question{}, err
	}
	return question, question.check()
}

func (q Question) check() error {
	if strings.TrimSpace(q.Text) == "" {
		return fmt.Errorf("%w: question is missing", ErrQuestion)
	}
	if len(q.Choices) < minChoices || len(q.Choices) > maxChoices {
		return fmt.Errorf("%w: needs %d to %d choices", ErrQuestion, minChoices, maxChoices)
	}
	right := 0
	for i, choice := range q.Choices {
		if strings.TrimSpace(choice.Text) == "" || strings.TrimSpace(choice.Because) == "" {
			return fmt.Errorf("%w: choice %d needs text and because", ErrQuestion, i+1)
		}
		if choice.Right {
			right++
		}
	}
	if right != 1 {
		return fmt.Errorf("%w: %d choices are right, want exactly one", ErrQuestion, right)
	}
	for _, measure := range q.Measured {
		if err := measure.check(); err != nil {
			return fmt.Errorf("%w: measured: %w", ErrQuestion, err)
		}
	}
	return nil
}
