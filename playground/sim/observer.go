package sim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// syncEvery is the pause between two questions that let the checks compare
	// what clients believe with what the server has.
	syncEvery = 100 * time.Millisecond
	// syncAtLeast is how often it asks although the log has not grown: that a
	// client stands still shows in the answers only.
	syncAtLeast = time.Second
	// retryEvery is the pause before the observer connects again.
	retryEvery = 50 * time.Millisecond
	// observerSession is the observer's session timeout. It owns no znode, so
	// this is only how long a silent connection is trusted.
	observerSession = 6 * time.Second
	// observerCall bounds each of its requests.
	observerCall = 3 * time.Second
)

// errNotConnected: there was no connection to lose.
var errNotConnected = errors.New("the observer could not connect")

// An observer tells the log what happens in the lanes' lock directories,
// through a persistent recursive watch on a connection of its own. The server
// does not repeat what it missed while disconnected, so it lists again.
type observer struct {
	servers  []string
	gate     func(context.Context) error
	root     string // of the run
	tree     *tree
	recorder *recorder
	// hangUpPatience bounds the end of its session, within the end of a run.
	hangUpPatience time.Duration
	barriers       chan chan error
	standing       *standing
	syncedAt       int64 // by the run's clock, in microseconds
}

func newObserver(c Config, root string, lanes []event.Lane, r *recorder) *observer {
	return &observer{servers: c.Servers, gate: c.Gate, root: root, recorder: r, hangUpPatience: c.hangUpPatience(),
		tree: newTree(lanes, r), barriers: make(chan chan error), standing: newStanding()}
}

// run observes until ctx ends, over as many connections as that takes.
func (o *observer) run(ctx context.Context) {
	for attempt := 0; ctx.Err() == nil; attempt++ {
		err := o.observe(ctx, o.servers[attempt%len(o.servers)])
		if ctx.Err() != nil {
			return
		}
		if !errors.Is(err, errNotConnected) {
			o.recorder.record(event.Event{Kind: event.TreeLost, Why: err.Error()})
		}
		if (attempt+1)%len(o.servers) == 0 { // else another server may answer at once
			sleep(ctx, retryEvery)
		}
	}
}

// awaitWatch returns when the observer sees every change, or when ctx ends. A
// client that connects later than the observer does nothing that it misses.
func (o *observer) awaitWatch(ctx context.Context) { o.standing.wait(ctx) }

// sync returns when the log has every change that the server had made before
// the call, or when ctx ends.
func (o *observer) sync(ctx context.Context) error {
	for {
		answer := make(chan error, 1)
		select {
		case o.barriers <- answer:
		case <-ctx.Done():
			return fmt.Errorf("ask the observer: %w", context.Cause(ctx))
		}
		select {
		case err := <-answer:
			if err == nil {
				return nil
			} // the connection broke: ask again on the next one
		case <-ctx.Done():
			return fmt.Errorf("wait for the observer: %w", context.Cause(ctx))
		}
	}
}

// observe is one connection's worth of observing; it returns why it ended.
func (o *observer) observe(ctx context.Context, server string) error {
	client, err := o.dial(ctx, server)
	if err != nil {
		return errors.Join(errNotConnected, err)
	}
	defer o.hangUp(ctx, client)
	if err := o.rescan(ctx, client); err != nil {
		return err
	}
	o.standing.begin()
	defer o.standing.end()
	return o.follow(ctx, client)
}

func (o *observer) dial(ctx context.Context, server string) (*wire.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	if err := o.gate(ctx); err != nil {
		return nil, err
	}
	// Even an only server may be booting: better to ask it again soon than to
	// come later than the clients.
	return dialOne(ctx, server, max(2, len(o.servers)), wire.Options{Timeout: observerSession, OnEvent: o.tree.changed})
}

// hangUp closes the session, so that none is left, even when ctx has ended.
func (o *observer) hangUp(ctx context.Context, client *wire.Client) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.hangUpPatience)
	defer cancel()
	if client.Err() != nil || client.CloseSession(ctx) != nil {
		client.Close()
	}
}

// rescan sets the watch, then lists: what changes in between is in both, and
// counted once.
func (o *observer) rescan(ctx context.Context, client *wire.Client) error {
	o.tree.hold()
	defer o.tree.resume()
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	if err := client.Sync(ctx, o.root); err != nil {
		return err
	}
	if err := client.AddWatch(ctx, o.root, true); err != nil {
		return err
	}
	for _, dir := range o.tree.directories() {
		names, _, err := client.Children(ctx, dir)
		if err != nil {
			return err
		}
		o.tree.listed(dir, names)
	}
	return nil
}

// follow keeps asking the server for a sign that no change is under way.
func (o *observer) follow(ctx context.Context, client *wire.Client) error {
	ticker := time.NewTicker(syncEvery)
	defer ticker.Stop()
	for {
		if err := o.settle(ctx, client); err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case answer := <-o.barriers:
			o.tree.settledAt = 0 // ask, whatever the log says
			err := o.settle(ctx, client)
			answer <- err
			if err != nil {
				return err
			}
		case <-client.Done():
			return client.Err()
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// settle makes one round trip. The sync makes the server that we are connected
// to catch up with its leader, and the watch events of what it then has come
// before the reply: so the log has every change made before the request.
func (o *observer) settle(ctx context.Context, client *wire.Client) error {
	before := o.recorder.log.Len()
	sent := o.recorder.now()
	if before == o.tree.settledAt && sent-o.syncedAt < syncAtLeast.Microseconds() {
		return nil // nothing has happened since
	}
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	if err := client.Sync(ctx, o.root); err != nil {
		return err
	}
	o.recorder.record(event.Event{Kind: event.TreeSynced, Sent: sent, Zxid: client.Zxid()})
	o.tree.settledAt, o.syncedAt = before+1, sent
	return nil
}
