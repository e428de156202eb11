// Package check reads the log of a run and judges it.
//
// A [Checker] is a fold: it is given the events in order, live or from a
// recording, and keeps for every lane the counters of the [Summary] and one
// fold for each [Check]. [All] lists the checks; each says in a sentence what it
// asserts, and by what evidence.
//
// A verdict is holds, violated or undecided, always with a why that points at
// events. Undecided means that there is no evidence yet, or that the log ends
// before the run did; it is never a pass.
// A verdict that changes comes back from [Checker.Apply] as an event, so that
// it stands in the log at the instant it was reached.
//
// What the releases of a lock have cost it takes from the events that [state] has made:
// see [Follow].
//
// The package imports the event vocabulary, and state, and nothing else of ours: what it
// says about a recording it says about a live run.
package check
