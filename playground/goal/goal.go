package goal

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// Limits of a goal: more steps are more than one goal.
const (
	maxSteps = 8
	maxTimes = 5
)

// A Goal is what is to be brought about, as it is judged and given to the page.
type Goal struct {
	// Steps are done in their order, or in any but where one follows another.
	Steps    []Step `json:"steps"`
	AnyOrder bool   `json:"anyOrder,omitempty"`
	// Mistakes explain why it is not met yet.
	Mistakes []Mistake `json:"mistakes,omitempty"`
}

// A Step is one event that must have happened.
type Step struct {
	// Is says what it is, Missing what to do while it has not been done.
	Is      string  `json:"is"`
	Missing string  `json:"missing"`
	Where   Pattern `json:"where"`
	// Follows says that it comes after the step before it, where others do in any order.
	Follows bool `json:"follows,omitempty"`
}

// A Mistake is an event that explains why a goal is not met yet.
type Mistake struct {
	Why string `json:"why"`
	// Undoes says that the steps done before it count no more.
	Undoes bool    `json:"undoes,omitempty"`
	Where  Pattern `json:"where"`
}

// A Pattern is fields that an event has. What is empty is not asked for.
type Pattern struct {
	Kind event.Kind `json:"kind"`
	// Or is a kind that does as well, whatever its verdict.
	Or     event.Kind `json:"or,omitempty"`
	Ops    []string   `json:"ops,omitempty"`
	Causes []string   `json:"causes,omitempty"`
	// Refused wants an error, else there must be none; Err says which.
	Refused bool   `json:"refused,omitempty"`
	Err     string `json:"err,omitempty"`
	// By is "you", for the reader's own clients, or "others".
	By string `json:"by,omitempty"`
	// Path is as a console of the lane sees it; with an asterisk at its end, any that
	// begins so.
	Path string `json:"path,omitempty"`
	// Mode is the kind of znode that was asked for.
	Mode  string `json:"mode,omitempty"`
	Watch bool   `json:"watch,omitempty"`
	Type  string `json:"type,omitempty"`
	Fault string `json:"fault,omitempty"`
	// Lane is the lane's name, and Number a client's number in it.
	Lane   string `json:"lane,omitempty"`
	Number int    `json:"number,omitempty"`
	// Check and Verdict are what has been found.
	Check   string        `json:"check,omitempty"`
	Verdict event.Verdict `json:"verdict,omitempty"`
	// Because is the code of the event's reason, or of one that it is made of.
	Because string `json:"because,omitempty"`
	// Znode and Client are names for the znode and the client that it was: the same
	// name is the same one, in all steps and mistakes of a goal.
	Znode  string `json:"znode,omitempty"`
	Client string `json:"client,omitempty"`
}

// A Wanted is an event as an author asks for it.
type Wanted struct {
	// Event is one of the happenings.
	Event  string `json:"event"`
	By     string `json:"by"`
	Path   string `json:"path"`
	Znode  string `json:"znode"`
	Client string `json:"client"`
	Mode   string `json:"mode"`
	Watch  bool   `json:"watch"`
	Type   string `json:"type"`
	Error  string `json:"error"`
	Fault  string `json:"fault"`
	Check  string `json:"check"`
	// Because is the code of the reason that the log has.
	Because string `json:"because"`
	Lane    string `json:"lane"`
	Number  int    `json:"number"`
}

// A WantedStep is a [Step] as an author writes it.
type WantedStep struct {
	Wanted
	Is      string `json:"is"`
	Missing string `json:"missing"`
	// Times is how often it must happen; 0 means once.
	Times   int  `json:"times"`
	Follows bool `json:"follows"`
}

// A WantedMistake is a [Mistake] as an author writes it.
type WantedMistake struct {
	Wanted
	Why    string `json:"why"`
	Undoes bool   `json:"undoes"`
}

// A WantedMoment is an event that an author waits for.
type WantedMoment struct {
	Wanted
	// Times is how often it must happen; 0 means once.
	Times int `json:"times"`
}

// ParseMoment makes a goal of events that happen one after the other. It has no words:
// it tells when they have happened, and nobody is asked to bring them about.
func ParseMoment(events []WantedMoment) (Goal, error) {
	var moment Goal
	for _, event := range events {
		where, err := event.Pattern()
		if err != nil {
			return Goal{}, err
		}
		if event.Times < 0 || event.Times > maxTimes {
			return Goal{}, wrong("times", "times must be 1 to %d", maxTimes)
		}
		moment.Steps = append(moment.Steps, repeated(Step{Where: where}, event.Times)...)
	}
	if len(moment.Steps) == 0 || len(moment.Steps) > maxSteps {
		return Goal{}, wrong("", "needs 1 to %d events, has %d", maxSteps, len(moment.Steps))
	}
	return moment, nil
}

