package step

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// Config is what a [Stepper] needs of its run.
type Config struct {
	Scenario scenario.Scenario
	// Replay are steps, as [Stepper.Script] has them, to begin with in place of
	// the scenario's script; nil means to do that.
	Replay  [][]scenario.Step
	Clients []Participant
	Log     *event.Log
	// Record adds an event to the log.
	Record func(event.Event)
	// Inject does a fault to its clients.
	Inject func(context.Context, scenario.Fault) error
	// Delay is how long the links delay each frame now.
	Delay func() time.Duration
	// Changed is told after each change of what [Stepper.Progress] says.
	Changed func()
}

// A Participant is whose frames are held: a simulated client, or a guest.
type Participant interface {
	Lane() string
	Number() int
	Link() *link.Link
	HasSession() bool
	SetStepping(bool)
}

// A Stepper holds the network of a run and lets frames go on by hand. It keeps
// what it did as a script. Its methods are safe for concurrent use.
type Stepper struct {
	config  Config
	turn    turn        // had by the command under way
	holding atomic.Bool // the network is held
	// switching is had while the network is held or let flow, which takes as long as the
	// clients need, and while that is told, so that the log has it in the order of the links.
	switching sync.Mutex

	mu        sync.Mutex
	all       []Participant
	clients   map[teller]Participant // all
	over      bool                   // the run ends: the network flows for good
	whole     bool                   // it has been held since the run began
	script    int                    // which one this is: each time the network is held begins another
	groups    [][]scenario.Step
	steps     int                // in the groups
	scripted  bool               // a script is under way, or about to be
	endScript context.CancelFunc // breaks it off; nil before it begins
}

// New returns a stepper that lets the network flow.
func New(c Config) *Stepper {
	s := &Stepper{config: c, turn: make(turn, 1), all: slices.Clone(c.Clients), clients: make(map[teller]Participant)}
	for _, c := range c.Clients {
		s.clients[teller{c.Lane(), c.Number()}] = c
	}
	return s
}

// A turn is had by one command at a time.
type turn chan struct{}

// begin waits for the turn, or returns why ctx ended first.
func (t turn) begin(ctx context.Context) error {
	select {
	case t <- struct{}{}:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (t turn) end() { <-t }

// Add holds the frames of one more, as those of all others. No script can repeat what
// it does.
func (s *Stepper) Add(p Participant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole = false
	s.all = append(s.all, p)
	s.clients[teller{p.Lane(), p.Number()}] = p
	p.SetStepping(s.holding.Load())
}

// Remove forgets one that was added.
func (s *Stepper) Remove(p Participant) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(other Participant) bool { return other == p })
	delete(s.clients, teller{p.Lane(), p.Number()})
}

// participants are all of them.
func (s *Stepper) participants() []Participant {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.all)
}

// Holding says that the network is held.
func (s *Stepper) Holding() bool { return s.holding.Load() }

// BeginWithRun holds the network before anything passes it.
func (s *Stepper) BeginWithRun() {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	s.whole, s.scripted = true, s.HasScript()
	s.mu.Unlock()
	how := heldByHand
	if s.HasScript() {
		how = heldByScript
	}
	s.begin(how)
}

// turnOn holds the network of a run that is under way.
func (s *Stepper) turnOn() error {
	s.switching.Lock()
	defer s.switching.Unlock()
	s.mu.Lock()
	over, held := s.over, s.holding.Load()
	if !over && !held {
		s.whole, s.groups, s.steps = false, nil, 0
		s.script++
	}
	s.mu.Unlock()
	if over {
		return client.ErrNotRunning
	}
	if !held {
		s.begin(heldByHand)
	}
	return nil
}

var (
	heldByHand   = event.NewCode("held-by-hand", "the network is held: each message waits until it is delivered by hand")
	heldByScript = event.NewCode("held-by-script", "the network is held: each message waits until it is delivered by a script")
	flowsAgain   = event.NewCode("flows-again", "the network flows again")
	flowsAtEnd   = event.NewCode("flows-at-end", "the run ends, the network flows")
)

