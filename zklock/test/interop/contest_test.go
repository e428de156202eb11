package interop

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
	"golang.org/x/sync/errgroup"
)

var interopFor = flag.Duration("interop-for", 0, "how long the contenders of each test contend at least; they go on until each has had the lock some times")

const (
	// each is how many clients of each library contend.
	each = 3
	// minTurns is how often each client must have had the lock, in each mode.
	minTurns = 10
	// minHandovers is how often the lock must have gone from each library to each.
	minHandovers = 3
)

// A contest is contenders of several libraries on one path.
type contest struct {
	*lockDir
	witness    *witness
	sides      []side
	contenders []contender // in Go
	programs   []program   // in other languages
	queues     []string    // the paths of the directories that are to be empty at the end
	// where the programs find the server and the lock
	programServer, programPath string
}

// A side is the clients of one library, and how they take the lock.
type side struct {
	library string
	modes   []mode
}

// A program contends for all clients of a side. It tells the witness, at that
// address, and says "ready" when it is.
type program func(ctx context.Context, witness string) (*child, error)

func newContest(t *testing.T) *contest {
	t.Helper()
	dir := newLockDir(t)
	return &contest{lockDir: dir, witness: newWitness(), queues: []string{dir.path}, programServer: dir.server.Address(), programPath: dir.path}
}

// makeQueues has the contest be about several directories below its own.
func (c *contest) makeQueues(names ...string) {
	c.Helper()
	c.queues = nil
	for _, name := range names {
		queue, err := c.conn.Create(c.path+"/"+name, nil, 0, zk.WorldACL(zk.PermAll))
		if err != nil {
			c.Fatal(err)
		}
		c.queues = append(c.queues, queue)
	}
}

// add has clients of a library in Go take part.
func (c *contest) add(library string, newLocker func() locker, modes ...mode) {
	c.sides = append(c.sides, side{library, modes})
	for place, who := range names(library) {
		c.contenders = append(c.contenders, contender{locker: newLocker(), who: who, place: place, modes: modes})
	}
}

// addCurator has clients of Curator take part. The recipe is as the Java program
// calls it.
func (c *contest) addCurator(recipe string, modes ...mode) {
	c.Helper()
	java := findJava(c.T)
	c.sides = append(c.sides, side{"curator", modes})
	c.programs = append(c.programs, func(ctx context.Context, witness string) (*child, error) {
		return java.start(ctx, "Contend", append([]string{c.programServer, c.programPath, witness, recipe}, names("curator")...)...)
	})
}

// addKazoo has clients of kazoo take part. The lock is as the Python program calls it.
func (c *contest) addKazoo(lock string, modes ...mode) {
	c.Helper()
	python := findPython(c.T)
	c.sides = append(c.sides, side{"kazoo", modes})
	c.programs = append(c.programs, func(ctx context.Context, witness string) (*child, error) {
		return python.start(ctx, "contend.py", append([]string{c.programServer, c.programPath, witness, lock}, names("kazoo")...)...)
	})
}

// run lets all contend until everybody had the lock some times, and for the time that
// the flag says. Then it reports what the witness saw.
func (c *contest) run() {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), *interopFor+testTimeout)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	children, err := c.startPrograms(ctx, serveWitness(c.T, c.witness))
	if err != nil {
		c.Fatal(err)
	}
	over := make(chan struct{})
	for _, child := range children {
		group.Go(func() error { return errors.Join(child.say("start"), child.finishAfter(ctx, over)) })
	}
	for i := range c.contenders {
		group.Go(func() error { return c.contenders[i].contend(ctx, c.witness, over) })
	}
	group.Go(func() error { defer close(over); return c.awaitEnough(ctx) })
	err = group.Wait()
	c.report()
	if err != nil {
		c.Fatal(err) // and znodes of those who gave up may still be there
	}
	for _, queue := range c.queues {
		c.expectEmpty(queue)
	}
}

// startPrograms starts all programs, and waits until each is ready.
func (c *contest) startPrograms(ctx context.Context, witness string) (started []*child, err error) {
	for _, start := range c.programs {
		var child *child
		if child, err = start(ctx, witness); err != nil {
			break
		}
		started = append(started, child)
	}
	for _, child := range started {
		if err == nil {
			err = child.expect("ready")
		}
	}
	if err != nil {
		for _, child := range started {
			err = errors.Join(err, child.finish())
		}
	}
	return started, err
}

// awaitEnough returns when the contest may end.
func (c *contest) awaitEnough(ctx context.Context) error {
	select {
	case <-time.After(*interopFor):
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	if err := c.witness.await(ctx, c.enough); err != nil {
		return fmt.Errorf("wait until each had the lock %d times, and from each library: %w", minTurns, err)
	}
	return nil
}

// enough reports whether everybody had enough turns, and the lock went from
// each library to each, itself included. Else only some of them would have met:
// a queue whose clients return at once keeps its order forever.
func (c *contest) enough(seen counts) bool {
	for _, side := range c.sides {
		for _, m := range side.modes {
			for _, who := range names(side.library) {
				if seen.entered[entry{who, m}] < minTurns {
					return false
				}
			}
		}
	}
	for _, from := range c.entries() {
		for _, to := range c.entries() {
			if seen.handovers[handover{from, to}] < minHandovers {
				return false
			}
		}
	}
	return seen.shared > 0 || c.readers() < 2
}

// entries returns every way in which a library takes the lock.
func (c *contest) entries() (all []entry) {
	for _, side := range c.sides {
		for _, m := range side.modes {
			all = append(all, entry{side.library, m})
		}
	}
	return all
}

// readers returns how many libraries read.
func (c *contest) readers() (n int) {
	for _, side := range c.sides {
		if slices.Contains(side.modes, read) {
			n++
		}
	}
	return n
}

// report fails the test for the violations that the witness has noted, and logs its
// counts.
func (c *contest) report() {
	c.Helper()
	c.witness.mu.Lock()
	defer c.witness.mu.Unlock()
	for _, violation := range c.witness.violations {
		c.Error(violation)
	}
	seen := c.witness.counts
	for _, e := range c.entries() {
		sum, turns := 0, []int(nil)
		for _, who := range names(e.who) {
			n := seen.entered[entry{who, e.mode}]
			sum, turns = sum+n, append(turns, n)
		}
		c.Logf("%s had the lock to %s %d times: %v", e.who, e.mode, sum, turns)
	}
	for _, from := range c.entries() {
		var next []string
		for _, to := range c.entries() {
			next = append(next, fmt.Sprintf("%s to %s %d", to.who, to.mode, seen.handovers[handover{from, to}]))
		}
		c.Logf("next after %s to %s: %s", from.who, from.mode, strings.Join(next, ", "))
	}
	if c.readers() > 1 {
		c.Logf("readers let in beside one of another library: %d", seen.shared)
	}
	c.Logf("violations: %d", len(c.witness.violations))
}
