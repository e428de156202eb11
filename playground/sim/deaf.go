package sim

import "github.com/zkplayground/zkplayground/playground/event"

// newDeaf is a faithful copy of the flaw in every program that takes a lock of
// Curator's and adds no listener for its session (CURATOR-206): nobody tells
// the holder that its session has expired, so it works on.
func newDeaf(c *client, lane event.Lane) contender {
	q := newNaiveQueue(c, lane)
	q.deaf = true
	return q
}
