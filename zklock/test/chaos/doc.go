// Package chaos tries to break the locks of package zklock, and checks what
// comes of it.
//
// [Run] holds one round: clients with short sessions contend for a lock of each
// of the [Kinds], while faults of a seeded plan are done to them and to the server, a
// real ZooKeeper. Then all comes to rest, and [Check] looks at the [Record].
//
//	workload ─ session ─ link ─ server       each client works with two kinds
//	    │                  ↑       ↑         faults act on links and the server
//	    │               injector ──┘
//	    ▼
//	 History ◄── observer (what the server does), registers, injector, stalls
//	    │
//	    ▼
//	 Record ──► Check, Consult (porcupine) ──► violations
//
// The faults are cut connections, slow ones, partitions of both directions or
// one, pauses, replies that are lost after the server has done what it was
// asked to, sessions closed by force, and the death of the server. A process
// that holds a lock and is really stopped, see [Hold], is run beside them.
//
// # Time
//
// All times are of one monotonic clock, that of this process. It is no witness
// for the order in which the server does things; where that matters, its own
// order is used: that of its transactions, and that of its watch events.
//
// An interval that is written down late would be too long, and an innocent lock
// would be accused. So the history keeps none that is not proven. A lease is
// held from Returned to Held: the first time is taken after Lock has returned,
// and the second before the lease's context was asked and found alive. The
// question is asked at the moments that decide: of all holders of a lock when
// somebody else gets it, of the owner when its znode is seen deleted, and
// before Unlock. What is reported is therefore true, whatever the scheduler
// does; what may be missed is an overlap that is over before anybody looks.
//
// # What is checked
//
// [Exclusion]: if two leases that exclude each other were both held at one
// moment, by the intervals above, then two clients believed at once. Readers
// do not exclude each other.
//
// [Order]: who excludes each other gets the lock in the order of their tokens,
// which are the transactions that created their znodes, and in the order in
// which the observer saw these created. So the locks are first come, first
// served, and tokens rise from holder to holder. Those who never got the lock
// are not compared.
//
// [Tokens]: tokens and the observer's order agree. Before ZooKeeper 3.6 there is no
// such order to see, here as for [Order].
//
// [Announcement]: the server deletes a znode, and tells the observer, after the
// session's timeout. If the lease's context is alive at that moment, its client
// learned too late: the server could have passed the lock on.
//
// [Fence]: a register is a znode that is written only together with a lease's
// Guard, without a look at the lease, and holds the writer's token. Ordered by
// the server's transactions, the tokens never go down. The writes known are
// those whose reply came, and those that the observer read. A reader checks in
// one transaction that its znode exists and that the register is what it was
// when it had the lock. This is exclusion as the protected resource sees it.
//
// [Durability]: the observer never reads an older state of a register than before. That is
// the servers' promise and not the lock's: see "Three servers".
//
// Not in the record, but of each round: no znode is left in a queue while all
// sessions live on, no data watch is left on the server (it does not tell of
// watches on children), and no goroutine in the process.
//
// [Consult] asks porcupine, which knows nothing of znodes and transactions, whether
// the calls and returns, see [Operations], are those of a lock, and whether the writes
// of its register can have been made with rising tokens. The same histories, as
// [WriteEDN] has them, are for Knossos and its like:
//
//	make chaos CHAOS=1m ARGS="-edn /tmp"
//
// # Who cannot know
//
// Two things end a session before its client can tell, and excuse what it
// believes; nothing excuses the fence. A session closed by force ends behind
// its back. And a process that stands still cannot look at its clock: on a busy
// machine that happens to this one, so a heartbeat takes down when, and an
// overdue belief in that time is not counted. A pause within the process is no
// excuse: it stops a client's link and its own code, while the session's clock
// goes on. The stopped process has no clock either; of it is only asked that
// its write is refused.
//
// # Three servers
//
// With -nodes 3 the servers are an ensemble. The leader is killed, or a follower, or the
// quorum; all are killed in turn; a follower is cut off from the other servers, though not
// from its clients, or lags behind them; and a client whose connection is cut goes on
// through another server.
//
// ZooKeeper 3.8.0 loses what it has acknowledged, now and then: after an election the
// leader's log had 286 transactions that its tree had not, so the numbers of a queue began
// anew, and a token went down (ZOOKEEPER-4712 describes that). No lock can make up for it.
// So no test of "make test" does this, and "make chaos-ensemble" takes ZooKeeper 3.9.5.
//
// # How to read a failure
//
// The test prints the seed, and for a violation what happened to the lock about
// that time. A seed gives the same faults in the same order with the same
// pauses, but not the same interleaving: repeat it, or make the run longer.
package chaos
