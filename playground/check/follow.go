package check

import (
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// Follow is an [event.Follow]: what follows from an event are the facts of
// playground/state and the verdicts that it has changed.
func Follow(run event.Run) func(event.Event) []event.Event {
	facts, checker := state.New(run), New(run)
	return func(e event.Event) []event.Event {
		var follows []event.Event
		for _, fact := range facts.Apply(e) {
			fact.At = e.At
			follows = append(follows, fact)
			follows = append(follows, checker.Apply(fact)...)
		}
		return append(follows, checker.Apply(e)...)
	}
}
