package sim

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrFault is wrapped by every complaint about what a fault is given: a length
// where it takes none, a length or a delay out of range, a client where a
// server is meant.
var ErrFault = errors.New("bad fault")

// validate says what is wrong with f, whatever the state of its victim. A link
// may be slowed by maxDelay at most.
func (f Fault) validate(maxDelay time.Duration) error {
	if !slices.Contains(FaultNames(), f.Name) {
		return fmt.Errorf("%w %q, there are %v", ErrUnknownFault, f.Name, FaultNames())
	}
	if ofServers(f.Name) && (f.Client != 0 || f.Lane != "") {
		return fmt.Errorf("%w: %s concerns the servers, leave out client and lane", ErrFault, f.Name)
	}
	return errors.Join(f.validateLength(), f.validateDelay(maxDelay), f.validateOp())
}

func (f Fault) validateLength() error {
	if f.For != 0 && !slices.Contains(Lasting(), f.Name) {
		return fmt.Errorf("%w: %s takes no \"for\"", ErrFault, f.Name)
	}
	if f.For < 0 || f.For > maxPause {
		return fmt.Errorf("%w: for is %v, must be %v to %v", ErrFault, f.For, time.Duration(0), maxPause)
	}
	return nil
}

func (f Fault) validateDelay(most time.Duration) error {
	if f.Name != Slow {
		if f.Delay != 0 || f.Jitter != 0 {
			return fmt.Errorf("%w: %s takes no delay and no jitter", ErrFault, f.Name)
		}
		return nil
	}
	if f.Delay < 0 || f.Delay > most || f.Jitter < 0 || f.Jitter > most-f.Delay {
		return fmt.Errorf("%w: delay is %v and jitter %v, they must be 0 or more and together at most %v", ErrFault, f.Delay, f.Jitter, most)
	}
	if f.Delay+f.Jitter == 0 {
		return fmt.Errorf("%w: slow needs a delay or a jitter", ErrFault)
	}
	return nil
}

func (f Fault) validateOp() error {
	if f.Op == "" || f.Name == LoseReply && (f.Op == "create" || f.Op == "delete") {
		return nil
	}
	if f.Name != LoseReply {
		return fmt.Errorf("%w: %s takes no op", ErrFault, f.Name)
	}
	return fmt.Errorf("%w: op is %q, must be create or delete", ErrFault, f.Op)
}
