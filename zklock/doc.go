// Package zklock is distributed locks on ZooKeeper, over the client library
// github.com/go-zookeeper/zk.
//
//	func report(ctx context.Context) (err error) {
//		session, err := zklock.Dial([]string{"127.0.0.1:2181"}, 10*time.Second)
//		if err != nil {
//			return err
//		}
//		defer session.Close(ctx)
//
//		lease, err := zklock.NewMutex(session, "/locks/report").Lock(ctx)
//		if err != nil {
//			return err
//		}
//		defer func() { err = errors.Join(err, lease.Unlock(ctx)) }() // which says when the lease was lost
//		return write(lease.Context(), lease.Token()) // refused when a greater token has been seen
//	}
//
// [Do] locks, calls a function and unlocks. The ctx may be one that a signal ends, as of
// [os/signal.NotifyContext]: what is deferred here leaves no lock behind then.
//
// # What a lock can promise
//
// The queue is exact: ZooKeeper numbers the contenders, and at the server at
// most one of them is first. What no lock service can promise is that the
// client who was first still is. A process may stop for seconds, for its
// garbage collector, a swapped page or a suspended machine; its session ends
// meanwhile, the next client gets the lock, and the first one goes on with its
// next line of code. So a lock saves work and orders it, and must not be all
// that stands between two writers and the data.
//
// What closes the gap is a fence. Each [Lease] has a [Token], a number greater
// than that of every earlier holder. Send it with each write, and have the
// resource refuse a token smaller than the greatest it has seen: the late
// writer is then shut out, whatever it believes. For data in the same
// ZooKeeper, [Lease.Guard] does that without a token: it makes a transaction
// take effect only while the lease's znode exists.
//
// # How a lease is lost
//
// A lease's context ends when the session is lost, and lost means that the
// server may have ended it, not that it has told us: a client that is cut off
// is told nothing. The server keeps a session for its timeout after each frame
// it receives. So the client counts from when it sent the last frame that was
// acknowledged, and gives up when the timeout has passed since; the server,
// which received that frame later, ends the session later. A short break costs
// nothing: when the client is back in time, in the same session, it still
// holds.
//
// In an ensemble a follower acknowledges frames by itself, and goes on after it has been
// cut off from its leader, which ends the session: for its syncLimit in ticks, 10 s in
// ZooKeeper's sample configuration. So a session that holds a lease sends a sync each
// sixth of its timeout, which the leader must answer, and counts only what it so knows
// the leader to have heard of, within half a tick. [WithSync] switches that off.
//
// That clock is the machine's monotonic one, and two things escape it. On
// Linux it stands still while a virtual machine is suspended. A process that
// is stopped cannot look at it until it runs again; [Lease.Err] looks then. Where a
// session lasts for less than four ticks, a lease behind such a follower may also
// outlast it, by half a tick at most. And a lease that begins behind a follower whose
// link to the leader is slow, by more than half a tick and less than syncLimit, may
// begin after the leader has ended its session: the clock takes the late news of its
// turn for fresh. Two may then believe for about a timeout. The fence holds in
// all four.
//
// A call of [Lease.Check] at its beginning rules the last one out. Its request comes to the
// leader by the same link, behind the news of the session, and the leader refuses it when
// it has ended that. No lease does so by itself, as each would begin a round trip later.
//
// A lease is also lost when somebody deletes its znode. A lease that lasts
// longer than a moment watches it, and hears by the same watch that somebody
// asks for the lock, see [Lease.Revoked].
//
// # Which lock
//
//   - [Mutex]: one holder, fair. The one to use.
//   - [RWMutex]: one writer, or any number of readers, in one queue. A writer
//     may become a reader in its place.
//   - [Semaphore]: up to a limit of holders, in one queue.
//   - [Multi]: several mutexes as one, taken at once, so that no order of them
//     can end in a deadlock.
//   - [Reentrant]: a mutex that its holder may take again, and that costs one
//     znode for all goroutines of a process that wait for it.
//   - [Election]: a mutex whose holder leads, and others are told who that is.
//
// All are names for a queue: a session and a lock directory. Each call of Lock, or
// Acquire, takes a place in the queue, and returns a [Lease], which is one
// acquisition, for its whole life: a mistake with one cannot reach the next. Multi
// returns a [MultiLease] and Reentrant a [Hold]; [Held] is what the three have in
// common, and [Do] does a piece of work under any. Share one Reentrant for each path.
// [Contenders] tells who is in a queue, and [Revoke] asks a holder to leave.
// Package teach has two locks that show how not to do it.
//
// # Who else may be in the directory
//
// Mutex, Reentrant and Multi contend well on one path, with each other and with
// Curator's InterProcessMutex and go-zookeeper's Lock, whose znodes have the same
// names. So do an RWMutex and Curator's InterProcessReadWriteLock. Nobody has to be
// told anything.
//
// The znodes of kazoo have other names. A Mutex and kazoo's Lock contend well when
// each is told of the other, by one line on either side:
//
//	zklock.NewMutex(session, path, zklock.WithExtraMarkers("__lock__"))
//	client.Lock(path, extra_lock_patterns=["-lock-"]) # kazoo 2.8 or later
//
// Where others are on that path too, they have to see kazoo's znodes as well.
// go-zookeeper does by itself. Curator has to sort the queue by number alone:
//
//	zk.NewLock(conn, path, acl) // go-zookeeper
//	new InterProcessMutex(client, path, new StandardLockInternalsDriver() { // Curator
//		@Override public String fixForSorting(String name, String lockName) {
//			return name.substring(Math.max(0, name.length() - 10));
//		}
//	})
//
// With WithExtraMarkers("__lock__", "__rlock__") an RWMutex contends well with kazoo's
// WriteLock, which is told by extra_lock_patterns=["__READ__", "__WRIT__"], and with its
// ReadLock, by ["__WRIT__"]. Keep a ReadLock before kazoo 2.9 away: it waits for writers
// that came after it, too, while they wait for it. Curator's read/write lock cannot be
// told of kazoo.
//
// Curator's InterProcessSemaphoreV2 on a path has a mutex, in which one waits for a
// permit. A Semaphore contends well with it when it does so too:
//
//	door, permits := zklock.NewMutex(session, path+"/locks"), zklock.NewSemaphore(session, path+"/leases", limit)
//	err := zklock.Do(ctx, door.Lock, func(ctx context.Context, _ *zklock.Lease) error {
//		lease, err = permits.Acquire(ctx)
//		return err
//	})
//
// Where Curator's InterProcessMultiLock is, lock a Mutex for each path in its order. A
// Multi may wait for it forever: Curator's holds one path while it waits for another.
//
// Keep one of these kinds to a directory. A child that is none of the lock's
// contenders, but has a sequence number, or is named by a bare guid as a lease of
// kazoo's Semaphore, may be somebody who holds at the same time, so it is never
// ignored: Lock returns an error that wraps [ErrForeign] and names it. A Lock that
// waits already returns so at its next listing; one that is next in line makes none.
// That protects a lock from the others, not them from the lock: a kazoo that was not
// told of it goes ahead of its znode, and holds although a lease is held. Only what
// the other side is told prevents that. Other children do no harm, but each listing
// carries them.
//
// # How the parts fit
//
// A [Session] is the client's session: [Dial] opens one, [NewSession] wraps a
// connection of your own. It watches the frames that pass, which gives the
// clock. It owns every goroutine started on behalf of its locks, and Close waits
// for them.
//
// A request whose reply is lost may or may not have been done. Each znode's
// name carries a guid, by which its client finds it again. A znode that is no
// longer wanted, because the caller gave up, or because Unlock could not reach
// the server, is deleted in the background until it is known to be gone: left
// alone, it would block the queue for as long as the session lives.
//
// A [Trace] tells what happens, step by step, and an [*Error] what failed.
//
// # What it does beyond the recipe
//
// The recipe in ZooKeeper's documentation lists the queue after each wake-up,
// while the lock lies idle. Two things save that. Their safety rests on one fact:
// numbers only grow and names do not come back, so the first listing that shows the
// own znode shows all who can ever be ahead of it, and who of those is gone is gone
// for good. [WithTextbook] does without both.
//
// The look-ahead. A waiter watches the contender just ahead and the one before
// it. When that goes, the one ahead is about to hold, and the waiter lists while
// it does. Mostly it then knows that only that one is left, and its deletion is
// the hand-over: one notification, no request. A release so wakes two waiters,
// however many there are.
//
// One transaction. Where a lock is likely to be free, its znode is created
// together with an empty write to the empty directory, whose reply counts the
// children as of that transaction. If there is one, it is the own: the lock is
// held after one request, and free again after a second. The write asks for the
// version of the data that was seen last, so it never overwrites what somebody
// keeps there. A directory whose version is below 16 is not trusted: the first
// release that was alone there raises it. Who has a data watch on the directory sees
// these writes; without the right to write, or with data in the directory, the lock
// does without.
//
// And most requests go past go-zookeeper's queues, over the connection that it has
// made: each then costs one goroutine's wake-up instead of four. Until go-zookeeper
// has sent its credentials, and while much is under way, they go by its queues;
// [WithDirectRequests] sends all of them there. Whoever sets watches through the
// same connection gets the events of the locks' watches, too.
//
// The own znode is seen to exist in the listing, and watched by a waiter that has
// been next for 10 ms: as the server tells of changes in their order, no waiter then
// holds who was deleted before. If somebody deletes it within those 10 ms, and the
// hand-over falls into them too, its lease begins, and is lost when 10 ms have
// passed again. Where somebody deletes a whole queue, each waiter so holds for 10 ms: of
// 30 in sessions of their own up to 23 held at once, and were told after 12 ms (median).
// [WithOwnWatchDelay] sets that time: with 0 up to 3 did, as one session hears of a
// deletion before another, and were told after 4 ms. A listing by a server that lags
// behind may be as old. The fence holds.
//
// # The counter's end
//
// The server numbers znodes up to 2147483647, and then hands out the same
// number again and again, or, before ZooKeeper 3.6, negative ones: several clients
// would be first at once. So the locks refuse the last million of numbers, and
// negative ones, with [ErrSequenceExhausted].
//
// From 2^30 on, who releases a lock that it found alone in its directory makes that
// anew in the same transaction, with the data and the access control list that it
// had, which starts the counter again. It is persistent then, whether it was so or a
// container: the server does not tell. A lock that is refused, but
// alone, does so and goes on; a [Multi] is refused until somebody else does. Tokens
// are not these numbers: they go on.
//
// # What it is not
//
// Locks but [Reentrant] are not reentrant: a second Lock stands in line behind
// the first. They are as available as ZooKeeper is: without a majority of its
// servers nobody gets or keeps a lock. And they are not fast as memory is: once
// its session has seen the lock idle, a quiet acquisition takes one round trip,
// a Semaphore's two, a Multi's three, and a release another.
package zklock
