package step

import (
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

var (
	// ErrCommand is wrapped by every complaint about how a command is put.
	ErrCommand = errors.New("bad step")
	// ErrNoClient is returned for a client that does not exist.
	ErrNoClient = errors.New("no such client")
	// ErrNotStepping is returned for a frame while the network flows.
	ErrNotStepping = link.ErrNotStepping
	// ErrNoFrame is returned for a frame that does not wait, or no more.
	ErrNoFrame = link.ErrNoFrame
	// ErrOutOfOrder is returned for a frame that has another one ahead.
	ErrOutOfOrder = link.ErrOutOfOrder
)

// The commands of step mode, as [Command] names them.
const (
	// On holds the network: every frame but handshakes and heartbeats waits until
	// it is delivered. Off lets it flow, and ends a script.
	On  = "on"
	Off = "off"
	// Deliver lets one frame go on; Next does that to the oldest.
	Deliver = "deliver"
	Next    = "next"
	// All delivers what waits at the call.
	All = "all"
	// Drop loses a frame, and its connection with it: TCP loses no single
	// frame.
	Drop = "drop"
)

// Commands returns what a command may do.
func Commands() []string {
	return []string{On, Off, Deliver, Next, All, Drop}
}

// A Command is what is to be done in step mode.
type Command struct {
	// Do is one of Commands.
	Do string `json:"do"`
	// Lane, Client, Dir and Frame name the frame to deliver or to drop; see
	// [Frame]. Next and all take a lane, and mean every lane without.
	Lane   string          `json:"lane"`
	Client int             `json:"client"`
	Dir    event.Direction `json:"dir"`
	Frame  int64           `json:"frame"`
}

// A Result tells what a command has done.
type Result struct {
	// Done are the steps that were taken, as a script would have them.
	Done []scenario.Step `json:"done"`
	// Step and Steps are event.Run's.
	Step  bool `json:"step"`
	Steps int  `json:"steps"`
}

// A State is where step mode stands.
type State struct {
	// Step says that the network is held.
	Step bool `json:"step"`
	// Waiting are the frames that wait, oldest first.
	Waiting []Frame `json:"waiting"`
	// Script is what has been done so far, a group for each command.
	Script [][]scenario.Step `json:"script"`
}

// A Change is what is new in where step mode stands.
type Change struct {
	// Step and Steps are event.Run's.
	Step  bool `json:"step"`
	Steps int  `json:"steps"`
	// Script is what has been done from its group number From on, counted from 0.
	// What was told of these groups before is void.
	From   int               `json:"from"`
	Script [][]scenario.Step `json:"script"`
}

// A Frame is a frame that waits to be delivered by hand.
type Frame struct {
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

// Check says what is wrong with a command, whatever waits.
func (s *Stepper) Check(c Command) error {
	if !slices.Contains(Commands(), c.Do) {
		return fmt.Errorf("%w: do is %q, must be one of %v, or undo", ErrCommand, c.Do, Commands())
	}
	if !s.config.Scenario.HasLane(c.Lane) {
		return fmt.Errorf("%w: there is no lane %q", ErrCommand, c.Lane)
	}
	if c.Do == Deliver || c.Do == Drop {
		return s.checkFrame(c)
	}
	if c.Client != 0 || c.Dir != "" || c.Frame != 0 {
		return fmt.Errorf("%w: %s takes no client, dir and frame", ErrCommand, c.Do)
	}
	if c.Lane != "" && (c.Do == On || c.Do == Off) {
		return fmt.Errorf("%w: the network is held in every lane or in none", ErrCommand)
	}
	return nil
}

func (s *Stepper) checkFrame(c Command) error {
	if c.Lane == "" {
		return fmt.Errorf("%w: name the lane of the frame", ErrCommand)
	}
	if s.client(c.Lane, c.Client) == nil {
		return fmt.Errorf("%w: client %d", ErrNoClient, c.Client)
	}
	if c.Dir != event.Out && c.Dir != event.In {
		return fmt.Errorf("%w: dir is %q, must be %s or %s", ErrCommand, c.Dir, event.Out, event.In)
	}
	if c.Frame < 1 {
		return fmt.Errorf("%w: frame is %d, they are numbered from 1", ErrCommand, c.Frame)
	}
	return nil
}
