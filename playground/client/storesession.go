package client

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
)

// storeConn returns the client's connection to its lane's store, which it opens when it
// is used; nil where the lock is in ZooKeeper. No session ends with it: what the client
// has in the store stays.
func (c *Process) storeConn() *store.Conn {
	if c.config.Store == nil {
		return nil
	}
	dial := func() (net.Conn, error) { return c.link.Dial("tcp", "store:0", 0) } // the store knows where it is
	return store.Connect(dial, func(connected bool) {
		kind := event.SessionSuspended
		if connected {
			kind = event.SessionConnected
		}
		c.tell(event.Event{Kind: kind})
	})
}

// newStoreLock is the lock of a client whose lane has a store.
func (c *Process) newStoreLock() recipe.Lock {
	return c.recipe.New(recipe.Env{Store: c.store, Expiry: time.Duration(c.config.Scenario.Session), Path: c.lane.Path,
		Trace: c.trace(0), Process: environment{c}})
}

// closeStore ends the connection to the store; it tells nothing of what is left there.
func (c *Process) closeStore() {
	if c.store != nil && c.store.Close() == nil {
		c.emit(event.Event{Kind: event.SessionClosed})
	}
}

// awaitConnected returns when the client can make requests, or with an error when it
// never will again.
func (c *Process) awaitConnected(ctx context.Context) error {
	if c.store != nil {
		return c.store.Ready(ctx)
	}
	return c.session.Load().WaitConnected(ctx)
}

var operatorDeletesEntry = event.NewCode("operator-deletes-entry", "an operator deletes the entry of the lock, whoever has made it")

// deleteEntry frees the lock of the client's lane as an operator may who looks at the
// store: also that of a client which is gone.
func deleteEntry(ctx context.Context, p *Participant, f scenario.Fault) error {
	told := p.injected(f, operatorDeletesEntry.With())
	told.Path = store.KeyIn(p.directory)
	p.config.Recorder.Record(told)
	deleted, err := p.config.Store.Delete(ctx)
	if err != nil {
		return p.missed(told, true, err)
	}
	if !deleted {
		return p.missed(told, true, errNobodyHas)
	}
	return nil
}

var errNobodyHas = errors.New("nobody has the lock")
