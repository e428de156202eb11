package lessons

import (
	"fmt"
	"strings"
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
	return nil
}
