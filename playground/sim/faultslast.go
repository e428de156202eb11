package sim

import (
	"context"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
)

// The faults that last: each holds until its time is over, until it is healed,
// and at most until the end of the run.

func partition(_ context.Context, _ *Run, c *client, f Fault) error {
	return c.part(f, "nothing passes the link; what is sent waits, and so do new connections", event.Out, event.In)
}

func partitionOut(_ context.Context, _ *Run, c *client, f Fault) error {
	return c.part(f, "what the client sends does not get through; it still hears the server", event.Out)
}

func partitionIn(_ context.Context, _ *Run, c *client, f Fault) error {
	return c.part(f, "what the server sends does not get through; it still hears the client", event.In)
}

// part shuts ways of the client's link.
func (c *client) part(f Fault, why string, ways ...event.Direction) error {
	return c.afflict(f, why, func(*affliction) { c.holds.hold(f.Name, ways...) }, func() { c.holds.release(f.Name, ways...) })
}

// slow makes each frame of the client take its time. A link that is slower than
// that already does not become faster.
func slow(_ context.Context, _ *Run, c *client, f Fault) error {
	why := fmt.Sprintf("each frame takes %v each way", f.Delay)
	if f.Jitter > 0 {
		why += fmt.Sprintf(", and up to %v more", f.Jitter)
	}
	return c.afflict(f, why, func(*affliction) { c.pace.slow(f.Delay, f.Jitter) }, func() { c.pace.slow(0, 0) })
}

// pause stops the client's process: first its code, then what it reads and
// sends. When it goes on it writes what it was about to write before it looks
// at what has happened.
func pause(_ context.Context, _ *Run, c *client, f Fault) error {
	return c.afflict(f, "the process stands still; the network and the server go on",
		func(*affliction) { c.gate.close(); c.link.Pause() },
		func() { c.link.Resume(); c.gate.open() })
}

// heal ends whatever lasts.
func heal(_ context.Context, _ *Run, c *client, _ Fault) error {
	if c.healAll("it is healed") == 0 {
		return fmt.Errorf("%w: nothing lasts on client %d", ErrImpossible, c.number)
	}
	return nil
}
