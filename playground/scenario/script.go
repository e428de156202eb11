package scenario

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A Step is one step of a script. Exactly one of Deliver, Drop, Until,
// Await and Fault is set. Without a lane it is done in every lane, in all of
// them at the same time.
type Step struct {
	// Fault is injected, if it has a name; if not, its client, from 1, and its lane say
	// whose step it is.
	Fault
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
	// Waited is what the clients had got to when the fault was injected by hand:
	// who had a session, and which frames waited. It is empty in a scenario's
	// script.
	Waited string `json:"-"`
}

// BreaksServers says whether the scenario injects a fault into the servers.
func (s Scenario) BreaksServers(c Catalogue) bool {
	return slices.ContainsFunc(s.Faults, func(f ScheduledFault) bool { return c.BreaksServers(f.Name) }) ||
		slices.ContainsFunc(s.Script, func(step Step) bool { return c.BreaksServers(step.Name) })
}

func (s Scenario) validateScript(c Catalogue) error {
	if len(s.Script) > MaxScript {
		return fmt.Errorf("%w: the script has %d steps, must have at most %d", ErrInvalid, len(s.Script), MaxScript)
	}
	for i, step := range s.Script {
		if err := s.validateStep(c, step); err != nil {
			return fmt.Errorf("%w: step %d: %w", ErrInvalid, i+1, err)
		}
	}
	return nil
}

func (s Scenario) validateStep(c Catalogue, step Step) error {
	if (step.Client < 1 && !c.BreaksServers(step.Name)) || step.Client < 0 || step.Client > s.Clients {
		return fmt.Errorf("client is %d, must be 1 to %d", step.Client, s.Clients)
	}
	if !s.HasLane(step.Lane) {
		return fmt.Errorf("there is no lane %q", step.Lane)
	}
	if n := step.actions(); n != 1 {
		return fmt.Errorf("it has %d of deliver, drop, until, await and fault, must have one", n)
	}
	return errors.Join(step.validateFrame(), step.validateKind(), step.validateFault(c, s.MaxDelay()))
}

// actions counts what the step is to do.
func (s Step) actions() int {
	n := 0
	for _, what := range []string{s.Deliver, s.Drop, string(s.Until), string(s.Await), s.Name} {
		if what != "" {
			n++
		}
	}
	return n
}

// validateFrame looks at the frame to be delivered or dropped.
func (s Step) validateFrame() error {
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

func (s Step) validateKind() error {
	kind := s.Until + s.Await // one of them is empty
	if kind != "" && !slices.Contains(event.Kinds(), kind) {
		return fmt.Errorf("unknown kind of event %q", kind)
	}
	return nil
}

func (s Step) validateFault(c Catalogue, maxDelay time.Duration) error {
	switch {
	case s.When != "":
		return errors.New("a step has no when")
	case s.Name != "":
		return s.Fault.Validate(c, maxDelay)
	case s.Parameters != Parameters{}:
		return errors.New("the parameters of a fault go with fault only")
	}
	return nil
}

// String says what the step is to do, for readers of the log.
func (s Step) String() string {
	var who []string
	if s.Client > 0 {
		who = append(who, fmt.Sprintf("client %d", s.Client))
	}
	if s.Lane != "" {
		who = append(who, "lane "+s.Lane)
	}
	if len(who) == 0 {
		return s.what()
	}
	return strings.Join(who, ", ") + ": " + s.what()
}

func (s Step) what() string {
	switch {
	case s.Deliver != "":
		return fmt.Sprintf("deliver %s %s", s.Deliver, s.Dir)
	case s.Drop != "":
		return fmt.Sprintf("drop %s %s", s.Drop, s.Dir)
	case s.Until != "":
		return fmt.Sprintf("deliver until %s", s.Until)
	case s.Await != "":
		return fmt.Sprintf("await %s", s.Await)
	default:
		return s.Name
	}
}
