package observer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/internal/latch"
	"github.com/zkplayground/zkplayground/playground/wire"
)

const (
	// syncEvery is the pause between two questions that let the checks compare
	// what clients believe with what the server has.
	syncEvery = 100 * time.Millisecond
	// syncAtLeast is how often it asks although the log has not grown: that a
	// client is paused shows in the answers only.
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

// A Recorder takes what the observer sees.
type Recorder interface {
	Record(event.Event)
	// Now is the run's clock, in microseconds.
	Now() int64
	// Len is how many events the log has.
	Len() int64
	// Zxid is the newest transaction that a client was answered with.
	Zxid() int64
}

// Config is what an [Observer] needs.
type Config struct {
	ZooKeeper wire.Ensemble
	// Root is the znode to watch, with all below it. It must exist.
	Root string
	// Lanes are the lock directories below it.
	Lanes    []event.Lane
	Recorder Recorder
	// CloseTimeout bounds the end of its session.
	CloseTimeout time.Duration
}

// An Observer tells the log what happens below the lanes' roots,
// through a persistent recursive watch on a connection of its own. The server
// does not repeat what it missed while disconnected, so it lists again. Its
// methods are safe for concurrent use.
type Observer struct {
	config   Config
	tree     *tree
	barriers chan chan error
	watch    latch.Latch // open while the watch is set
	syncedAt int64       // by the run's clock, in microseconds
}

// New returns an observer that does nothing until Run.
func New(c Config) *Observer {
	o := &Observer{config: c, tree: newTree(c.Lanes, c.Recorder), barriers: make(chan chan error)}
	o.watch.Shut()
	return o
}

// Run observes until ctx ends, over as many connections as that takes.
func (o *Observer) Run(ctx context.Context) {
	servers := o.config.ZooKeeper.Addresses
	for attempt := 0; ctx.Err() == nil; attempt++ {
		err := o.observe(ctx, servers[attempt%len(servers)])
		if ctx.Err() != nil {
			return
		}
		if !errors.Is(err, errNotConnected) {
			o.config.Recorder.Record(event.Event{Kind: event.TreeLost, Reason: event.Text(err.Error())})
		}
		if (attempt+1)%len(servers) == 0 { // else another server may answer at once
			clock.Sleep(ctx, retryEvery)
		}
	}
}

// AwaitWatch returns when the observer sees every change, or when ctx ends. A
// client that connects later than the observer does nothing that it misses.
func (o *Observer) AwaitWatch(ctx context.Context) { _ = o.watch.Wait(ctx) }

// Znodes is how many there are below a lane's root, as far as the observer has heard.
func (o *Observer) Znodes(lane string) int { return o.tree.znodes(lane) }

// Sync returns when the log has every change that the server had made before
// the call, or when ctx ends.
func (o *Observer) Sync(ctx context.Context) error {
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
func (o *Observer) observe(ctx context.Context, server string) error {
	client, err := o.dial(ctx, server)
	if err != nil {
		return errors.Join(errNotConnected, err)
	}
	defer o.hangUp(ctx, client)
	if err := o.rescan(ctx, client); err != nil {
		return err
	}
	o.watch.Open()
	defer o.watch.Shut()
	return o.follow(ctx, client)
}

func (o *Observer) dial(ctx context.Context, server string) (*wire.Client, error) {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	if err := o.config.ZooKeeper.AwaitReady(ctx); err != nil {
		return nil, err
	}
	// Even an only server may be booting: better to ask it again soon than to
	// come later than the clients.
	others := max(1, len(o.config.ZooKeeper.Addresses)-1)
	return wire.DialOneOf(ctx, server, others, wire.Options{Timeout: observerSession, OnEvent: o.tree.changed,
		SuperPassword: o.config.ZooKeeper.SuperPassword})
}

// hangUp closes the session, so that none is left, even when ctx has ended.
func (o *Observer) hangUp(ctx context.Context, client *wire.Client) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), o.config.CloseTimeout)
	defer cancel()
	if client.Err() != nil || client.CloseSession(ctx) != nil {
		client.Close()
	}
}

