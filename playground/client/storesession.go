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

// A storeAccess is a connection to the store of the client's lane, which is opened when it
// is used. No session ends with it: what the client has in the store stays.
type storeAccess struct {
	client *Process
	conn   *store.Conn
}

func newStoreAccess(c *Process) *storeAccess {
	dial := func() (net.Conn, error) { return c.link.Dial("tcp", "store:0", 0) } // the store knows where it is
	return &storeAccess{c, store.Connect(dial, func(connected bool) {
		kind := event.SessionSuspended
		if connected {
			kind = event.SessionConnected
		}
		c.tell(event.Event{Kind: kind})
	})}
}

func (a *storeAccess) open() (recipe.Lock, error) {
	c := a.client
	return c.recipe.New(recipe.Env{Store: a.conn, Expiry: time.Duration(c.config.Scenario.Session), Path: c.lane.Path,
		Trace: c.trace(0), Process: environment{client: c}}), nil
}

func (a *storeAccess) opened() bool { return true }

func (a *storeAccess) awaitConnected(ctx context.Context) error { return a.conn.Ready(ctx) }

// close ends the connection, and with it each request.
func (a *storeAccess) close(context.Context) {
	if a.conn.Close() == nil {
		a.client.emit(event.Event{Kind: event.SessionClosed})
	}
}

func (a *storeAccess) wait(context.Context) { a.conn.Wait() }

func (a *storeAccess) pause()            {}
func (a *storeAccess) resume()           {}
func (a *storeAccess) died()             {}
func (a *storeAccess) heard(event.Event) {}

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
