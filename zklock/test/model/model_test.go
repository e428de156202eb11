package model

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"testing"

	"github.com/zkplayground/zkplayground/zklock/internal/queue"
	"github.com/zkplayground/zkplayground/zklock/test/explore"
)

var far = flag.Bool("far", false, "let TestModel explore what takes minutes, too")

// A scene is what an exploration begins with, and how much may happen in it.
type scene struct {
	recipe  queue.Recipe
	counter int32 // the directory's next number
	budget  budget
	late    bool // the leader may end a session whose client holds
	flaw    flaw
}

// A budget is how often things may happen, in all.
type budget struct {
	again   int // another acquisition, after the first of each client
	cuts    int // of a connection
	ends    int // of a session
	overdue int // a clock that runs out
}

// A flaw is a rule that is left out, to see that the model finds it.
type flaw int

const (
	noFlaw             flaw = iota
	trustTheOneAhead        // who sees the one ahead go holds, and does not list
	deafToReconnect         // a reconnect is nothing
	aloneBefore             // whether a create is alone is asked before it
	endBeforeClock          // the leader ends a session that is counted on
	leaseOutlivesGrant      // a lease goes on when the clock has run out
	unlockBeforeEnd         // a lease ends once its znode is gone
	noCleanUp               // a znode that is given up is left
	createAgain             // a create without a reply is made again
	resetBesideOthers       // a directory is made anew while others are there
	endlessNumbers          // the numbers at the counter's end are used
	numberForToken          // the resource is told the number in the queue
)

func (s scene) String() string {
	return fmt.Sprintf("%+v from %d textbook=%v late=%v", s.budget, s.counter, s.recipe.ListAlways, s.late)
}

// Whatever order things happen in, however late a server is, whoever crashes, is cut off
// or loses its session: see the package's documentation for what holds.
func TestModel(t *testing.T) {
	t.Parallel()
	scenes := []scene{
		{budget: budget{again: 1}},
		{budget: budget{again: 1}, counter: queue.ResetSequence},
		{budget: budget{cuts: 1}, counter: queue.MaxSequence},
		{budget: budget{cuts: 1}, recipe: queue.Textbook},
		{budget: budget{ends: 1}},
		{budget: budget{overdue: 1}},
		{budget: budget{ends: 1}, late: true},
	}
	if *far {
		scenes = append(scenes,
			scene{budget: budget{cuts: 2}},
			scene{budget: budget{ends: 3}},
			scene{budget: budget{ends: 2, overdue: 1}},
			scene{budget: budget{cuts: 1, ends: 1, overdue: 1}},
			scene{budget: budget{again: 1, ends: 1}, counter: queue.ResetSequence},
			scene{budget: budget{again: 1, cuts: 1}, counter: queue.MaxSequence},
			scene{budget: budget{ends: 3}, late: true},
			scene{budget: budget{ends: 1, overdue: 1}, late: true},
			scene{budget: budget{cuts: 1, ends: 1}, recipe: queue.Textbook})
	}
	for _, s := range scenes {
		if s.recipe == (queue.Recipe{}) {
			s.recipe = queue.Default
		}
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			found, err := explore.Every(s.begin())
			if err != nil {
				t.Error(err)
			}
			t.Logf("%d states, in %d of them the lock is held", found.Worlds, found.Held)
			if found.Held < 500 {
				t.Error("the lock is hardly ever held")
			}
		})
	}
}

// Each rule is needed: without it the model finds what goes wrong, in a scene that is
// sound with it.
func TestModelFindsFlaws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		scene scene
		want  error
	}{
		{"trust the one ahead", scene{flaw: trustTheOneAhead}, explore.ErrTwoHold},
		{"deaf to a reconnect", scene{budget: budget{cuts: 1}, flaw: deafToReconnect}, explore.ErrAsleep},
		{"alone before the create", scene{flaw: aloneBefore}, explore.ErrTwoHold},
		{"the leader does not wait for the clock", scene{budget: budget{ends: 1}, flaw: endBeforeClock}, explore.ErrTwoHold},
		{"a lease outlives its grant", scene{budget: budget{ends: 1, overdue: 1}, flaw: leaseOutlivesGrant}, explore.ErrTwoHold},
		{"unlock before the lease's end", scene{flaw: unlockBeforeEnd}, explore.ErrTwoHold},
		{"no clean-up", scene{flaw: noCleanUp}, errOrphan},
		{"create again without a look", scene{budget: budget{cuts: 1}, flaw: createAgain}, errOrphan},
		{"reset beside others", scene{counter: queue.ResetSequence, flaw: resetBesideOthers}, explore.ErrTwoHold},
		{"numbers without an end", scene{counter: math.MaxInt32, flaw: endlessNumbers}, explore.ErrTwoHold},
		{"the number for the token", scene{budget: budget{again: 1}, counter: queue.ResetSequence, flaw: numberForToken}, errFence},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.scene.recipe = queue.Default
			found, err := explore.Every(c.scene.begin())
			if !errors.Is(err, c.want) {
				t.Fatalf("%v after %d states, want: %v", err, found.Worlds, c.want)
			}
		})
	}
}
