package sim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"syscall"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// expirePatience bounds the forced end of a session, expirePause is between
// two attempts.
const (
	expirePatience = 2 * time.Second
	expirePause    = 20 * time.Millisecond
)

// The faults that are done once and for all.

func crash(_ context.Context, _ *Run, c *client, f Fault) error {
	if err := c.present(); err != nil {
		return err
	}
	c.link.Kill() // first, so that nothing passes the link unrecorded
	died := c.fault(f, "the process is gone; its session lives on until the server times it out")
	if !c.recorder.recordIf(func() bool { return !c.gone.Swap(true) }, died) {
		return c.present()
	}
	c.stop() // before the gate opens: what stood still is not to go on
	c.endAfflictions("it ended with the process")
	return nil
}

// leave closes the client's session in good order. It goes on after the fault
// has been told: on a bad link that takes as long as it takes, and is ended
// with the run.
func leave(_ context.Context, _ *Run, c *client, f Fault) error {
	session := c.session.Load()
	if session == nil {
		return fmt.Errorf("%w: client %d has not arrived yet", ErrImpossible, c.number)
	}
	c.afflictions.mu.Lock()
	defer c.afflictions.mu.Unlock()
	if err := c.mayLeave(); err != nil {
		return err
	}
	c.left.Store(true)
	c.recorder.record(c.fault(f, "the client closes its session in good order and leaves"))
	c.leaving.Go(func() {
		c.awaitHandshake(c.grace, session)
		c.closeSession(c.grace, session)
		c.stop()
	})
	return nil
}

// mayLeave says why the client cannot close its session, if so. The caller
// holds the mutex of the afflictions.
func (c *client) mayLeave() error {
	if c.afflictions.lasting[Pause] != nil {
		return fmt.Errorf("%w: client %d stands still and can do nothing in good order", ErrImpossible, c.number)
	}
	return c.mayAct()
}

// expire takes the session over from a second connection and closes it. The
// victim's link is held meanwhile: else a client that reconnects in between
// would win its session back.
func expire(ctx context.Context, r *Run, c *client, f Fault) error {
	ctx, done, err := c.whileThere(ctx)
	if err != nil {
		return err
	}
	defer done()
	id, password, _ := c.tap.Session()
	if id == 0 {
		return fmt.Errorf("%w: client %d has no session that it could lose", ErrImpossible, c.number)
	}
	told := c.fault(f, "the server is made to end the session "+wire.SessionHex(id))
	c.recorder.record(told)
	c.holds.hold(Expire, event.Out, event.In)
	defer c.holds.release(Expire, event.Out, event.In)
	if err := expireSession(ctx, r.config.Servers, id, password); err != nil {
		return c.missed(told, true, err)
	}
	if !c.holds.shared() { // else the end of the connection waits, too
		c.link.Cut()
	}
	return nil
}

// remove deletes the client's newest znode, as an operator may.
func remove(ctx context.Context, r *Run, c *client, f Fault) error {
	ctx, done, err := c.whileThere(ctx)
	if err != nil {
		return err
	}
	defer done()
	node, _ := c.tap.LastCreated()
	if node == "" {
		return fmt.Errorf("%w: client %d has made no znode yet", ErrImpossible, c.number)
	}
	told := c.fault(f, "an operator deletes the client's newest znode")
	told.Path = node
	asked, deleted := false, false
	err = r.onZooKeeper(ctx, func(operator *wire.Client) error {
		asked = true
		c.recorder.record(told)
		err := operator.Delete(ctx, node)
		deleted = err == nil
		return err
	})
	if deleted {
		return nil // whatever became of the operator's session, which owns nothing
	}
	return c.missed(told, asked, err)
}

// missed tells that a fault did not happen, or, where a server was asked for it
// and has not answered, that nobody knows.
func (c *client) missed(told event.Event, asked bool, err error) error {
	told.Kind, told.Why = event.NoteFault, "it did not happen: "+err.Error()
	if answer := wire.Code(0); asked && !errors.As(err, &answer) {
		told.Why = "no server has confirmed it, it may have happened: " + err.Error()
	}
	c.recorder.record(told)
	if errors.Is(err, wire.SessionExpired) || errors.Is(err, wire.NoNode) {
		return fmt.Errorf("%w: %w", ErrImpossible, err)
	}
	return err
}

// expireSession asks the servers in turn until one has done it, or knows that
// the session is over: its error is then SessionExpired. A server hangs up
// without a word on a session that it is closing just then, so after an attempt
// without an answer a session that is over is one that we have ended.
func expireSession(ctx context.Context, servers []string, id int64, password []byte) error {
	ctx, cancel := context.WithTimeout(ctx, expirePatience)
	defer cancel()
	unsure := false
	for attempt := 0; ; attempt++ {
		err := expireAt(ctx, servers, attempt, id, password)
		if unsure && errors.Is(err, wire.SessionExpired) {
			return nil
		}
		if err == nil || errors.Is(err, wire.SessionExpired) {
			return err
		}
		unsure = unsure || hungUp(err) || errors.Is(err, context.DeadlineExceeded)
		if !hungUp(err) && attempt+1 >= len(servers) || !sleep(ctx, expirePause) {
			return err
		}
	}
}

func expireAt(ctx context.Context, servers []string, attempt int, id int64, password []byte) error {
	ctx, cancel := handshakeContext(ctx, len(servers))
	defer cancel()
	return wire.Expire(ctx, servers[attempt%len(servers)], id, password)
}

// hungUp says that a server took a connection and dropped it.
func hungUp(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) }

// fault is the event that f was done to c.
func (c *client) fault(f Fault, why string) event.Event {
	return event.Event{Kind: event.FaultInjected, Lane: c.lane, Client: c.number,
		Fault: f.Name, For: f.For.Milliseconds(), Why: why}
}
