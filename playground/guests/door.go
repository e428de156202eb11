package guests

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// A door is the port of one room.
type door struct {
	server   *Server
	room     *room.Room
	listener net.Listener

	mu      sync.Mutex
	refused string // that of Status
}

// serve lets guests in until ctx ends.
func (d *door) serve(ctx context.Context) error {
	slow := slowListener{d.listener, ctx, rate.NewLimiter(connectionsPerSecond, connectionsAtOnce)}
	return chroot.Serve(ctx, slow, chroot.Config{
		Limits:     chroot.Limits{Connections: d.server.config.Limits.Guests},
		Connection: d.connection,
		Refused:    func(_ chroot.Guest, r chroot.Refusal) { d.server.metrics.refused(r) },
		Ended:      d.turnedAway,
	})
}

func (d *door) status() Status {
	d.mu.Lock()
	defer d.mu.Unlock()
	return Status{Address: d.listener.Addr().String(), Refused: d.refused}
}

// turnedAway notes why a connection was closed before it came to a run.
func (d *door) turnedAway(who chroot.Guest, why error) {
	d.server.metrics.turnedAway.Inc()
	if run, _ := d.room.Current(); run != nil && run.State() == event.Running {
		run.NoteRefused(d.joining(who), chroot.Refusal{Op: "connect", Why: fmt.Sprintf("the connection from %s: %v", who.Address, why)})
	}
	d.mu.Lock()
	d.refused = why.Error()
	d.mu.Unlock()
}

func (d *door) joining(who chroot.Guest) run.Joining {
	return run.Joining{Kind: event.Guest, From: "from " + who.Address, Sessions: d.server.sessions,
		NewestZxid: d.server.newest, Version: d.server.zooKeeper().Version,
		Limits: d.server.config.Limits.OfConnection()}
}

// connection says what a new connection is to do: it becomes a guest of the run that is
// under way now.
func (d *door) connection(who chroot.Guest) (chroot.Config, error) {
	current, _ := d.room.Current()
	if current == nil || current.State() != event.Running {
		return chroot.Config{}, ErrNoRun
	}
	c := &connection{door: d, run: current, joining: d.joining(who)}
	config, err := current.Confine(c.joining)
	if errors.Is(err, client.ErrNotRunning) {
		err = ErrNoRun
	}
	config.Dial, config.Refused, config.Ended = c.dial, c.refused, c.ended
	d.server.metrics.connections.Inc()
	return config, err
}

// A connection is one of a guest, or of what did not become one.
type connection struct {
	door    *door
	run     *run.Run
	joining run.Joining

	mu    sync.Mutex
	guest *client.Guest // nil until its first frame has come
	told  bool          // that it was refused
}

// dial finds whose connection it is, when its first frame has come.
func (c *connection) dial(ctx context.Context, who chroot.Guest) (net.Conn, error) {
	guest := c.run.Guest(who.Session)
	if guest == nil {
		if err := c.awaitZooKeeper(ctx); err != nil {
			return nil, err
		}
		joined, err := c.run.Join(c.joining)
		if err != nil {
			return nil, err
		}
		guest = joined
	}
	c.mu.Lock()
	c.guest = guest
	c.mu.Unlock()
	return guest.Dial(ctx)
}

// awaitTimeout is how long a new guest waits for a ZooKeeper that is away.
const awaitTimeout = 2 * time.Second

// awaitZooKeeper keeps a client that connects again and again while ZooKeeper is away from becoming
// another guest each time.
func (c *connection) awaitZooKeeper(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	if err := c.run.AwaitZooKeeper(ctx); err != nil {
		return fmt.Errorf("ZooKeeper does not answer: %w", err)
	}
	return nil
}

func (c *connection) refused(_ chroot.Guest, refusal chroot.Refusal) {
	c.door.server.metrics.refused(refusal)
	c.mu.Lock()
	guest := c.guest
	c.told = true
	c.mu.Unlock()
	if guest != nil {
		guest.Refused(refusal)
		return
	}
	c.run.NoteRefused(c.joining, refusal)
}

func (c *connection) ended(who chroot.Guest, why error) {
	c.door.server.metrics.connections.Dec()
	c.mu.Lock()
	guest, told := c.guest, c.told
	c.mu.Unlock()
	switch {
	case guest != nil:
		guest.Disconnected(why)
	case why != nil && !told:
		c.door.server.metrics.turnedAway.Inc()
		c.run.NoteRefused(c.joining, chroot.Refusal{Op: "connect", Why: fmt.Sprintf("the connection from %s: %v", who.Address, why)})
	}
}
