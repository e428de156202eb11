package chaos

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// replyPatience is how long a lost reply waits for one to lose, and
	// replyDelay how much each request is slowed down meanwhile.
	replyPatience = 2 * time.Second
	replyDelay    = 5 * time.Millisecond
	// expirePatience bounds the forced end of a session.
	expirePatience = 2 * time.Second
)

// An injector brings faults upon clients, several at a time, but never two
// upon one client. Each fault is undone when it is over.
type injector struct {
	address string
	restart func() error
	clients []*client
	history *History

	mu       sync.Mutex
	busy     map[int]bool
	problems []error
}

// run injects the faults of a plan until ctx ends, and then undoes all.
func (i *injector) run(ctx context.Context, p *plan) {
	var under sync.WaitGroup
	defer under.Wait()
	for {
		f, wait := p.next()
		if !pause(ctx, wait) {
			return
		}
		if i.choose(&f) {
			under.Go(func() { i.strike(ctx, f) })
		}
	}
}

// choose finds a victim that nothing is happening to, from the planned one on.
func (i *injector) choose(f *Fault) bool {
	holder := i.history.holder()
	i.mu.Lock()
	defer i.mu.Unlock()
	if f.Aimed && f.Client > 0 && holder > 0 {
		f.Client = holder
	}
	for range i.clients {
		if !i.busy[f.Client] {
			i.busy[f.Client] = true
			return true
		}
		if f.Client > 0 {
			f.Client = f.Client%len(i.clients) + 1
		}
	}
	return false
}

// strike does one fault from beginning to end.
func (i *injector) strike(ctx context.Context, f Fault) {
	f.From = i.history.Now()
	err := i.do(ctx, &f)
	f.To = i.history.Now()
	i.history.Struck(f)
	i.mu.Lock()
	defer i.mu.Unlock()
	delete(i.busy, f.Client)
	if err != nil {
		i.problems = append(i.problems, fmt.Errorf("%s: %w", f.Kind, err))
	}
}

func (i *injector) do(ctx context.Context, f *Fault) error {
	if f.Kind == Restart {
		return i.restart()
	}
	c := i.clients[f.Client-1]
	switch f.Kind {
	case Cut:
		c.link.Cut()
	case Delay:
		c.slow(ctx, f)
	case Partition:
		c.part(ctx, f)
	case Mute:
		c.part(ctx, f, event.Out)
	case Deaf:
		c.part(ctx, f, event.In)
	case Pause:
		c.pause(ctx, f)
	case LostReply:
		c.loseReply(ctx, f)
	case Expire:
		c.expire(ctx, i.address)
	}
	return nil
}

func (c *client) slow(ctx context.Context, f *Fault) {
	c.link.SetDelay(f.Slow, f.Slow)
	defer c.link.Hurry()
	pause(ctx, f.Length)
}

func (c *client) part(ctx context.Context, f *Fault, ways ...event.Direction) {
	c.link.Hold(ways...)
	defer c.link.Release(ways...)
	pause(ctx, f.Length)
}

func (c *client) pause(ctx context.Context, f *Fault) {
	c.gate.close()
	defer c.gate.open()
	c.part(ctx, f)
}

// loseReply breaks the connection when the server has done what the fault names.
// The request is slowed down, so that the way back is shut in time. A client
// who does not ask for that was only slowed down.
func (c *client) loseReply(ctx context.Context, f *Fault) {
	ctx, cancel := context.WithTimeout(ctx, replyPatience)
	defer cancel()
	bait := c.tap.await(f.Op)
	c.link.SetDelay(replyDelay, 0)
	defer c.link.Hurry()
	if !wait(ctx, bait.asked) {
		f.Kind, f.Slow = Delay, replyDelay
		return
	}
	c.link.Hold(event.In)
	defer c.link.Release(event.In)
	defer c.link.Cut()
	wait(ctx, bait.holds)
}

// wait returns when c is closed, and reports false if ctx ended the wait.
func wait(ctx context.Context, c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	case <-ctx.Done():
		return false
	}
}

// expire has the server end the session. Meanwhile the link is held, or the
// client would take the session back. It fails when the session has ended
// already, or the server is away: then another fault has done its work.
func (c *client) expire(ctx context.Context, address string) {
	c.link.Hold()
	defer c.link.Release()
	session, password := c.tap.granted()
	if session == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), expirePatience)
	defer cancel()
	_ = wire.Expire(ctx, address, session, password)
}

// pause waits, and reports false if ctx ended the wait.
func pause(ctx context.Context, length time.Duration) bool {
	timer := time.NewTimer(length)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
