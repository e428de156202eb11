package interop

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var interopFor = flag.Duration("interop-for", 3*time.Second, "how long the contenders of each test contend")

const (
	// each is how many clients of each library contend.
	each = 3
	// turns is how often each client must have had the lock, in each mode.
	turns = 10
	// meetings is how often the lock must have gone from each library to each.
	meetings = 3
	// sessionTimeout is beyond what a busy machine delays a client.
	sessionTimeout = 30 * time.Second
	// patience is how much longer than planned a contest may take. It covers
	// compiling the Java programs, and a start of Java.
	patience = 2 * time.Minute
)

// A contest is contenders of several libraries on one path.
type contest struct {
	*testing.T
	server     *zktest.Server
	path       string
	recipe     string // as the Java program calls it
	modes      []mode
	witness    *witness
	contenders []contender // those of Go
	curator    []string    // names of those of Curator
}

// newContest makes the lock directory, as one that is never removed: a
// directory that a library makes may be a container, and go in a pause.
func newContest(t *testing.T, recipe string, modes ...mode) *contest {
	t.Helper()
	server := zktest.Start(t)
	return &contest{
		T: t, server: server, path: server.Root(t), recipe: recipe, modes: modes,
		witness: newWitness(), curator: names("curator", each),
	}
}

// add has clients of a library in Go take part.
func (c *contest) add(library string, newLocker func() locker) {
	for place, who := range names(library, each) {
		c.contenders = append(c.contenders, contender{locker: newLocker(), who: who, place: place, modes: c.modes})
	}
}

// dial opens a session of zklock that is closed with the test.
func (c *contest) dial() *zklock.Session {
	c.Helper()
	s, err := zklock.Dial([]string{c.server.Address()}, sessionTimeout)
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			c.Error(err)
		}
	})
	return s
}

// run lets all contend for the time that the flag says, and until everybody
// had the lock some times. Then it reports what the witness saw.
func (c *contest) run() {
	c.Helper()
	java, address := compile(c.T), receive(c.T, c.witness)
	ctx, cancel := context.WithTimeout(c.Context(), *interopFor+patience)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	start, over := make(chan struct{}), make(chan struct{})
	for i := range c.contenders {
		group.Go(func() error { return c.contenders[i].contend(ctx, c.witness, start, over) })
	}
	group.Go(func() error { return c.contendCurator(ctx, java, address, start, over) })
	group.Go(func() error { defer close(over); return c.referee(ctx, start) })
	err := group.Wait()
	c.report()
	if err != nil {
		c.Fatal(err) // and znodes of those who gave up may still be there
	}
	c.expectEmpty()
}

// contendCurator runs Curator's clients, and closes start when they are ready.
func (c *contest) contendCurator(ctx context.Context, java programs, witness string, start chan<- struct{}, over <-chan struct{}) error {
	args := append([]string{c.server.Address(), c.path, witness, c.recipe}, c.curator...)
	child, err := java.start(ctx, "Contend", args...)
	if err != nil {
		return err
	}
	if err := child.expect("ready"); err != nil {
		return errors.Join(err, child.finish())
	}
	close(start)
	if err := child.say("start"); err != nil {
		return errors.Join(err, child.finish())
	}
	return child.finishAfter(ctx, over)
}

// referee returns when the contest may end.
func (c *contest) referee(ctx context.Context, start <-chan struct{}) error {
	select {
	case <-start:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case <-time.After(*interopFor):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := c.witness.await(ctx, c.enough); err != nil {
		return fmt.Errorf("wait until each had the lock %d times, and from each library: %w", turns, err)
	}
	return nil
}

// enough reports whether everybody had enough turns, and the lock went from
// each library to each, itself included. Else only some of them would have met:
// a queue whose clients return at once keeps its order for ever.
func (c *contest) enough(seen counts) bool {
	for _, m := range c.modes {
		for _, who := range c.all() {
			if seen.entered[entry{who, m}] < turns {
				return false
			}
		}
	}
	return c.met(seen) && (seen.shared > 0 || !slices.Contains(c.modes, read))
}

func (c *contest) met(seen counts) bool {
	var sides []entry
	for _, m := range c.modes {
		for group := range slices.Chunk(c.all(), each) {
			sides = append(sides, entry{library(group[0]), m})
		}
	}
	for _, from := range sides {
		for _, to := range sides {
			if seen.handovers[handover{from, to}] < meetings {
				return false
			}
		}
	}
	return true
}

// all returns the names of all contenders.
func (c *contest) all() []string {
	all := slices.Clone(c.curator)
	for _, contender := range c.contenders {
		all = append(all, contender.who)
	}
	return all
}

// report fails the test for what the witness objects to, and logs its counts.
func (c *contest) report() {
	c.Helper()
	c.witness.mu.Lock()
	defer c.witness.mu.Unlock()
	for _, fault := range c.witness.faults {
		c.Error(fault)
	}
	for _, m := range c.modes {
		for group := range slices.Chunk(c.all(), each) {
			c.logGroup(group, m)
		}
	}
	if slices.Contains(c.modes, read) {
		c.Logf("readers let in beside one of another library: %d", c.witness.counts.shared)
	}
}

// logGroup logs what the clients of one library had in one mode.
func (c *contest) logGroup(group []string, m mode) {
	c.Helper()
	sum, counts := 0, []int(nil)
	for _, who := range group {
		n := c.witness.counts.entered[entry{who, m}]
		sum, counts = sum+n, append(counts, n)
	}
	c.Logf("%s had the lock to %s %d times: %v", library(group[0]), m, sum, counts)
}

// expectEmpty looks for znodes that somebody has left in the queue.
func (c *contest) expectEmpty() {
	c.Helper()
	conn := c.server.Conn(c)
	if _, err := conn.Sync(c.path); err != nil {
		c.Error(err)
	}
	if left, _, err := conn.Children(c.path); err != nil || len(left) > 0 {
		c.Errorf("left in the queue: %q, %v", left, err)
	}
}
