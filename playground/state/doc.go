// Package state says what follows from the events of a run. It is the one place that
// knows: it reads the events that were observed, and tells what they mean in events of
// its own, which the log has right after their cause. Checks, summaries and the page
// read those.
//
// What it tells so far is who watches what ([event.WatchSet] and those after it), and what the
// releases of a lock cost ([event.CostChanged]).
package state
