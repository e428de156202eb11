package redisserver

import (
	"context"
	"sync"
)

// An OnDemand is a Redis that is started when it is first needed, for what may never
// need one. Its methods are safe for concurrent use.
type OnDemand struct {
	getenv func(string) string

	mu     sync.Mutex
	server *Server
	closed bool
}

// NewOnDemand returns one that has started nothing. Getenv knows the PATH.
func NewOnDemand(getenv func(string) string) *OnDemand { return &OnDemand{getenv: getenv} }

// Address is where the server answers; it is started by then. An error says what to
// do, and does not keep the next call from trying again.
func (d *OnDemand) Address(ctx context.Context) (string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return "", context.Canceled
	}
	if d.server != nil {
		return d.server.Address(), nil
	}
	program, err := Find(d.getenv)
	if err != nil {
		return "", err
	}
	server, err := Start(ctx, program)
	if err != nil {
		return "", err
	}
	d.server = server
	return server.Address(), nil
}

// Restart kills the server, if it has been started, as [Server.Restart] does.
func (d *OnDemand) Restart() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.server != nil {
		d.server.Restart()
	}
}

// Stop ends the server, if it has been started, for good.
func (d *OnDemand) Stop(ctx context.Context) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	if d.server == nil {
		return nil
	}
	return d.server.Stop(ctx)
}

// An Address is a Redis that another program runs, at host:port.
type Address string

// Address is where it should answer.
func (a Address) Address(context.Context) (string, error) { return string(a), nil }