// rescan sets the watch, then lists: what changes in between is in both, and
// counted once.
func (o *Observer) rescan(ctx context.Context, client *wire.Client) error {
	o.tree.hold()
	defer o.tree.resume()
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	if err := client.Sync(ctx, o.config.Root); err != nil {
		return err
	}
	if err := client.AddWatch(ctx, o.config.Root, true); err != nil {
		return err
	}
	for _, lane := range o.config.Lanes {
		znodes, err := client.AllChildrenNumber(ctx, lane.Root)
		if err != nil {
			return err
		}
		o.tree.counted(lane.Name, znodes)
		// What guests may have made below a znode of a queue is not looked for.
		listed, err := client.ListBelow(ctx, lane.Root, func(node string) bool { return !lane.InQueue(node) })
		if err != nil {
			return err
		}
		o.tree.listed(listed)
	}
	return nil
}

// follow keeps asking the server for a sign that no change is under way.
func (o *Observer) follow(ctx context.Context, client *wire.Client) error {
	ticker := time.NewTicker(syncEvery)
	defer ticker.Stop()
	for {
		if err := o.settle(ctx, client, (*wire.Client).Sync); err != nil {
			return err
		}
		select {
		case <-ticker.C:
		case <-o.tree.asks:
			if err := o.identify(ctx, client); err != nil {
				return err
			}
		case answer := <-o.barriers:
			o.tree.settledAt = 0 // ask, whatever the log says
			err := o.settle(ctx, client, write)
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

// identify asks the server about the znodes that wait to be told of. Of one that has gone
// by then nothing is known.
func (o *Observer) identify(ctx context.Context, client *wire.Client) error {
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	for {
		node, inQueue := o.tree.asked()
		if node == "" {
			return nil
		}
		f, err := find(ctx, client, node, !inQueue)
		if err != nil && !errors.Is(err, wire.NoNode) {
			return err
		}
		o.tree.answered(f)
	}
}

// longestText is how long data may be to be told, in bytes.
const longestText = 40

// find asks for a znode, and for its data if that is wanted. What not everybody may read
// is not told.
func find(ctx context.Context, client *wire.Client, node string, wanted bool) (found, error) {
	stat, err := client.Exists(ctx, node)
	if err != nil {
		return found{}, err
	}
	f := found{owner: wire.SessionHex(stat.EphemeralOwner)}
	if !wanted {
		return f, nil
	}
	f.bytes = int64(stat.DataLength)
	if f.bytes == 0 || f.bytes > longestText {
		return f, nil
	}
	acl, _, err := client.GetACL(ctx, node)
	if errors.Is(err, wire.NoAuth) || err == nil && !slices.ContainsFunc(acl, wire.ACL.EverybodyReads) {
		return f, nil
	}
	if err != nil {
		return f, err
	}
	data, _, err := client.GetData(ctx, node)
	if text := string(data); isText(text) {
		f.data = text
	}
	if errors.Is(err, wire.NoAuth) {
		err = nil
	}
	return f, err
}

// isText says whether data can be shown as it is, in one line.
func isText(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) })
}

// write changes nothing, but is a transaction: the server answers when it has all that
// were before it.
func write(client *wire.Client, ctx context.Context, root string) error {
	if err := client.Delete(ctx, root+"/none"); !errors.Is(err, wire.NoNode) {
		return err
	}
	return nil
}

// settle makes a round trip by catchUp, after which the server that we are connected to has
// what clients were answered before. The watch events of that come before the reply: so the
// log has every change made before the request. A sync alone does not do: a leader answers
// it as it answers a read, also when a follower has applied more than itself.
func (o *Observer) settle(ctx context.Context, client *wire.Client, catchUp func(*wire.Client, context.Context, string) error) error {
	before := o.config.Recorder.Len()
	sent := o.config.Recorder.Now()
	if before == o.tree.settledAt && sent-o.syncedAt < syncAtLeast.Microseconds() {
		return nil // nothing has happened since
	}
	answered := o.config.Recorder.Zxid()
	ctx, cancel := context.WithTimeout(ctx, observerCall)
	defer cancel()
	for {
		if err := catchUp(client, ctx, o.config.Root); err != nil {
			return err
		}
		if client.Zxid() >= answered {
			break
		}
	}
	if err := o.identify(ctx, client); err != nil {
		return err
	}
	o.config.Recorder.Record(event.Event{Kind: event.TreeSynced, Sent: sent, Zxid: client.Zxid()})
	o.tree.settledAt, o.syncedAt = before+1, sent
	return nil
}
