package sim

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

var (
	// ErrUnknownFault is returned for a fault that does not exist.
	ErrUnknownFault = errors.New("unknown fault")
	// ErrNoClient is returned for a victim that does not exist.
	ErrNoClient = errors.New("no such client")
	// ErrImpossible is returned when the victim is in no state for the fault.
	ErrImpossible = errors.New("the fault is not possible now")
	// ErrNotRunning is returned when the run is stopping or has finished.
	ErrNotRunning = errors.New("the run is not running")
)

// A strike does a fault, which is in order, to one client of the run.
type strike func(ctx context.Context, r *Run, c *client, f Fault) error

// faults are what can be done to a client. To add one, write a strike and give
// it a line here.
var faults = map[string]strike{
	Close:        leave,
	Crash:        crash,
	Delete:       remove,
	Expire:       expire,
	Heal:         heal,
	LoseReply:    loseReply,
	Partition:    partition,
	PartitionIn:  partitionIn,
	PartitionOut: partitionOut,
	Pause:        pause,
	Slow:         slow,
}

// Faults returns the names of the faults of a client, sorted.
func Faults() []string { return slices.Sorted(maps.Keys(faults)) }

// A Fault is what to inject.
type Fault struct {
	// Name is one of Faults or ServerFaults.
	Name string
	// Client is the victim's number; 0 with a fault of the servers.
	Client int
	// Lane is the victim's; empty means the client of this number in each lane.
	Lane string
	// For is how long one of Lasting goes on, at most an hour; 0 means until it
	// is healed.
	For time.Duration
	// Delay and Jitter are what Slow adds: each frame takes Delay, and up to
	// Jitter more. Together they are bounded as a scenario's delay is.
	Delay, Jitter time.Duration
	// Op is which request LoseReply waits for, "create" or "delete"; empty
	// means either.
	Op string
}

// inject does f to its victims and returns when it has taken effect.
func (r *Run) inject(ctx context.Context, f Fault) error {
	if err := f.validate(r.config.Scenario.maxDelay()); err != nil {
		return err
	}
	if r.State() != event.Running {
		return ErrNotRunning
	}
	if ofServers(f.Name) {
		return r.strikeServer(ctx, f)
	}
	return r.strikeClients(ctx, f)
}

func (r *Run) strikeClients(ctx context.Context, f Fault) error {
	victims := slices.DeleteFunc(slices.Clone(r.clients), func(c *client) bool {
		return c.number != f.Client || f.Lane != "" && c.lane != f.Lane
	})
	if len(victims) == 0 {
		return r.noVictim(f)
	}
	return r.strikeAll(ctx, victims, f)
}

// noVictim says why f strikes nobody.
func (r *Run) noVictim(f Fault) error {
	s := r.config.Scenario
	switch {
	case f.Lane != "" && !s.hasLane(f.Lane):
		return fmt.Errorf("%w: there is no lane %q", ErrNoClient, f.Lane)
	case f.Client == 0:
		return fmt.Errorf("%w: %s strikes a client, name one of 1 to %d", ErrNoClient, f.Name, s.Clients)
	default:
		return fmt.Errorf("%w: client %d, there are 1 to %d", ErrNoClient, f.Client, s.Clients)
	}
}

// strikeAll strikes every victim. One lane's victim may be beyond the fault
// while the other's is not: that is a success.
func (r *Run) strikeAll(ctx context.Context, victims []*client, f Fault) error {
	var errs []error
	struck := false
	for _, victim := range victims {
		err := faults[f.Name](ctx, r, victim, f)
		struck = struck || err == nil
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	if struck && errors.Is(err, ErrImpossible) {
		return nil
	}
	return err
}
