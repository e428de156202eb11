package interop

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// writeEvery is how often a client that reads and writes does write: one round in
// so many, as on Curator's side.
const writeEvery = 3

// maxPause bounds the pause between turns.
const maxPause = time.Second

// A locker is a lock of one library as a client of it sees it, in a session of
// its own. One goroutine uses it.
type locker interface {
	// lock waits for the lock and returns the path of the znode that holds it.
	lock(ctx context.Context, m mode) (node string, err error)
	// check asks the server whether that znode is there and of the own session.
	check(ctx context.Context) error
	unlock(ctx context.Context) error
}

// A contender takes a lock again and again.
type contender struct {
	locker
	who   string
	place int // those whose places differ write in different rounds
	modes []mode
}

// library returns what a contender's name, as names makes it, says whose client
// it is.
func library(who string) string { return strings.TrimRight(who, "-0123456789") }

// names returns the names of a library's contenders.
func names(library string) (all []string) {
	for i := range each {
		all = append(all, fmt.Sprintf("%s-%d", library, i+1))
	}
	return all
}

// contend takes turns until over is closed. Between turns it pauses at random, for
// as long as the last turn took at most, so that the order of the queue changes,
// however fast the machine is. The programs in other languages do so too.
func (c *contender) contend(ctx context.Context, w *witness, over <-chan struct{}) error {
	var turn time.Duration
	for round := 0; ; round++ {
		select {
		case <-over:
			return nil
		case <-time.After(rand.N(min(turn, maxPause) + 1)):
		}
		began := time.Now()
		if err := c.hold(ctx, w, c.mode(round)); err != nil {
			return fmt.Errorf("%s: %w", c.who, err)
		}
		turn = time.Since(began)
	}
}

// mode returns in which mode to lock in a round.
func (c *contender) mode(round int) mode {
	if len(c.modes) > 1 && (round+c.place)%writeEvery != 0 {
		return read
	}
	return write
}

// hold takes one turn. The check also makes it longer, so that others have the
// time to come in if the lock lets them.
func (c *contender) hold(ctx context.Context, w *witness, m mode) error {
	node, err := c.lock(ctx, m)
	if err != nil {
		return err
	}
	if err := w.enter(c.who, m, node); err != nil {
		return err
	}
	err = c.check(ctx)
	w.leave(c.who)
	if err != nil {
		return err
	}
	return c.unlock(ctx)
}
