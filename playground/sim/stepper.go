package sim

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
)

// A stepper holds the network of a run and lets frames go on by hand. It keeps
// what it did as a script. Its methods are safe for concurrent use.
type stepper struct {
	run     *Run
	turn    sync.Mutex  // had by the command under way
	holding atomic.Bool // the network is held

	mu        sync.Mutex
	over      bool // the run ends: the network flows for good
	whole     bool // it has been held since the run began
	groups    [][]StepSpec
	scripted  bool               // a script is under way, or about to be
	endScript context.CancelFunc // breaks it off; nil before it begins
}

// beginWithRun holds the network before anything passes it.
func (s *stepper) beginWithRun() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.whole, s.scripted = true, s.run.hasScript()
	s.begin()
}

// turnOn holds the network of a run that is under way.
func (s *stepper) turnOn() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over {
		return ErrNotRunning
	}
	if !s.holding.Load() {
		s.whole, s.groups = false, nil
		s.begin()
	}
	return nil
}

// begin holds the network. The caller holds the mutex.
func (s *stepper) begin() {
	s.hold(true)
	s.run.note("the network is held: each frame waits until it is delivered by hand")
}

// flow lets the network go, and with it a script that is under way.
func (s *stepper) flow(why string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.scripted = false
	if s.endScript != nil {
		s.endScript()
	}
	if s.holding.Load() {
		s.whole = false
		s.hold(false)
		s.run.note(why)
	}
}

// end lets the network go for good.
func (s *stepper) end() {
	s.mu.Lock()
	s.over = true
	s.mu.Unlock()
	s.flow("the run ends, the network flows")
}

// hold holds every link or none. The caller holds the mutex.
func (s *stepper) hold(on bool) {
	s.holding.Store(on)
	for _, c := range s.run.clients {
		c.link.SetStepping(on)
	}
	s.run.changed(s.run.State())
}

// progress says whether the network is held, and how many steps there were.
func (s *stepper) progress() (on bool, steps int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, group := range s.groups {
		steps += len(group)
	}
	return s.holding.Load(), steps
}

func (s *stepper) script() (groups [][]StepSpec, whole bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([][]StepSpec{}, s.groups...), s.whole
}

// keep adds what a command has done to the script.
func (s *stepper) keep(group []StepSpec) {
	if len(group) == 0 {
		return
	}
	s.mu.Lock()
	s.groups = append(s.groups, group)
	s.mu.Unlock()
	s.run.changed(s.run.State())
}

// waiting lists the frames that wait in a lane, or in all, oldest first.
func (s *stepper) waiting(lane string) []WaitingFrame {
	frames := []WaitingFrame{}
	for _, c := range s.run.clients {
		if lane == "" || lane == c.lane {
			frames = append(frames, c.waiting()...)
		}
	}
	slices.SortStableFunc(frames, func(a, b WaitingFrame) int { return cmp.Compare(a.At, b.At) })
	return frames
}

func (c *client) waiting() []WaitingFrame {
	var frames []WaitingFrame
	for _, w := range c.link.Waiting() {
		frames = append(frames, WaitingFrame{Lane: c.lane, Client: c.number, Dir: w.Dir,
			Frame: w.Frame, Op: w.Op, Path: w.Path, At: w.At, First: w.First})
	}
	return frames
}
