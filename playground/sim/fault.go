package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"syscall"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
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

// The faults by name.
const (
	// Crash: the process is gone. Its connection ends for ever, its session
	// lives on at the server until the timeout, and so does its znode.
	Crash = "crash"
	// Expire: the server ends the session now, behind the client's back.
	Expire = "expire"
)

// expirePatience bounds the forced end of a session, expirePause is between
// two attempts.
const (
	expirePatience = 2 * time.Second
	expirePause    = 20 * time.Millisecond
)

// faults are what can be done to a client. To add one, write a function and
// give it a line here.
var faults = map[string]func(context.Context, *client, []string) error{
	Crash:  crash,
	Expire: expire,
}

// Faults returns the names of the faults, sorted.
func Faults() []string { return slices.Sorted(maps.Keys(faults)) }

// A Fault is what to inject.
type Fault struct {
	// Name is one of Faults.
	Name string
	// Client is the victim's number.
	Client int
	// Lane is the victim's; empty means the client of this number in each lane.
	Lane string
}

// Inject does f to its victims and returns when it has taken effect.
func (r *Run) Inject(ctx context.Context, f Fault) error {
	inject, ok := faults[f.Name]
	if !ok {
		return fmt.Errorf("%w %q, there are %v", ErrUnknownFault, f.Name, Faults())
	}
	if r.State() != event.Running {
		return ErrNotRunning
	}
	victims := slices.DeleteFunc(slices.Clone(r.clients), func(c *client) bool {
		return c.number != f.Client || f.Lane != "" && c.lane != f.Lane
	})
	if len(victims) == 0 {
		return fmt.Errorf("%w: client %d in lane %q", ErrNoClient, f.Client, f.Lane)
	}
	return injectAll(ctx, inject, victims, r.config.Servers)
}

// injectAll strikes every victim. One lane's victim may be beyond the fault
// while the other's is not: that is a success.
func injectAll(ctx context.Context, inject func(context.Context, *client, []string) error, victims []*client, servers []string) error {
	var errs []error
	struck := false
	for _, victim := range victims {
		err := inject(ctx, victim, servers)
		struck = struck || err == nil
		errs = append(errs, err)
	}
	err := errors.Join(errs...)
	if struck && errors.Is(err, ErrImpossible) {
		return nil
	}
	return err
}

func crash(_ context.Context, c *client, _ []string) error {
	if c.gone.Load() {
		return fmt.Errorf("%w: client %d has crashed already", ErrImpossible, c.number)
	}
	c.link.Kill() // first, so that nothing passes the link unrecorded
	died := event.Event{Kind: event.FaultInjected, Lane: c.lane, Client: c.number, Fault: Crash,
		Why: "the process is gone; its session lives on until the server times it out"}
	if !c.recorder.recordIf(func() bool { return !c.gone.Swap(true) }, died) {
		return fmt.Errorf("%w: client %d has crashed already", ErrImpossible, c.number)
	}
	c.stop()
	return nil
}

// expire takes the session over from a second connection and closes it. The
// victim's link is held meanwhile: else a client that reconnects in between
// would win its session back.
func expire(ctx context.Context, c *client, servers []string) error {
	id, password, _ := c.tap.Session()
	if c.gone.Load() || id == 0 {
		return fmt.Errorf("%w: client %d has no session that it could lose", ErrImpossible, c.number)
	}
	c.injected(Expire, "the server is made to end the session "+wire.SessionHex(id))
	c.link.Hold()
	defer c.link.Release()
	err := expireSession(ctx, servers, id, password)
	if err == nil {
		c.link.Cut()
		return nil
	}
	c.recorder.record(event.Event{Kind: event.NoteFault, Lane: c.lane, Client: c.number, Fault: Expire,
		Why: "it did not happen: " + err.Error()})
	if errors.Is(err, wire.SessionExpired) {
		return fmt.Errorf("%w: client %d's session is over already", ErrImpossible, c.number)
	}
	return err
}

// expireSession asks the servers in turn until one has done it, or knows that
// the session is over. A server hangs up without a word on a session that it is
// closing just then, so a lost connection is no answer.
func expireSession(ctx context.Context, servers []string, id int64, password []byte) error {
	ctx, cancel := context.WithTimeout(ctx, expirePatience)
	defer cancel()
	for attempt := 0; ; attempt++ {
		err := wire.Expire(ctx, servers[attempt%len(servers)], id, password)
		if attempt > 0 && errors.Is(err, wire.SessionExpired) {
			return nil // the attempt before had done it
		}
		if !hungUp(err) && attempt+1 >= len(servers) || err == nil || !sleep(ctx, expirePause) {
			return err
		}
	}
}

// hungUp says that a server took a connection and dropped it.
func hungUp(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) }

func (c *client) injected(fault, why string) {
	c.recorder.record(event.Event{Kind: event.FaultInjected, Lane: c.lane, Client: c.number, Fault: fault, Why: why})
}
