package client

import (
	"context"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

// An Account is a resource that a lane's lock protects: a balance that each
// holder reads, works on for as long as it holds, and writes back. It tells the
// log what became of each. Its methods are safe for concurrent use.
type Account interface {
	// read returns the balance. Ok is false when ctx or the lock ended first.
	read(ctx context.Context, c *Process, held recipe.Hold) (balance int64, ok bool)
	// write turns the balance that the client has read into the next one,
	// unless the account refuses that, or ctx ends first.
	write(ctx context.Context, c *Process, held recipe.Hold, read int64)
}

const (
	openingBalance = 100 // so that it is never 0
	deposit        = 10  // what each turn adds
)

// NewAccount opens the account of a lane, nil if it has none.
func NewAccount(lane event.Lane) Account {
	switch lane.Account {
	case scenario.AccountUnfenced, scenario.AccountToken:
		return &local{fenced: lane.Account == scenario.AccountToken, balance: openingBalance}
	case scenario.AccountGuard:
		return guarded{path: lane.AccountPath()}
	default:
		return nil
	}
}

// A local account is outside ZooKeeper, behind the same network: a write of a client that is
// cut off waits there, and arrives in the end, whatever its client does by then. An unfenced
// account takes every write. A fenced one remembers the highest token that it was shown, by a
// reader or a writer, and refuses whoever comes with a lower one.
type local struct {
	fenced bool

	mu      sync.Mutex
	balance int64
	highest zklock.Token
}

func (l *local) read(_ context.Context, c *Process, held recipe.Hold) (int64, bool) {
	c.gate.Enter(nil) // before the mutex: a paused client must not hold up the others
	defer c.gate.Exit()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stale(held.Token()) {
		c.emit(refusal(held, 0, l.balance, l.why(held)))
		return 0, false
	}
	c.emit(event.Event{Kind: event.ResourceRead, Path: held.Node(), Token: int64(held.Token()), Balance: l.balance})
	return l.balance, true
}

func (l *local) write(ctx context.Context, c *Process, held recipe.Hold, read int64) {
	c.gate.Enter(nil)
	if c.cutOff() == nil {
		defer c.gate.Exit()
		l.take(held, read, c.emit)
		return
	}
	sent := c.emit(event.Event{Kind: event.ResourceSent, Path: held.Node(), Token: int64(held.Token()), Read: read, Balance: read + deposit})
	c.gate.Exit()
	if !sent {
		return
	}
	arrived := make(chan struct{})
	c.background.Go(func() {
		defer close(arrived)
		for cut := c.cutOff(); cut != nil; cut = c.cutOff() {
			<-cut
		}
		l.take(held, read, c.arrived)
	})
	select { // the client waits for an answer
	case <-arrived:
	case <-held.Lost():
	case <-ctx.Done():
	}
}

// take has the account decide on a write, which tell records.
func (l *local) take(held recipe.Hold, read int64, tell func(event.Event) bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.stale(held.Token()) {
		tell(refusal(held, read, l.balance, l.why(held)))
		return
	}
	if tell(acceptance(held, read)) { // else the process has died meanwhile
		l.balance = read + deposit
	}
}

// arrived tells what became of what the client has sent, though it may have crashed since.
func (p *Participant) arrived(e event.Event) bool {
	e.Lane, e.Client = p.lane, p.number
	p.config.Recorder.Record(e)
	return true
}

// stale says whether somebody with a higher token has been here, and remembers
// the token if not.
func (l *local) stale(token zklock.Token) bool {
	if l.fenced && token < l.highest {
		return true
	}
	l.highest = max(l.highest, token)
	return false
}

var lowerToken = event.NewCode("lower-token", "[stale: ]token {token} is lower than {highest}, which the account has seen")

func (l *local) why(held recipe.Hold) *event.Reason {
	return lowerToken.With(held.Token(), l.highest)
}

// acceptance tells that the account took a write. A local account tells it before any other
// client can read what was written; a guarded account only when the server has answered, and
// another may have read by then.
func acceptance(held recipe.Hold, read int64) event.Event {
	return event.Event{Kind: event.ResourceAccepted, Path: held.Node(), Token: int64(held.Token()), Read: read, Balance: read + deposit}
}

// refusal tells that it did not; a balance of 0 is one that nobody looked at.
func refusal(held recipe.Hold, read, balance int64, why *event.Reason) event.Event {
	return event.Event{Kind: event.ResourceRefused, Path: held.Node(), Token: int64(held.Token()), Read: read, Balance: balance, Reason: why}
}
