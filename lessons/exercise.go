package lessons

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// A Task is something to do, with the acts that do it. They are the reader's answer, and
// the solution of the [Check] that follows.
type Task struct {
	// Text says what to do, and not how.
	Text string `json:"task"`
	// How are the acts that do it.
	How []Act `json:"how"`
	// Go are the lines that do with go-zookeeper what is typed, where conn is a *zk.Conn.
	Go []string `json:"go"`
	// Shell are the lines that do to a real client what a fault does here.
	Shell []string `json:"shell"`

	position
}

// A Check asks whether the log of a run shows that a goal has been reached.
type Check struct {
	// Name is unique in the lesson. Progress is kept by it, so it outlives a new order.
	Name string
	// Goal is a sentence, and TooEarly what would be too early to be told it is met.
	Goal, TooEarly string
	// Scenario is what runs meanwhile, one of the lesson's run cards.
	Scenario string
	// Condition is what is judged.
	Condition goal.Goal
	// Solution are the acts of the tasks before it, which meet it, and Wrong an attempt
	// that does not. Tests do both on a real server.
	Solution, Wrong []Act
	// Lesson is the slug of the lesson that the check stands in.
	Lesson string

	position
}

// Card is what the page has to know beside the words.
func (c Check) Card() (string, error) { return marshal(c.Condition) }

// Key is the check's name among those of all lessons.
func (c Check) Key() string { return c.Lesson + "/" + c.Name }

// Told are the acts of the solution for a reader.
func (c Check) Told() []told { return tell(c.Solution) }

// GoText and ShellText are those lines as one text, Told are the acts for the reader.
func (t Task) GoText() string    { return strings.Join(t.Go, "\n") }
func (t Task) ShellText() string { return strings.Join(t.Shell, "\n") }
func (t Task) Told() []told      { return tell(t.How) }

// Acts are the acts as JSON, for the page.
func (t Task) Acts() (string, error) { return marshal(t.How) }

// checkFenceBody is a check as an author writes it.
type checkFenceBody struct {
	Name       string               `json:"name"`
	Goal       string               `json:"goal"`
	Scenario   string               `json:"scenario"`
	InAnyOrder bool                 `json:"inAnyOrder"`
	Steps      []goal.WantedStep    `json:"steps"`
	Mistakes   []goal.WantedMistake `json:"mistakes"`
	TooEarly   string               `json:"tooEarly"`
	Wrong      []Act                `json:"wrong"`
}

// checkName is what a check may be called.
var checkName = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// parseTask reads the body of a do fence.
func parseTask(body []byte) (Task, error) {
	var task Task
	if err := decodeFence(body, &task, ErrTask); err != nil {
		return Task{}, withFields(err, "a do", Task{})
	}
	typed := func(a Act) bool { return a.Line != "" }
	switch {
	case strings.TrimSpace(task.Text) == "":
		return Task{}, fmt.Errorf("%w: task is missing: say what to do, not how", ErrTask)
	case len(task.How) == 0:
		return Task{}, fmt.Errorf("%w: how must be the lines and faults that do it", ErrTask)
	case len(task.Go) == 0 && slices.ContainsFunc(task.How, typed):
		return Task{}, fmt.Errorf("%w: go must be the lines that do with go-zookeeper what is typed", ErrTask)
	}
	return task, nil
}

// parseCheck reads the body of a check fence.
func parseCheck(body []byte) (Check, error) {
	var fence checkFenceBody
	if err := decodeFence(body, &fence, ErrCheck); err != nil {
		err = withFields(err, "a check", checkFenceBody{})
		err = withFields(err, "a step", goal.WantedStep{})
		return Check{}, withFields(err, "a mistake", goal.WantedMistake{})
	}
	for _, field := range []struct {
		what string
		ok   bool
	}{
		{"name is missing, or is not like two-words", checkName.MatchString(fence.Name)},
		{"goal is missing: the sentence that says what is to be reached", strings.TrimSpace(fence.Goal) != ""},
		{"scenario is missing: name one that the lesson runs", fence.Scenario != ""},
		{"tooEarly is missing: say what does not count yet, and why", strings.TrimSpace(fence.TooEarly) != ""},
		{"wrong is missing: give an attempt that must not pass", len(fence.Wrong) > 0},
	} {
		if !field.ok {
			return Check{}, fmt.Errorf("%w: %s", ErrCheck, field.what)
		}
	}
	condition, err := goal.Parse(fence.Steps, fence.InAnyOrder, fence.Mistakes)
	if err != nil {
		return Check{}, &badFence{line: lineAt(body, offsetOf(body, err, 0)), err: fmt.Errorf("%w: %w", ErrCheck, err)}
	}
	return Check{Name: fence.Name, Goal: fence.Goal, TooEarly: fence.TooEarly, Scenario: fence.Scenario,
		Condition: condition, Wrong: fence.Wrong}, nil
}

// withFields adds to an error about an unknown field which fields there are.
func withFields(err error, what string, of any) error {
	bad, ok := errors.AsType[*badFence](err)
	if !ok || !unknownField.MatchString(err.Error()) {
		return err
	}
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeOf(of)) {
		if name := field.Tag.Get("json"); name != "" {
			names = append(names, name)
		}
	}
	return &badFence{line: bad.line, err: fmt.Errorf("%w; %s has %s", bad.err, what, strings.Join(names, ", "))}
}

// A Challenge asks the reader to mend a lock. What it begins with, and the trials that judge
// it, are the playground's, under the same name.
type Challenge struct {
	// Name is unique in the course. Progress is kept by it.
	Name string `json:"name"`
	// Goal says what the lock is to do, and Hint, which is shown after the first attempt,
	// how it can.
	Goal string `json:"goal"`
	Hint string `json:"hint"`
	// Lesson is the slug of the lesson that the challenge stands in.
	Lesson string `json:"-"`

	position
}

// Key is the challenge's name among the goals of all lessons.
func (c Challenge) Key() string { return c.Lesson + "/" + c.Name }

// parseChallenge reads the body of a challenge fence.
func parseChallenge(body []byte) (Challenge, error) {
	var c Challenge
	if err := decodeFence(body, &c, ErrChallenge); err != nil {
		return Challenge{}, withFields(err, "a challenge", Challenge{})
	}
	for _, field := range []struct {
		what string
		ok   bool
	}{
		{"name is missing, or is not like two-words", checkName.MatchString(c.Name)},
		{"goal is missing: the sentence that says what the lock is to do", strings.TrimSpace(c.Goal) != ""},
		{"hint is missing: say how it can", strings.TrimSpace(c.Hint) != ""},
	} {
		if !field.ok {
			return Challenge{}, fmt.Errorf("%w: %s", ErrChallenge, field.what)
		}
	}
	return c, nil
}

// namesOf are the names of challenges, in their order.
func namesOf(challenges []Challenge) (names []string) {
	for _, c := range challenges {
		names = append(names, c.Name)
	}
	return names
}

// checkChallenges sees that the lesson's challenges have names of their own, which no check
// has: progress is kept by them.
func (r *reading) checkChallenges() error {
	for i, c := range r.lesson.Challenges {
		check := func(other Check) bool { return other.Name == c.Name }
		if slices.Contains(namesOf(r.lesson.Challenges[:i]), c.Name) || slices.ContainsFunc(r.lesson.Checks, check) {
			return &Error{File: r.lesson.file, Line: c.line, Err: fmt.Errorf("%w: something else is named %q, too", ErrChallenge, c.Name)}
		}
	}
	return nil
}
