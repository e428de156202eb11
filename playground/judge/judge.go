package judge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// A Config says what to judge, and where.
type Config struct {
	// Program is the lock. Where a trial's scenario has a source, it runs that.
	Program client.ProgramConfig
	// Shared is for the trials that need no servers of their own. Own starts servers for one
	// trial, and Counter begins the sequence numbers of a lock directory there; the caller
	// of it calls stop. Nil leaves out the trials that need it.
	Shared run.Backend
	Own    func(ctx context.Context, servers int, directory string, counter int32) (backend run.Backend, stop func() error, err error)
	// Base is the topmost znode that is the playground's own, and Room the room of the runs;
	// default "judge".
	Base, Room string
	// NewID makes an id for a run, and free is called when its znodes are not needed any
	// more; nil names it by its trial.
	NewID func() (id string, free func())
	// Trials are those to do, and Seed is that of their plans.
	Trials []Trial
	Seed   int64
	// AtOnce is how many trials run side by side; at least 1.
	AtOnce int
	// LogDir is where logs are kept while they are needed.
	LogDir string
	// Began is told when a trial begins, and Ended when it has ended; nil for nobody. They
	// may be called by several goroutines at once.
	Began func(Trial)
	Ended func(Outcome)
	// Keep is given the log of each trial that has run, and of the smaller one that fails as
	// it does, before it is freed; nil for nobody.
	Keep func(Outcome, *run.Run) error
}

// An Outcome is what a trial has come to.
type Outcome struct {
	Trial    Trial     `json:"trial"`
	Seed     int64     `json:"seed"`
	Findings []Finding `json:"findings"`
	// Run is the run's id.
	Run string `json:"run"`
	// Clients is how many there were.
	Clients int `json:"clients"`
	// Acquisitions is how often a client got the lock.
	Acquisitions int `json:"acquisitions"`
	// NotRun says why the trial has not run, nil if it has, and Skipped is its sentence in
	// English.
	NotRun  *event.Reason `json:"notRun,omitempty"`
	Skipped string        `json:"skipped,omitempty"`
	// Millis is how long it took.
	Millis int64 `json:"millis"`
	// Smaller is the smallest run that was found to fail in the same way; nil if none was
	// looked for or found.
	Smaller *Outcome `json:"smaller,omitempty"`
}

// Of is the finding of a property; false if the trial does not ask about it.
func (o Outcome) Of(p Property) (Finding, bool) {
	i := slices.IndexFunc(o.Findings, func(f Finding) bool { return f.Property == p })
	if i < 0 {
		return Finding{}, false
	}
	return o.Findings[i], true
}

// skip is the outcome of a trial that has not run.
func (o Outcome) skip(why *event.Reason) Outcome {
	o.NotRun, o.Skipped = why, why.English()
	return o
}

// undone is the outcome of a trial that could not be done to its end: nothing holds that
// might have been refuted by then.
func (o Outcome) undone(why *event.Reason) Outcome {
	found := o.Failed()
	o.Findings = nil
	for _, p := range o.Trial.Asks {
		if i := slices.IndexFunc(found, func(f Finding) bool { return f.Property == p }); i >= 0 {
			o.Findings = append(o.Findings, found[i])
			continue
		}
		o.Findings = append(o.Findings, Finding{Property: p, Verdict: event.Undecided, Reason: why, Why: why.English()})
	}
	return o
}

// Failed are the findings of violated properties.
func (o Outcome) Failed() []Finding {
	return slices.DeleteFunc(slices.Clone(o.Findings), func(f Finding) bool { return f.Verdict != event.Violated })
}

// A Result is what all trials have come to, in their order.
type Result struct {
	Command  []string     `json:"command"`
	Server   event.Server `json:"zookeeper"`
	Outcomes []Outcome    `json:"outcomes"`
}

// Failed are the outcomes with a violated property.
func (r Result) Failed() []Outcome {
	return slices.DeleteFunc(slices.Clone(r.Outcomes), func(o Outcome) bool { return len(o.Failed()) == 0 })
}

// Passed is in how many trials all properties hold.
func (r Result) Passed() (n int) {
	for _, o := range r.Outcomes {
		if len(o.Findings) > 0 && !slices.ContainsFunc(o.Findings, func(f Finding) bool { return f.Verdict != event.Holds }) {
			n++
		}
	}
	return n
}

// Undecided are the properties that a trial asked about and none has decided.
func (r Result) Undecided() []Property {
	return slices.DeleteFunc(r.asked(), func(p Property) bool {
		decided := func(o Outcome) bool {
			f, found := o.Of(p)
			return found && f.Verdict != event.Undecided
		}
		asks := func(o Outcome) bool { return slices.Contains(o.Trial.Asks, p) }
		return slices.ContainsFunc(r.Outcomes, decided) || !slices.ContainsFunc(r.Outcomes, asks)
	})
}

// Verdict is of the program: violated if it failed a trial, and holds if each property that
// was asked about holds in some trial.
func (r Result) Verdict() event.Verdict {
	switch {
	case len(r.Failed()) > 0:
		return event.Violated
	case len(r.Undecided()) > 0:
		return event.Undecided
	default:
		return event.Holds
	}
}

