package zklock

import (
	"errors"
	"testing"
)

// A flaw is what a test takes out of the protocol to see the model notice.
type flaw int

const (
	noFlaw             flaw = iota
	trustPredecessor        // who sees the one just ahead go takes the lock
	trustLookAhead          // who sees the one before that go does not list
	trustDeletion           // a writer that goes may not have become a reader
	sleepOnMissing          // a watch on what is gone is waited for
	askAgain                // a watch on what is gone is asked for again
	ignoreReconnect         // a reconnect is nothing
	keepWatches             // a reconnect puts in doubt, but its watches are kept
	guessOne                // who guesses the one just ahead asks for no other
	trustChange             // any event stands for a deletion
	ignoreOwn               // the own znode's end is not looked at before holding
	spareAnything           // watches of an old connection are used again
	passReaders             // a writer does not wait for readers
	takenForAlone           // a create need not be alone to hold
	markOfWaiter            // who gives up marks, too
	markEarly               // the mark is set before the znode is deleted
	markFar                 // a mark need not reach to those that were guessed
	markUnsettled           // who guessed wrong goes by marks, too
	heirOfWaiter            // who gives up is followed by an heir, too
	heirUnsettled           // who guessed wrong waits for an heir, too
	heirEarly               // the heir is made while its place holds
	heirOfAnother           // the heir of the place before that is taken for it
	successorOfAnother      // another number may have come in between
	markForeign             // the mark of another directory is believed
)

// A model that never fails shows nothing. Each flaw is found in a scene that is
// sound without it, and by as few moves as lead to it.
func TestModelFindsFlaws(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		flaw  flaw
		scene scene
		want  error
	}{
		"trust the one ahead":          {trustPredecessor, scene{queue: "LLL"}, errOvertook},
		"trust the look-ahead":         {trustLookAhead, scene{queue: "WRW"}, errTwoHold},
		"trust a writer's deletion":    {trustDeletion, scene{queue: "WW"}, errTwoHold},
		"sleep on what is missing":     {sleepOnMissing, scene{queue: "LL"}, errAsleep},
		"ask for what is missing":      {askAgain, scene{queue: "LL"}, errBusy},
		"ignore a reconnect":           {ignoreReconnect, scene{queue: "LL", budget: budget{reconnects: 1}}, errAsleep},
		"keep watches of before":       {keepWatches, scene{queue: "LL", budget: budget{reconnects: 1}}, errAsleep},
		"guess only one":               {guessOne, scene{queue: "LLL", guesses: true}, errOvertook},
		"take a write for a deletion":  {trustChange, scene{queue: "LL", budget: budget{writes: 1}}, errOvertook},
		"ignore the own znode":         {ignoreOwn, scene{queue: "LL", budget: budget{evictions: 1}}, errUnnoticed},
		"use any spare watch":          {spareAnything, scene{queue: "LLL", budget: budget{reconnects: 1}}, errAsleep},
		"a writer passes readers":      {passReaders, scene{queue: "RW"}, errOvertook},
		"taken for alone":              {takenForAlone, scene{queue: "LL", fast: true}, errOvertook},
		"a waiter marks":               {markOfWaiter, scene{queue: "LLL", guesses: true, marks: true}, errOvertook},
		"mark before the deletion":     {markEarly, scene{queue: "LLL", guesses: true, marks: true}, errOvertook},
		"go by a mark far behind":      {markFar, scene{queue: "LLLL", sure: true, marks: true}, errOvertook},
		"go by a mark after a mistake": {markUnsettled, scene{queue: "LLL", guesses: true, marks: true}, errOvertook},
		"follow who gave up":           {heirOfWaiter, scene{queue: "LLLL", sure: true, heirs: true}, errOvertook},
		"an heir after a mistake":      {heirUnsettled, scene{queue: "LLL", guesses: true, heirs: true}, errOvertook},
		"follow who holds":             {heirEarly, scene{queue: "LLL", guesses: true, heirs: true}, errTwoHold},
		"succeed who gave up":          {heirOfWaiter, scene{queue: "LLL", numbers: true}, errOvertook},
		"succeed one before that":      {successorOfAnother, scene{queue: "LLL", numbers: true}, errOvertook},
		"take another for the heir":    {heirOfAnother, scene{queue: "LLLL", sure: true, heirs: true}, errOvertook},
		"go by another's mark":         {markForeign, scene{queue: "LLL", guesses: true, marks: true}, errOvertook},
	} {
		t.Run(name, func(t *testing.T) {
			c.scene.broken = c.flaw
			found, err := c.scene.survey()
			if !errors.Is(err, c.want) {
				t.Fatalf("found %v, want %v", err, c.want)
			}
			t.Logf("after %d states: %v", len(found.moves), err)
			c.scene.broken = noFlaw
			if _, err := c.scene.survey(); err != nil {
				t.Errorf("without the flaw: %v", err)
			}
		})
	}
}
