package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A StepSpec is one step of a script. Exactly one of Deliver, Drop, Until,
// Await and Fault is set. Without a lane it is done in every lane, in all of
// them at the same time.
type StepSpec struct {
	// Client is whose step it is, from 1; 0 with a fault of the servers.
	Client int    `json:"client,omitempty"`
	Lane   string `json:"lane,omitempty"`
	// Dir is the direction of what is delivered or dropped.
	Dir event.Direction `json:"dir,omitempty"`
	// Deliver is the operation that must be the first to wait in that
	// direction, "*" for any; the step waits until one does.
	Deliver string `json:"deliver,omitempty"`
	// Drop is the same of a frame that is lost, and its connection with it.
	Drop string `json:"drop,omitempty"`
	// Until delivers whatever is the client's, both ways, until it emits this kind.
	Until event.Kind `json:"until,omitempty"`
	// Await delivers nothing and waits until the client emits this kind.
	Await event.Kind `json:"await,omitempty"`
	// Fault is injected; For, Delay, Jitter and Op are [Fault]'s.
	Fault  string   `json:"fault,omitempty"`
	For    Duration `json:"for,omitempty"`
	Delay  Duration `json:"delay,omitempty"`
	Jitter Duration `json:"jitter,omitempty"`
	Op     string   `json:"op,omitempty"`
	// scene is what there was of the victims when the fault was injected by
	// hand; empty in a scenario's script.
	scene string
}

// fault is what the step injects.
func (s StepSpec) fault() Fault {
	return Fault{Name: s.Fault, Client: s.Client, Lane: s.Lane, For: time.Duration(s.For),
		Delay: time.Duration(s.Delay), Jitter: time.Duration(s.Jitter), Op: s.Op}
}

func (s Scenario) validateScript() error {
	if len(s.Script) > MaxScript {
		return fmt.Errorf("%w: the script has %d steps, must have at most %d", ErrScenario, len(s.Script), MaxScript)
	}
	for i, step := range s.Script {
		if err := s.validateStep(step); err != nil {
			return fmt.Errorf("%w: step %d: %w", ErrScenario, i+1, err)
		}
	}
	return nil
}

func (s Scenario) validateStep(step StepSpec) error {
	if (step.Client < 1 && !ofServers(step.Fault)) || step.Client < 0 || step.Client > s.Clients {
		return fmt.Errorf("client is %d, must be 1 to %d", step.Client, s.Clients)
	}
	if !s.hasLane(step.Lane) {
		return fmt.Errorf("there is no lane %q", step.Lane)
	}
	if n := step.actions(); n != 1 {
		return fmt.Errorf("it has %d of deliver, drop, until, await and fault, must have one", n)
	}
	return errors.Join(step.validateFrame(), step.validateKind(), step.validateFault(s.maxDelay()))
}

// actions counts what the step is to do.
func (s StepSpec) actions() int {
	n := 0
	for _, what := range []string{s.Deliver, s.Drop, string(s.Until), string(s.Await), s.Fault} {
		if what != "" {
			n++
		}
	}
	return n
}

// validateFrame looks at the frame to be delivered or dropped.
func (s StepSpec) validateFrame() error {
	op := s.Deliver + s.Drop // one of them is empty
	if op == "" {
		if s.Dir != "" {
			return errors.New("dir goes with deliver and drop only")
		}
		return nil
	}
	if s.Dir != event.Out && s.Dir != event.In {
		return fmt.Errorf("dir is %q, must be %s or %s", s.Dir, event.Out, event.In)
	}
	if op == "ping" { // heartbeats do not wait
		return errors.New("heartbeats cannot be stepped")
	}
	if op != "*" && !slices.Contains(wire.OpNames(), op) {
		return fmt.Errorf("unknown operation %q, there are * and %v", op, wire.OpNames())
	}
	return nil
}

func (s StepSpec) validateKind() error {
	kind := s.Until + s.Await // one of them is empty
	if kind != "" && !slices.Contains(event.Kinds(), kind) {
		return fmt.Errorf("unknown kind of event %q", kind)
	}
	return nil
}

func (s StepSpec) validateFault(maxDelay time.Duration) error {
	if s.Fault != "" {
		return s.fault().validate(maxDelay)
	}
	if s.For != 0 || s.Delay != 0 || s.Jitter != 0 || s.Op != "" {
		return errors.New("for, delay, jitter and op go with fault only")
	}
	return nil
}
