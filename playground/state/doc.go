// Package state says what follows from the events of a run. It is the one place that
// knows: it reads the events that were observed, and tells what they mean in events of
// its own, which the log has right after their cause. Checks, summaries and the page
// read those.
//
// What it tells are the kinds from [event.WatchSet] to [event.CostChanged]: who watches what,
// whose belief is false and which clients cannot all be right, how the lock goes from hand to
// hand, what an account has come to, and what the releases of a lock cost. From time to time
// [event.StateWhole] tells all that is so: see [Whole].
package state
