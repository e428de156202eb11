package sim

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
)

var (
	// ErrStep is wrapped by every complaint about how a command is put.
	ErrStep = errors.New("bad step")
	// ErrNotStepping is returned for a frame while the network flows.
	ErrNotStepping = link.ErrNotStepping
	// ErrNoFrame is returned for a frame that does not wait, or no more.
	ErrNoFrame = link.ErrNoFrame
	// ErrOutOfOrder is returned for a frame that has another one ahead.
	ErrOutOfOrder = link.ErrOutOfOrder
)

// The commands of step mode, as [StepCommand] names them.
const (
	// StepOn holds the network: every frame but handshakes and heartbeats
	// waits until it is delivered. StepOff lets it flow, and ends a script.
	StepOn  = "on"
	StepOff = "off"
	// StepDeliver lets one frame go on; StepNext does that to the oldest.
	StepDeliver = "deliver"
	StepNext    = "next"
	// StepAll delivers what waits at the call.
	StepAll = "all"
	// StepDrop loses a frame, and its connection with it: TCP loses no single
	// frame.
	StepDrop = "drop"
)

// StepCommands returns what a command may do.
func StepCommands() []string {
	return []string{StepOn, StepOff, StepDeliver, StepNext, StepAll, StepDrop}
}

// A StepCommand is what is to be done in step mode.
type StepCommand struct {
	// Do is one of StepCommands.
	Do string `json:"do"`
	// Lane, Client, Dir and Frame name the frame to deliver or to drop; see
	// [WaitingFrame]. Next and all take a lane, and mean every lane without.
	Lane   string          `json:"lane"`
	Client int             `json:"client"`
	Dir    event.Direction `json:"dir"`
	Frame  int64           `json:"frame"`
}

// A StepResult tells what a command has done.
type StepResult struct {
	// Done are the steps that were taken, as a script would have them.
	Done []StepSpec `json:"done"`
	// Step and Steps are event.Run's.
	Step  bool `json:"step"`
	Steps int  `json:"steps"`
}

// Steps is where step mode stands.
type Steps struct {
	// Step says that the network is held.
	Step bool `json:"step"`
	// Waiting are the frames that wait, oldest first.
	Waiting []WaitingFrame `json:"waiting"`
	// Script is what has been done so far, a group for each command.
	Script [][]StepSpec `json:"script"`
}

// A WaitingFrame is a frame that waits to be delivered by hand.
type WaitingFrame struct {
	Lane   string          `json:"lane"`
	Client int             `json:"client"`
	Dir    event.Direction `json:"dir"`
	// Frame is its number among the client's frames in this direction.
	Frame int64  `json:"frame"`
	Op    string `json:"op"`
	Path  string `json:"path,omitempty"`
	// At is when it began to wait, on the log's clock in microseconds.
	At int64 `json:"at"`
	// First says that no other is ahead of it: it may be delivered.
	First bool `json:"first"`
}

// Step does a command of step mode and returns when the server has answered
// what was delivered to it, or has had a second for that. Its errors wrap
// ErrStep, ErrNoClient, ErrNotStepping, ErrNoFrame, ErrOutOfOrder, ErrNotRunning,
// or ErrImpossible while a script is under way. Commands take turns.
func (r *Run) Step(ctx context.Context, c StepCommand) (StepResult, error) {
	if err := r.checkStep(c); err != nil {
		return StepResult{}, err
	}
	if r.State() != event.Running {
		return StepResult{}, ErrNotRunning
	}
	done, err := r.stepper.do(ctx, c)
	if err != nil {
		return StepResult{}, err
	}
	on, steps := r.stepper.progress()
	return StepResult{Done: done, Step: on, Steps: steps}, nil
}

// Steps tells what waits, and what has been done so far.
func (r *Run) Steps() Steps {
	on, _ := r.stepper.progress()
	script, _ := r.stepper.script()
	return Steps{Step: on, Waiting: r.stepper.waiting(""), Script: script}
}

// Script returns what has been done so far, a group for each command. Whole
// says that the network has not flowed since the run began, so that the script
// repeats it.
func (r *Run) Script() (groups [][]StepSpec, whole bool) { return r.stepper.script() }

// checkStep says what is wrong with a command, whatever waits.
func (r *Run) checkStep(c StepCommand) error {
	if !slices.Contains(StepCommands(), c.Do) {
		return fmt.Errorf("%w: do is %q, must be one of %v, or undo", ErrStep, c.Do, StepCommands())
	}
	if !r.config.Scenario.hasLane(c.Lane) {
		return fmt.Errorf("%w: there is no lane %q", ErrStep, c.Lane)
	}
	if c.Do == StepDeliver || c.Do == StepDrop {
		return r.checkFrame(c)
	}
	if c.Client != 0 || c.Dir != "" || c.Frame != 0 {
		return fmt.Errorf("%w: %s takes no client, dir and frame", ErrStep, c.Do)
	}
	if c.Lane != "" && (c.Do == StepOn || c.Do == StepOff) {
		return fmt.Errorf("%w: the network is held in every lane or in none", ErrStep)
	}
	return nil
}

func (r *Run) checkFrame(c StepCommand) error {
	if c.Lane == "" {
		return fmt.Errorf("%w: name the lane of the frame", ErrStep)
	}
	if c.Client < 1 || c.Client > r.config.Scenario.Clients {
		return fmt.Errorf("%w: client %d", ErrNoClient, c.Client)
	}
	if c.Dir != event.Out && c.Dir != event.In {
		return fmt.Errorf("%w: dir is %q, must be %s or %s", ErrStep, c.Dir, event.Out, event.In)
	}
	if c.Frame < 1 {
		return fmt.Errorf("%w: frame is %d, they are numbered from 1", ErrStep, c.Frame)
	}
	return nil
}
