package check

import (
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// Follow is an [event.Follow]: what follows from an event are the facts of
// playground/state, the verdicts that have changed, and from time to time the whole state.
func Follow(run event.Run) func(event.Event) []event.Event {
	facts, checker, keeper := state.New(run), New(run), state.NewKeeper(run)
	return func(e event.Event) []event.Event {
		keeper.Apply(e)
		var follows []event.Event
		add := func(next event.Event) {
			next.Seq, next.At = e.Seq+int64(len(follows))+1, e.At
			keeper.Apply(next)
			follows = append(follows, next)
		}
		for _, fact := range facts.Apply(e) {
			add(fact)
			for _, changed := range checker.Apply(follows[len(follows)-1]) {
				add(changed)
			}
		}
		for _, changed := range checker.Apply(e) {
			add(changed)
		}
		if whole, due := keeper.Due(); due {
			add(whole)
		}
		return follows
	}
}
