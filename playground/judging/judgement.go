package judging

import (
	"errors"
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
)

// A State is how far a judgement is, or one of its trials.
type State string

// The states. A judgement waits for its place on the server, a trial for those before it. A
// judgement that is stopped has the outcomes so far; one has failed if a trial could not be
// done.
const (
	Waiting State = "waiting"
	Running State = "running"
	Done    State = "done"
	Stopped State = "stopped"
	Failed  State = "failed"
)

// A Judgement is what there is to show of one.
type Judgement struct {
	State State `json:"state"`
	// Ahead is how many others come first, while it waits.
	Ahead int `json:"ahead"`
	// Order is what was asked for.
	Order
	// Millis is how long it has been running, in milliseconds.
	Millis int64   `json:"millis"`
	Trials []Trial `json:"trials"`
	// Reason says why it failed, nil if it has not, and Why is its sentence in English.
	Reason *event.Reason `json:"reason,omitempty"`
	Why    string        `json:"why,omitempty"`
}

// A Trial is one of a judgement.
type Trial struct {
	judge.Trial
	State State `json:"state"`
	// Outcome is what it has come to, when it is done.
	Outcome *judge.Outcome `json:"outcome,omitempty"`
}

// An Order says what to judge.
type Order struct {
	// Source is a lock in Starlark; empty for the command that the server was started with.
	Source string `json:"source,omitempty"`
	// Challenge is the name of the one whose trials they are; empty if they are of none.
	Challenge string `json:"challenge,omitempty"`
	Seed      int64  `json:"seed"`
}

func newJudgement(order Order, trials []judge.Trial) Judgement {
	j := Judgement{State: Waiting, Order: order}
	for _, t := range trials {
		j.Trials = append(j.Trials, Trial{Trial: t, State: Waiting})
	}
	return j
}

// begin and end note how far a trial is.
func (j *Judgement) begin(t judge.Trial) { j.trial(t).State = Running }

func (j *Judgement) end(o judge.Outcome) {
	t := j.trial(o.Trial)
	t.State, t.Outcome = Done, &o
}

func (j *Judgement) trial(t judge.Trial) *Trial {
	i := slices.IndexFunc(j.Trials, func(one Trial) bool { return one.Name == t.Name })
	return &j.Trials[i]
}

// finish takes the whole result: some trials may have been left out, and so not told of.
func (j *Judgement) finish(r judge.Result, stopped bool, err error) {
	for _, o := range r.Outcomes {
		if o.Trial.Name != "" && (o.Skipped != "" || len(o.Findings) > 0) {
			j.end(o)
		}
	}
	switch {
	case stopped:
		j.State = Stopped
	case err != nil:
		j.State, j.Reason = Failed, because(err)
		j.Why = j.Reason.English()
	default:
		j.State = Done
	}
}

// because is why a judgement has failed: the first trial that could not be done.
func because(err error) *event.Reason {
	if trial := new(judge.TrialError); errors.As(err, &trial) {
		return trial.Reason()
	}
	return client.Because(err)
}

// clone is a copy that nobody changes.
func (j Judgement) clone() Judgement {
	j.Trials = slices.Clone(j.Trials)
	return j
}
