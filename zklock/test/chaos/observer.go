package chaos

import (
	"context"
	"errors"
	"path"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// observerSession is the observer's session timeout; it owns no znode.
	observerSession = 10 * time.Second
	// observerCall bounds each of its requests.
	observerCall = 5 * time.Second
	// observerPause is between two attempts to connect, and between two looks at a
	// server without recursive watches.
	observerPause = 20 * time.Millisecond
)

// An observer tells the history what the server does, over a connection of its
// own that no fault touches but the server's restart: which znodes it creates
// and deletes, and what the registers hold. What it misses while the server is
// away it finds out afterwards, as far as it matters. Of a server before 3.6, which
// has no recursive watches, it does not learn what is created.
type observer struct {
	connect   connect
	root      string
	registers []register
	history   *History
	dirty     chan struct{} // has a value when a register may have changed
	ready     chan struct{} // has a value when it observes, again or at first
	noWatches bool          // the server is from before 3.6
}

// A connect opens a connection to a server that knows all that was known before, which is
// told of events.
type connect func(context.Context, func(wire.WatchEvent)) (*wire.Client, error)

func newObserver(connect connect, root string, registers []register, h *History) *observer {
	return &observer{
		connect: connect, root: root, registers: registers, history: h,
		dirty: make(chan struct{}, 1), ready: make(chan struct{}, 1),
	}
}

// run observes until ctx ends.
func (o *observer) run(ctx context.Context) {
	for ctx.Err() == nil {
		_ = o.connection(ctx) // it ends with the server, or with ctx
		pause(ctx, observerPause)
	}
}

// connection observes for as long as one connection lasts.
func (o *observer) connection(ctx context.Context) error {
	client, err := o.dial(ctx)
	if err != nil {
		return err
	}
	defer hangUp(ctx, client)
	var again <-chan time.Time
	if o.noWatches {
		ticker := time.NewTicker(observerPause)
		defer ticker.Stop()
		again = ticker.C
	} else if err := o.watch(ctx, client); err != nil {
		o.noWatches = errors.Is(err, wire.Unimplemented) // and then the server hangs up
		return err
	}
	if err := o.look(ctx, client); err != nil {
		return err
	}
	announce(o.ready)
	for {
		if err := o.readRegisters(ctx, client); err != nil {
			return err
		}
		select {
		case <-o.dirty:
		case <-again:
			if err := o.look(ctx, client); err != nil {
				return err
			}
		case <-client.Done():
			return client.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func (o *observer) dial(ctx context.Context) (*wire.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	return o.connect(ctx, o.event)
}

// hangUp closes the session, even when ctx has ended.
func hangUp(ctx context.Context, client *wire.Client) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), observerCall)
	defer cancel()
	if client.Err() != nil || client.CloseSession(ctx) != nil {
		client.Close()
	}
}

func (o *observer) watch(ctx context.Context, client *wire.Client) error {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	return client.AddWatch(ctx, o.root, true)
}

// look looks for znodes that have gone unseen. A lease that is held before the
// listing has its znode in it, or has lost it.
func (o *observer) look(ctx context.Context, client *wire.Client) error {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	held := o.history.Held()
	if err := client.Sync(ctx, o.root); err != nil {
		return err
	}
	existing, err := list(ctx, client, o.root)
	if err != nil {
		return err
	}
	for _, node := range held {
		if !slices.Contains(existing, node) {
			o.history.Deleted(node)
		}
	}
	return nil
}

// list returns the paths of the znodes two levels below root.
func list(ctx context.Context, client *wire.Client, root string) ([]string, error) {
	dirs, _, err := client.Children(ctx, root)
	if err != nil {
		return nil, err
	}
	var nodes []string
	for _, dir := range dirs {
		names, _, err := client.Children(ctx, path.Join(root, dir))
		if err != nil && !missing(err) {
			return nil, err
		}
		for _, name := range names {
			nodes = append(nodes, path.Join(root, dir, name))
		}
	}
	return nodes, nil
}

func (o *observer) event(e wire.WatchEvent) {
	switch e.Type {
	case wire.NodeCreated:
		o.history.Created(e.Path)
	case wire.NodeDeleted:
		o.history.Deleted(e.Path)
	case wire.NodeDataChanged:
		announce(o.dirty)
	}
}

// announce leaves a value in a channel of one.
func announce(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// readRegisters takes down what the registers hold.
func (o *observer) readRegisters(ctx context.Context, client *wire.Client) error {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	for _, r := range o.registers {
		data, stat, err := client.GetData(ctx, r.path)
		if err != nil {
			return err
		}
		token, err := parse(data)
		if err != nil {
			return err
		}
		o.history.Wrote(Write{Lock: r.lock, Zxid: stat.Mzxid, Token: token, Read: true})
	}
	return nil
}
