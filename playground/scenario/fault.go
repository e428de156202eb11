package scenario

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"
)

var (
	// ErrUnknownFault is returned for a fault that does not exist.
	ErrUnknownFault = errors.New("unknown fault")
	// ErrFault is wrapped by every complaint about what a fault is given: a
	// parameter that it does not take, a length or a delay out of range, a client
	// where a server is meant.
	ErrFault = errors.New("bad fault")
)

// A Fault is what to inject: the name of a [FaultKind], where, and its parameters. A
// scenario, its script and a request have it in the same words.
type Fault struct {
	Name string `json:"fault,omitempty"`
	// Client is the number of the client to inject it into; 0 with a fault of
	// the servers.
	Client int `json:"client,omitempty"`
	// Lane is that client's lane; empty means the client of this number in each
	// lane.
	Lane string `json:"lane,omitempty"`
	// When names the [MomentKind] that the fault waits for; empty, or now, is at
	// once. Then a Client of 0 is the first that comes to it.
	When string `json:"when,omitempty"`
	Parameters
}

// Parameters are what faults take. A kind of fault says which of them by their names in
// JSON, see [Parameter].
type Parameters struct {
	// For is how long the fault lasts, at most an hour; 0 means until it is
	// undone.
	For Duration `json:"for,omitempty"`
	// Delay is what each frame takes at least, and Jitter how much longer it may
	// take. Together they are bounded as a scenario's delay is.
	Delay  Duration `json:"delay,omitempty"`
	Jitter Duration `json:"jitter,omitempty"`
	// Op is the kind of request that the fault waits for.
	Op string `json:"op,omitempty"`
}

// Now is a fault's When that asks for nothing to be waited for.
const Now = "now"

// Armed says that the fault waits for a client to come to a moment.
func (f Fault) Armed() bool { return f.When != "" && f.When != Now }

// Validate says what is wrong with f, whatever the state of its target. A link
// may be slowed by maxDelay at most.
func (f Fault) Validate(c Catalogue, maxDelay time.Duration) error {
	kind, ok := c.Fault(f.Name)
	if !ok {
		return fmt.Errorf("%w %q, there are %v", ErrUnknownFault, f.Name, c.FaultNames(""))
	}
	if kind.Target == TargetServer && (f.Client != 0 || f.Lane != "") {
		return fmt.Errorf("%w: %s concerns the servers, leave out client and lane", ErrFault, f.Name)
	}
	return errors.Join(f.validateWhen(c, kind), f.validateParameters(kind), f.validateDelay(maxDelay))
}

func (f Fault) validateWhen(c Catalogue, kind FaultKind) error {
	switch {
	case f.When == "":
		return nil
	case !kind.Arms:
		return fmt.Errorf("%w: %s takes no when", ErrFault, f.Name)
	case f.Armed() && !slices.Contains(c.momentNames(), f.When):
		return fmt.Errorf("%w: when is %q, must be one of %s, %s", ErrFault, f.When, Now, strings.Join(c.momentNames(), ", "))
	}
	return nil
}

// given returns the parameters that there are, by name in JSON, as written.
func (p Parameters) given() map[string]string {
	given := make(map[string]string)
	for field, value := range reflect.ValueOf(p).Fields() {
		if name, _, _ := strings.Cut(field.Tag.Get("json"), ","); !value.IsZero() {
			given[name] = fmt.Sprint(value.Interface())
		}
	}
	return given
}

func (f Fault) validateParameters(kind FaultKind) error {
	given := f.given()
	for _, name := range slices.Sorted(maps.Keys(given)) {
		value := given[name]
		parameter, takes := kind.takes(name)
		if !takes {
			return fmt.Errorf("%w: %s takes no %s", ErrFault, f.Name, name)
		}
		if parameter.Unit == "" && !slices.Contains(parameter.Choices, value) {
			return fmt.Errorf("%w: %s is %q, must be %s", ErrFault, name, value, strings.Join(parameter.Choices, " or "))
		}
	}
	for _, p := range kind.Parameters {
		if p.Required && given[p.Name] == "" {
			return fmt.Errorf("%w: %s needs %s", ErrFault, f.Name, p.Name)
		}
	}
	if kind.NeedsOne && len(given) == 0 {
		return fmt.Errorf("%w: %s needs one of %s", ErrFault, f.Name, strings.Join(kind.parameterNames(), " and "))
	}
	if f.For < 0 || f.For > Duration(MaxTime) {
		return fmt.Errorf("%w: for is %v, must be %v to %v", ErrFault, f.For, Duration(0), MaxTime)
	}
	return nil
}

func (f Fault) validateDelay(most time.Duration) error {
	if delay, jitter := time.Duration(f.Delay), time.Duration(f.Jitter); delay < 0 || delay > most || jitter < 0 || jitter > most-delay {
		return fmt.Errorf("%w: delay is %v and jitter %v, they must be 0 or more and together at most %v", ErrFault, f.Delay, f.Jitter, most)
	}
	return nil
}