// MarshalJSON tells the verdict, too.
func (r Result) MarshalJSON() ([]byte, error) {
	type result Result
	return json.Marshal(struct {
		Verdict event.Verdict `json:"verdict"`
		result
	}{r.Verdict(), result(r)})
}

// A TrialError says that a trial could not be done.
type TrialError struct {
	Trial string
	Err   error
}

func (e *TrialError) Error() string { return e.Reason().English() }

func (e *TrialError) Unwrap() error { return e.Err }

// Reason is the error for the reader of a page.
func (e *TrialError) Reason() *event.Reason {
	return notDone.With(e.Trial, client.Because(e.Err))
}

// Judge does all trials, and returns when none is under way, also after an error: a
// [TrialError] for each trial that could not be done, or ctx's. The first is done alone: if
// nobody gets the lock there, the others are left out.
func Judge(ctx context.Context, config Config) (Result, error) {
	r := Result{Command: config.Program.Command, Server: config.Shared.Describe(), Outcomes: make([]Outcome, len(config.Trials))}
	errs := make([]error, len(config.Trials))
	if len(config.Trials) == 0 {
		return r, nil
	}
	r.Outcomes[0], errs[0] = config.try(ctx, config.Trials[0])
	rest := config.Trials[1:]
	if errs[0] != nil || r.Outcomes[0].Acquisitions == 0 {
		for i, t := range rest {
			r.Outcomes[i+1] = Outcome{Trial: t}.skip(nobodyInTrial.With(config.Trials[0].Name))
		}
		return r, errs[0]
	}
	places := make(chan struct{}, max(config.AtOnce, 1))
	var trials sync.WaitGroup
	for i, t := range rest {
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			errs[i+1] = context.Cause(ctx)
			continue
		}
		trials.Go(func() {
			defer func() { <-places }()
			r.Outcomes[i+1], errs[i+1] = config.try(ctx, t)
		})
	}
	trials.Wait()
	return r, errors.Join(errs...)
}

// try does one trial, and looks for a smaller run that fails as it does.
func (c Config) try(ctx context.Context, t Trial) (Outcome, error) {
	if c.Began != nil {
		c.Began(t)
	}
	o, err := c.once(ctx, t, c.Seed, c.Keep)
	if err != nil {
		undone := &TrialError{t.Name, err}
		return o.undone(undone.Reason()), undone
	}
	if len(o.Failed()) > 0 {
		if o.Smaller, err = c.shrink(ctx, o); err != nil {
			err = &TrialError{t.Name, err}
		}
	}
	if c.Ended != nil {
		c.Ended(o)
	}
	return o, err
}

// once does one trial.
func (c Config) once(ctx context.Context, t Trial, seed int64, keep func(Outcome, *run.Run) error) (Outcome, error) {
	id, free := fmt.Sprintf("%s-%d-%d", t.Name, seed, t.Scenario.Clients), func() {}
	if c.NewID != nil {
		id, free = c.NewID()
	}
	defer free()
	o := Outcome{Trial: t, Run: id, Seed: seed, Clients: t.Scenario.Clients}
	began := time.Now()
	backend, stop := c.Shared, func() error { return nil }
	if t.Servers > 0 {
		if c.Own == nil {
			return o.skip(needsOwn.With()), nil
		}
		var err error
		if backend, stop, err = c.Own(ctx, t.Servers, fmt.Sprintf("%s/rooms/%s/%s/%s/lock", c.Base, c.room(), id, lane), t.Counter); err != nil {
			return o, err
		}
	}
	t.Scenario.Seed, t.Scenario.Title = seed, "Trial "+t.Name
	r, err := run.Start(ctx, run.Config{Backend: backend, Base: c.Base, Room: c.room(), ID: id, Scenario: t.Scenario,
		LogDir: c.LogDir, Program: &c.Program, Starlark: &c.Program, EndTimeout: endTimeout})
	if err != nil {
		return o, errors.Join(err, stop())
	}
	missed := conduct(ctx, t, r)
	r.Stop()
	err = r.Wait(context.WithoutCancel(ctx))
	events, failed := all(r.Log())
	err = errors.Join(err, failed)
	h := newHistory(t, r.Summary(), events)
	if h.missed = missed; missed == nil {
		h.missed = h.unmet()
	}
	o.Acquisitions = len(h.holds)
	for _, p := range t.Asks {
		f := h.find(p)
		if f.Seq > 0 && f.Seq <= int64(len(events)) {
			f.At = events[f.Seq-1].At
		}
		o.Findings = append(o.Findings, f)
	}
	o.Millis = time.Since(began).Milliseconds()
	if keep != nil && err == nil {
		err = keep(o, r)
	}
	return o, errors.Join(err, r.Close(), stop())
}

// endTimeout is how long the end of a trial may take on a machine that runs others beside it.
const endTimeout = 20 * time.Second

func (c Config) room() string { return cmp.Or(c.Room, "judge") }

func all(log *event.Log) ([]event.Event, error) {
	var events []event.Event
	for e, err := range log.Events(1) {
		if err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

var (
	nobodyInTrial = event.NewCode("nobody-in-trial", "nobody got the lock in the trial {trial}")
	notDone       = event.NewCode("trial-not-done", "the trial {trial} could not be done: {reason}")
	needsOwn      = event.NewCode("needs-own-servers", "it breaks servers, or needs prepared ones, and those of -zookeeper are not the playground's")
)
