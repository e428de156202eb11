// Package model explores, in whatever order things happen, the life of a lock: acquire,
// lose, hand over, reset. It has no code of its own but the model in its tests.
//
//	go test -v ./zklock/test/model          # a few seconds
//	go test -v ./zklock/test/model -far     # some minutes
//
// # What is explored
//
// Three clients have up to two sessions each. The rules are those that the library uses:
// who is ahead, when a turn has come, which names and numbers count, of package
// internal/queue; and what a handshake, an acknowledgement, and their absence make of a
// session, of package internal/sessionclock. The model adds the servers. A leader does
// the transactions, one after the other. Each client is at a server that takes them in as
// late as it likes; what the client reads, and the events it gets, are of that moment.
//
// At any moment a client may come, give up, unlock; a connection may break, before or
// after the leader has taken a create whose reply is lost; a clock may run out; the leader
// may end a session, and a follower may acknowledge it still. The directory's counter may
// begin at 0, where it is reset, or at its end. A budget says how often the rarer of these
// happen in one exploration.
//
// # What holds in each state
//
//   - No two clients believe that they hold. Where the leader ends sessions whatever a
//     clock says, as when a process is stopped, that is not asked.
//   - Also then: of those who believe, at most one has a znode at the leader, which is
//     what a guard asks; and no resource that compares tokens refuses it.
//   - When nothing happens by itself any more, nobody waits who is the first, and every
//     znode is one by which somebody waits or holds. So no wake-up is lost, and no orphan
//     stays.
//   - The clients come to rest.
//
// A second test leaves out a rule each time, and sees which of these breaks.
//
// # Beside it
//
// That the leader does not end a session by which something is held, before the client's
// clock runs out, is here a premise. The tests of internal/sessionclock explore it, with
// time: one session behind a follower that is cut off and back, frames that take any time,
// pings and syncs. The tests of internal/queue explore turns more finely, where
// requests, replies and events of one client overtake each other, and they have readers,
// writers, downgrades and permits.
//
// # What is not covered
//
//   - The code around the rules: package zklock's own order of requests, its goroutines,
//     go-zookeeper and ZooKeeper. Chaos, the tests on a real server and the known bugs are
//     for these.
//   - Deletions by others, multi-locks, reentrant ones, and other libraries in the
//     queue.
//   - A request that reaches the leader after its connection has ended and the client has
//     looked for it. The library looks twice, with a pause between.
//   - Links between servers that are slow by more than half a tick, and neither cut nor
//     fast. The event by which a waiter gets the lock may then be older than its session's
//     timeout, and the clock takes it for news of the leader. The fence holds, as it does
//     where the leader does not wait for the clock.
//   - Liveness under fairness: it is shown that nothing sleeps at rest, and that there is no
//     circle of steps; not how long that takes.
package model