// begin holds the network. The caller is switching.
func (s *Stepper) begin(by *event.Code) {
	s.hold(true)
	s.note(true, by.With())
}

// flow lets the network go, and with it a script that is under way.
func (s *Stepper) flow(why *event.Code) {
	s.switching.Lock()
	defer s.switching.Unlock()
	held := s.holding.Load()
	s.mu.Lock()
	s.scripted = false
	if s.endScript != nil {
		s.endScript()
	}
	s.whole = s.whole && !held
	s.mu.Unlock()
	if held {
		s.note(false, why.With()) // and then it flows: all that the log has before was delivered by hand
		s.hold(false)
	}
}

// End lets the network go for good.
func (s *Stepper) End() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.flow(flowsAtEnd)
}

// hold holds every link or none. The caller is switching.
func (s *Stepper) hold(on bool) {
	s.mu.Lock()
	s.holding.Store(on) // and who is added from here on is held, too
	all := slices.Clone(s.all)
	s.mu.Unlock()
	for _, c := range all {
		c.SetStepping(on)
	}
	s.config.Changed()
}

// Progress says whether the network is held, and how many steps there were.
func (s *Stepper) Progress() (on bool, steps int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.holding.Load(), s.steps
}

// Script returns what has been done so far, a group for each command. Whole
// says that the network has not flowed since the run began, so that the script
// repeats it.
func (s *Stepper) Script() (groups [][]scenario.Step, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]scenario.Step{}, s.groups...), s.whole
}

// A Told is what a reader of the steps knows; the zero value is nothing.
type Told struct {
	held, any bool
	script    int
	groups    int
}

// Since tells what a reader does not know yet, and what it knows with that. News
// is false if it knows everything. The time that it takes depends on the news
// alone, not on how much has been done in all.
func (s *Stepper) Since(told Told) (change Change, now Told, news bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = Told{held: s.holding.Load(), any: true, script: s.script, groups: len(s.groups)}
	if now == told || !told.any && !now.held && now.groups == 0 {
		return Change{}, now, false
	}
	if told.script == s.script {
		change.From = told.groups
	}
	change.Step, change.Steps = now.held, s.steps
	change.Script = append([][]scenario.Step{}, s.groups[change.From:]...)
	return change, now, true
}

// keep adds what a command has done to the script.
func (s *Stepper) keep(group []scenario.Step) {
	if len(group) == 0 {
		return
	}
	s.mu.Lock()
	s.groups = append(s.groups, group)
	s.steps += len(group)
	s.mu.Unlock()
	s.config.Changed()
}

// State tells what waits, and what has been done so far.
func (s *Stepper) State() State {
	on, _ := s.Progress()
	script, _ := s.Script()
	return State{Step: on, Waiting: s.waiting(""), Script: script}
}

// waiting lists the frames that wait in a lane, or in all, oldest first.
func (s *Stepper) waiting(lane string) []Frame {
	frames := []Frame{}
	for _, c := range s.participants() {
		if lane == "" || lane == c.Lane() {
			frames = append(frames, waitingOf(c)...)
		}
	}
	slices.SortStableFunc(frames, func(a, b Frame) int { return cmp.Compare(a.At, b.At) })
	return frames
}

func waitingOf(c Participant) []Frame {
	var frames []Frame
	for _, w := range c.Link().Waiting() {
		frames = append(frames, Frame{Lane: c.Lane(), Client: c.Number(), Dir: w.Dir,
			Frame: w.Frame, Op: w.Op, Path: w.Path, At: w.At, First: w.First})
	}
	return frames
}

// client returns the client of that lane and number, nil if there is none.
func (s *Stepper) client(lane string, number int) Participant {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.clients[teller{lane, number}]
}

// note tells of step mode, and whether the network is held from now on. The caller is
// switching.
func (s *Stepper) note(held bool, why *event.Reason) {
	s.config.Record(event.Event{Kind: event.NoteStep, Held: held, Reason: why})
}
