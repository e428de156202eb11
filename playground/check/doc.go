// Package check reads the log of a run and judges it.
//
// A [Checker] is a fold: it is given the events in order, live or from a
// recording, and keeps for every lane the counters of the [Summary] and one
// small judge for each property:
//
//   - mutual-exclusion: by what the server did. The lock belongs to the znode
//     at the head of the queue; a client may acquire only when nothing that
//     conflicts is left ahead of it.
//   - belief: by what the clients believed. No two clients that exclude each
//     other believe at the same time that they hold.
//   - fifo: clients acquire in the order of their znodes.
//   - orphans: no znode outlives its use.
//   - decoded: every frame was understood, so that nothing above is guessed.
//   - progress: nobody who could hold the lock stands still.
//   - fenced-account, in lanes whose lock protects one: no write destroys
//     another that its writer did not know of.
//
// A verdict is holds, violated or undecided, always with a why that points at
// events. Undecided means that there is no evidence yet; it is never a pass.
// A verdict that changes comes back from [Checker.Apply] as an event, so that
// it stands in the log at the instant it was reached.
//
// The package imports the event vocabulary and nothing else of ours: what it
// says about a recording it says about a live run.
package check
