package room

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
)

var (
	// ErrVote is returned for a vote that no page sends.
	ErrVote = errors.New("this is no vote")
	// ErrVoteClosed is returned for a vote that comes after the presenter has closed it.
	ErrVoteClosed = errors.New("this vote is closed, votes do not change any more")
	// ErrRevealed is returned for a vote that comes after the answer.
	ErrRevealed = errors.New("the answer has been shown, votes do not change any more")
)

// The bounds of a class's votes.
const (
	mostQuestions = 100
	mostChoices   = 10
)

// noChoice is in the place of the choice of who has not voted.
const noChoice = -1

// A question is what the members of a class vote on.
type question struct {
	choices  map[string]int // by the ID of the person
	closed   bool
	revealed bool
}

// VoteState is how a vote stands, as one person may know it.
type VoteState struct {
	Question string `json:"question"`
	// Voters is how many have voted, of the members there are.
	Voters int `json:"voters"`
	// Closed says that no vote is taken any more.
	Closed bool `json:"closed"`
	// Revealed says that the answer has been shown.
	Revealed bool `json:"revealed"`
	// Mine is the person's choice, from 0; -1 for none.
	Mine int `json:"mine"`
	// Counts are the votes for each choice. Before the reveal only who presents has
	// them: the first votes would sway the others.
	Counts []int `json:"counts,omitempty"`
}

// Vote notes what a member chooses, in place of what it chose before. Choices count from
// 0. Its errors are ErrVote,
// ErrVoteClosed and ErrRevealed.
func (c *Class) Vote(p Person, name string, choice int) error {
	return c.ask(name, func(q *question) error {
		if choice < 0 || choice >= mostChoices {
			return fmt.Errorf("%w: choice is %d, must be 0 to %d", ErrVote, choice, mostChoices-1)
		}
		if q.revealed {
			return ErrRevealed
		}
		if q.closed {
			return ErrVoteClosed
		}
		q.choices[p.ID] = choice
		return nil
	})
}

// CloseVote takes no more votes on a question, before its answer is shown.
func (c *Class) CloseVote(name string) error {
	return c.ask(name, func(q *question) error {
		q.closed = true
		return nil
	})
}

// Reveal ends a vote and shows the counts to everybody.
func (c *Class) Reveal(name string) error {
	return c.ask(name, func(q *question) error {
		q.closed, q.revealed = true, true
		return nil
	})
}

// ask does something to a question, which there is from then on.
func (c *Class) ask(name string, do func(*question) error) error {
	return c.change(func() error {
		q := c.questions[name]
		switch {
		case q != nil:
		case name == "" || len(name) > longestName:
			return fmt.Errorf("%w: the question's name has %d bytes, must have 1 to %d", ErrVote, len(name), longestName)
		case len(c.questions) == mostQuestions:
			return fmt.Errorf("%w: this class has voted on %d questions already", ErrVote, mostQuestions)
		default:
			q = &question{choices: make(map[string]int)}
		}
		err := do(q)
		if err == nil {
			c.questions[name] = q
		}
		return err
	})
}

// Choices are what a person has voted, in one text: those with the same know the same of
// all votes.
func (c *Class) Choices(p Person) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var text []byte
	for _, name := range slices.Sorted(maps.Keys(c.questions)) {
		choice, voted := c.questions[name].choices[p.ID]
		if !voted {
			choice = noChoice
		}
		text = append(strconv.AppendInt(text, int64(choice), 10), ' ')
	}
	return string(text)
}

// Votes is how all votes stand, sorted by question, as a person may know them.
func (c *Class) Votes(p Person, all bool) []VoteState {
	c.mu.Lock()
	defer c.mu.Unlock()
	var states []VoteState
	for _, name := range slices.Sorted(maps.Keys(c.questions)) {
		q := c.questions[name]
		state := VoteState{Question: name, Voters: len(q.choices), Closed: q.closed, Revealed: q.revealed, Mine: noChoice}
		if mine, ok := q.choices[p.ID]; ok {
			state.Mine = mine
		}
		if all || q.revealed {
			state.Counts = make([]int, mostChoices)
			for _, choice := range q.choices {
				state.Counts[choice]++
			}
		}
		states = append(states, state)
	}
	return states
}
