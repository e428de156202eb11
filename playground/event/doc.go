// Package event is the one ordered log that everything in a run is written to
// and everything shown about a run is read from.
//
// An [Event] is one fact: a frame crossed the wire, a client believes that it
// holds a lock, the server deleted a znode, a fault was injected. Several
// observers tell the same story from their own side, and the log keeps each of
// their accounts: that is what lets a view put a client's belief beside the
// server's truth.
//
// A [Log] numbers events from 1 without a gap and stamps them with one clock.
// It keeps them as the bytes of their JSON, one line an event, newest part in
// memory and the rest in segments on disk, so that a reader who comes late, or
// comes back, reads exactly what the others did, at no cost to the writers.
// Nothing is sampled: a log that reaches its size limit says so, and one that
// its disk does not take any more ends, and says so in its last events.
//
// Views, checks, summaries and recordings are folds over events and live
// elsewhere. This package knows nothing of ZooKeeper, clients or pages.
package event