// Parse makes a goal of what an author wrote. An error is a [*Mistaken].
func Parse(steps []WantedStep, anyOrder bool, mistakes []WantedMistake) (Goal, error) {
	goal := Goal{AnyOrder: anyOrder}
	named := map[string]bool{}
	for i, step := range steps {
		where, err := step.Pattern()
		if err != nil {
			return Goal{}, err
		}
		if strings.TrimSpace(step.Is) == "" || strings.TrimSpace(step.Missing) == "" {
			return Goal{}, wrong(step.Event, `step %d needs "is", what it is, and "missing", what to do while it is not done`, i+1)
		}
		if step.Times < 0 || step.Times > maxTimes {
			return Goal{}, wrong("times", "times must be 1 to %d", maxTimes)
		}
		named[where.Znode], named[where.Client] = true, true
		goal.Steps = append(goal.Steps, repeated(Step{Is: step.Is, Missing: step.Missing, Where: where, Follows: step.Follows}, step.Times)...)
	}
	if len(goal.Steps) == 0 || len(goal.Steps) > maxSteps {
		return Goal{}, wrong("steps", "needs 1 to %d steps, has %d", maxSteps, len(goal.Steps))
	}
	for i, mistake := range mistakes {
		where, err := mistake.Pattern()
		if err != nil {
			return Goal{}, err
		}
		if strings.TrimSpace(mistake.Why) == "" {
			return Goal{}, wrong(mistake.Event, `mistake %d needs "why"`, i+1)
		}
		for _, name := range []string{where.Znode, where.Client} {
			if name != "" && !named[name] {
				return Goal{}, wrong(name, "no step names %q", name)
			}
		}
		goal.Mistakes = append(goal.Mistakes, Mistake{Why: mistake.Why, Undoes: mistake.Undoes, Where: where})
	}
	return goal, nil
}

func repeated(step Step, times int) []Step {
	if times < 2 {
		return []Step{step}
	}
	steps := make([]Step, times)
	for i := range steps {
		steps[i] = step
		steps[i].Follows = step.Follows || i > 0
		if step.Is != "" {
			steps[i].Is = fmt.Sprintf("%s (%d/%d)", step.Is, i+1, times)
		}
	}
	return steps
}

// name is what a znode or a client may be called in a goal.
var name = regexp.MustCompile(`^[a-z][a-z-]*$`)

// Pattern translates what is asked for, and says what of it cannot be.
func (w Wanted) Pattern() (Pattern, error) {
	h, err := findHappening(w.Event)
	if err != nil {
		return Pattern{}, err
	}
	for _, field := range []struct {
		name, value string
		some        []string // what it may be, where that is a list
	}{
		{"path", w.Path, nil}, {"znode", w.Znode, nil}, {"mode", w.Mode, modes}, {"type", w.Type, nil},
		{"error", w.Error, nil}, {"fault", w.Fault, nil}, {"check", w.Check, nil}, {"because", w.Because, nil}, {"watch", ifSet(w.Watch), nil},
	} {
		switch {
		case field.value == "":
		case !slices.Contains(h.fields, field.name):
			return Pattern{}, wrong(field.name, "event %q has no field %q, have %s", h.name, field.name, quoted(append([]string{"by", "client", "lane", "number"}, h.fields...)))
		case field.some != nil && !slices.Contains(field.some, field.value):
			return Pattern{}, wrong(field.value, "unknown %s %q, have %s", field.name, field.value, quoted(field.some))
		}
	}
	if w.By != "" && !slices.Contains(bys, w.By) {
		return Pattern{}, wrong(w.By, "unknown by %q, have %s", w.By, quoted(bys))
	}
	if w.Path != "" && (!strings.HasPrefix(w.Path, "/") || strings.Contains(strings.TrimSuffix(w.Path, "*"), "*")) {
		return Pattern{}, wrong(w.Path, "path %q must begin with /, and can have a * at its end alone", w.Path)
	}
	for _, given := range []string{w.Znode, w.Client} {
		if given != "" && !name.MatchString(given) {
			return Pattern{}, wrong(given, "a name is small letters, not %q", given)
		}
	}
	where := h.where
	where.By, where.Path, where.Mode, where.Watch, where.Type = w.by(h), w.Path, w.Mode, w.Watch, w.Type
	where.Fault, where.Znode, where.Client = w.Fault, w.Znode, w.Client
	where.Check, where.Because, where.Lane, where.Number = w.Check, w.Because, w.Lane, w.Number
	if w.Error != "" {
		where.Err = w.Error
	}
	return where, nil
}

// by is whose the event must be: the reader's, but for what readers do not do themselves.
func (w Wanted) by(h happening) string {
	switch {
	case w.By == "anyone", w.By == "" && h.anyone:
		return ""
	case w.By == "":
		return "you"
	}
	return w.By
}

func ifSet(is bool) string {
	if is {
		return "true"
	}
	return ""
}
