// Package judge finds out whether a program is a lock: it runs copies of it through
// trials, each a run with faults in which a right lock does certain things, and judges by
// the log what the program did and believed.
//
//	trial -> run of N programs on a real ZooKeeper -> log -> history -> properties -> verdicts
//
// A [Trial] is data: a scenario, and the properties that it asks about. A [Property] is
// judged by what the log has: the programs' beliefs, as they say them, beside every frame
// and znode. [Judge] runs trials side by side, makes what fails smaller, and returns a
// [Result], which [Result.Table], [WriteReport] and [WriteJUnit] show.
//
// # Properties
//
// safe: no two clients that exclude each other believe that they hold, for longer than a
// client can know better. A client whose session has ended at the server knows when the
// server tells it, or when it has heard nothing for the session timeout; while it is paused
// it knows nothing. To that comes [Grace]. Where programs give tokens, they fence: each
// is higher than all before, or that of the hold before which its session takes up again.
//
// live: the lock does not stand still while somebody is able to take it, and nobody is left
// out for good. The longest standstill allowed is [Patience] of the session timeout.
//
// fair: nobody who waits is passed by the same client three times.
//
// cheap: a release wakes no crowd for nothing, and an acquisition takes few requests.
//
// clean: no client has two znodes in the queue for long, none leaves a session open when it
// is asked to end, and watches do not pile up.
//
// # Claims
//
// Some locks claim more, and trials that must be named judge it. shared: readers hold the
// lock together. timely: an attempt with a deadline ends by it. fenced: each acquisition to
// write has a token that is higher than all before.
package judge
