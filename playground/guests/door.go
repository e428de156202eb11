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
	"github.com/zkplayground/zkplayground/playground/run"
)

// A door is the port of one place.
type door struct {
	server   *Server
	place    Place
	listener net.Listener

	serving sync.WaitGroup // the ports of names

	mu      sync.Mutex
	refused string           // that of Status
	names   map[string]*name // that have a port
}

// serve lets guests in until ctx ends.
func (d *door) serve(ctx context.Context) error {
	err := d.listen(ctx, d.listener, nil)
	d.serving.Wait()
	return err
}

// listen lets those in that come to one port: the room's, or that of a name.
func (d *door) listen(ctx context.Context, listener net.Listener, of *name) error {
	slow := slowListener{listener, ctx, rate.NewLimiter(connectionsPerSecond, connectionsAtOnce)}
	return chroot.Serve(ctx, slow, chroot.Config{
		Limits:     chroot.Limits{Connections: d.server.config.Limits.Guests},
		Connection: func(who chroot.Guest) (chroot.Config, error) { return d.connection(ctx, who, of) },
		Refused:    func(_ chroot.Guest, r chroot.Refusal) { d.server.metrics.refused(r) },
		Ended:      d.turnedAway,
	})
}

func (d *door) status() Status {
	lock := d.lock()
	d.mu.Lock()
	defer d.mu.Unlock()
	return Status{Address: d.listener.Addr().String(), Lock: lock, Refused: d.refused}
}

// turnedAway notes why a connection was closed before it came to a run.
func (d *door) turnedAway(who chroot.Guest, why error) {
	d.server.metrics.turnedAway.Inc()
	if run := d.running(); run != nil {
		run.NoteRefused(d.joining(who), chroot.Refusal{Op: "connect", Why: fmt.Sprintf("the connection from %s: %v", who.Address, why)})
	}
	d.mu.Lock()
	d.refused = why.Error()
	d.mu.Unlock()
}

func (d *door) joining(who chroot.Guest) run.Joining {
	return run.Joining{Kind: event.Guest, From: "from " + who.Address, Sessions: d.server.sessions,
		NewestZxid: d.server.newest, Version: d.server.zooKeeper().Build,
		Limits: d.server.config.Limits.OfConnection()}
}

// connection says what a new connection is to do: it becomes a guest of the run that is
// under way now, by the name of its port if that has one. The door is open until life ends.
func (d *door) connection(life context.Context, who chroot.Guest, of *name) (chroot.Config, error) {
	current := d.running()
	if current == nil {
		return chroot.Config{}, ErrNoRun
	}
	c := &connection{door: d, name: of, run: current, joining: d.joining(who)}
	if of != nil {
		c.joining.Name = of.name
	}
	config, err := current.Confine(c.joining)
	if errors.Is(err, client.ErrNotRunning) {
		err = ErrNoRun
	}
	config.Dial, config.Refused, config.Ended, config.Slowed = c.dial, c.refused, c.ended, c.slowed
	if of == nil {
		config.Dialogue = func(ctx context.Context, conn net.Conn, begun []byte) { d.dialogue(life, conn, begun) }
	}
	return config, err
}

// A connection is one of a guest, or of what did not become one.
type connection struct {
	door    *door
	name    *name // of its port; nil for none
	run     *run.Run
	joining run.Joining

	mu    sync.Mutex
	guest *client.Guest // nil until its first frame has come
	told  bool          // that it was refused
	turn  bool          // it has that of its name
}

// dial finds whose connection it is, when its first frame has come.
func (c *connection) dial(ctx context.Context, who chroot.Guest) (net.Conn, error) {
	if err := c.awaitTurn(ctx, who); err != nil {
		return nil, err
	}
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
	if c.name != nil {
		c.name.joined(guest)
	}
	c.mu.Lock()
	c.guest = guest
	c.mu.Unlock()
	c.door.server.metrics.connections.Inc()
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

func (c *connection) slowed(chroot.Guest) {
	c.mu.Lock()
	guest := c.guest
	c.mu.Unlock()
	if guest != nil {
		guest.Slowed()
	}
}

func (c *connection) ended(who chroot.Guest, why error) {
	c.mu.Lock()
	guest, told, turn := c.guest, c.told, c.turn
	c.mu.Unlock()
	if turn {
		defer c.name.leave()
	}
	switch {
	case guest != nil:
		c.door.server.metrics.connections.Dec()
		guest.Disconnected(why)
	case why != nil && !told:
		c.door.server.metrics.turnedAway.Inc()
		c.run.NoteRefused(c.joining, chroot.Refusal{Op: "connect", Why: fmt.Sprintf("the connection from %s: %v", who.Address, why)})
	}
}
