// Package zklock is distributed locks on ZooKeeper, over the client library
// github.com/go-zookeeper/zk.
//
//	session, err := zklock.Dial([]string{"127.0.0.1:2181"}, 10*time.Second)
//	if err != nil {
//		return err
//	}
//	defer session.Close(ctx)
//
//	lease, err := zklock.NewMutex(session, "/locks/report").Lock(ctx)
//	if err != nil {
//		return err
//	}
//	defer lease.Unlock(ctx)
//	return write(lease.Context(), lease.Token())
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
// That clock is the machine's monotonic one, and three things escape it. On
// Linux it stands still while a virtual machine is suspended. A process that
// is stopped cannot look at it until it runs again. And a server that is cut
// off from its ensemble may acknowledge frames for a moment while the leader,
// who does not hear of them, ends the session. The fence holds in all three.
//
// A lease is also lost when somebody deletes its znode. A lease that lasts
// longer than a moment watches it, and hears by the same watch that somebody
// asks for the lock, see [Lease.Revoked]. With [WithTextbook] it does not.
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
//   - [HerdMutex] and [FlagLock]: how not to do it, to be measured and taught.
//
// All but FlagLock are names for a queue: a session and a lock directory. Each
// call of Lock, or Acquire, takes a place in the queue, and returns a [Lease],
// which is one acquisition, for its whole life: a mistake with one cannot
// reach the next. Multi returns a [MultiLease], Reentrant a [Hold], FlagLock a
// [FlagHold], with the same Unlock.
//
// Share one Reentrant for each path, and keep one kind of lock to a directory:
// a Mutex and an RWMutex do not see each other. Mutex, HerdMutex, Reentrant
// and Multi do. Keep no other znodes there; strays are ignored, but each
// listing carries them. [Contenders] tells who is in a queue, and [Revoke]
// asks a holder to leave.
//
// Mutex and RWMutex name their znodes as Curator's locks do, the Mutex as
// go-zookeeper's too, so that they may contend for one path.
//
// # How the parts fit
//
// A [Session] is the client's session: [Dial] opens one, [NewSession] wraps a
// connection of your own. It watches the frames that pass, which gives the
// clock, and the tokens at no further cost. It owns every goroutine started on
// behalf of its locks, and Close waits for them.
//
// A request whose reply is lost may or may not have been done. Each znode's
// name carries a guid, by which its client finds it again. A znode that is no
// longer wanted, because the caller gave up, or because Unlock could not reach
// the server, is deleted in the background until it is known to be gone: left
// alone, it would block the queue for as long as the session lives.
//
// A [Trace] tells what happens, step by step, and an [*Error] what failed.
//
// # How few requests are enough
//
// The recipe in ZooKeeper's documentation lists the queue after each wake-up,
// while the lock lies idle. Its waiting is safe without, for this reason:
// numbers only grow, so the first listing that shows the own znode shows all who
// can ever be ahead of it; and names do not come back, so each of those, once
// gone, is gone for good. A place is first when the last of them has gone, and
// neither the order nor the age of the news matters. On that rest the savings
// that follow. They can be done without: [WithTextbook].
//
// One transaction. Where a lock is likely to be free, its znode is created
// together with an empty write to the empty directory, whose reply counts the
// children as of that transaction. If there is one, it is the own: the lock is
// held after one request, and free again after a second. The write asks for the
// version of the data that was seen last, so it fails where anybody has written,
// and never overwrites what somebody keeps there. Then, or without the right to
// write, the znode is created and the queue listed. A directory whose version is
// below 16 is not trusted: the first release that was alone there raises it, in
// the transaction that deletes its znode, which has kept the directory from
// being made anew. The data watches of others on the directory see these writes.
//
// The next number, of a Mutex that its client takes again and again. The server
// counts every child that is made in the directory. So where the own number is
// the one after that of the lock's last place, nobody has come in between; and
// if that place has held the lock, and its znode is known to be gone, nobody who
// came earlier is left. Then to create the znode is enough: nothing is written
// into the directory, and no right to write there is needed. All this holds of
// one directory; how one that was made anew is told, see below of the heir. If
// the number is another, somebody has used the lock, and the queue is listed.
//
// The look-ahead. A waiter watches the contender just ahead and the one before
// it. When that goes, the one ahead is about to hold, and the waiter lists while
// it does. Mostly it then knows that only that one is left, and its deletion is
// the hand-over: one notification, no request. If the one ahead goes first, or
// anybody else is left, it lists again. Where turns are long, the listing is put
// off for a moment, so that the hand-over which is under way just then goes
// first. That is two notifications for a release, whatever the number of
// waiters, and a third to the holder where it watches its own znode.
//
// The guess, of a Mutex that waits. Where the same clients take a lock in turn,
// they stand in the same order each time; and as the guid of a lock's place
// follows from the place before, their next names can be told. A watch set on
// such a name finds out whether the guess is right. If it is, the znode has the
// number just before the own one, so it is the contender just ahead, and the
// first listing is left to the look-ahead. Where the own number can be told,
// too, the watches are asked for in one packet with the create; the server
// carries out a client's requests in their order, and the reply to the create
// shows whether the number was right. Both watches are one request, that by
// which clients set their watches again on a new connection. It needs no
// permission to read, so it is used only for contenders whose znode before this
// one could be read on that connection: servers that keep news from those who
// may not read would else leave a waiter waiting. A wrong guess costs its
// requests, and when it happens again, is left out for a while.
//
// The heir, of a Mutex whose waits are shorter than 50 ms. After a place that
// has held the lock, and whose znode is known to be gone, the guid of the lock's
// next place counts on, and has the number of that one in it; after any other
// end it begins anew. So the next znode, its heir, states by its name that the
// place has had its turn, and so has everybody before it. A waiter that could
// tell its own number can also tell what the heir of the second ahead will be
// called, and watches for that instead of the second ahead. Where clients come
// back at once, it is mostly made while the one just ahead holds; then only that
// one is left, and nothing is listed. If the one just ahead goes first, the
// queue is listed, and whichever tells first will do. All this holds of one
// directory. In one that was made anew since those ahead were seen, each number
// up to the own has taken a transaction, so where as many have passed since the
// lock's last place, no heir is believed; that counts on nobody's making several
// znodes in one transaction there. A lock with [WithExtraMarkers] believes none:
// those ahead may not wait for whom it waits for. The watch for an heir that was
// not made is taken back. Servers before 3.5 cannot do that; once that shows, no
// more are set.
//
// The mark, of a Mutex whose queue is long. From 64 children on, every other
// release writes into the directory's data, in the transaction that deletes the
// znode, up to which number places have been held and released. Only the first
// in line can hold, so nobody up to that number is left, and that stays true. A
// waiter whose guess was right reads the mark in its look-ahead instead of the
// queue, together with its own znode, to see that it exists: the two that it
// guessed have the numbers just before its own, so a mark that reaches up to
// them leaves nobody else. If it does not, the queue is listed after all. The
// mark names the transaction that made the directory; copied into another one,
// as from a backup, it is none, unless that one was made in another ensemble by
// a transaction of the same number: do not copy a lock directory's data there.
// Data is written only at the version at which it was seen to be empty, or a
// mark: what somebody keeps there is never overwritten, and then there are no
// marks. Who takes the lock when the queue has gone removes the mark that is
// left. The data watches of others on the directory see these writes, too.
//
// The requests of which most acquisitions consist go past go-zookeeper's
// queues, over the connection that it has made, under numbers that it does not
// use: each then costs one goroutine's wake-up instead of four. Until
// go-zookeeper has sent its credentials, and while much is under way, they go
// by its queues. Their watches are not set again on the next connection, as
// waiters list there anyway. Whoever sets watches through the same connection
// gets the events of ours, too.
//
// The own znode is seen to exist in the listing, and watched when it is next in
// line: as the server tells of changes in their order, no waiter holds who was
// deleted before. Who comes to be next by the look-ahead sets that watch after
// 10 ms only, for most hold by then. If somebody deletes its znode in those 10 ms,
// or while the answer to that listing is under way, and the hand-over falls into
// them too, its lease begins, and is lost when 10 ms have passed again. The same
// holds of who comes to be next by an heir, and of all the time since Lock was
// called, which is then 100 ms at most: after that, it lists. A holder whose znode
// is deleted is no better off, and a listing by a server that lags behind may be
// as old. The fence holds.
//
// A reconnect puts all of that in doubt, and the waiter lists again. So does a
// writer when a writer ahead of it goes, which may have become a reader.
//
// # The counter's end
//
// The server numbers znodes up to 2147483647, and then hands out the same
// number again and again: several clients would be first at once. So the locks
// refuse the last million of numbers, with [ErrSequenceExhausted].
//
// From 2^30 on, who releases a lock that it found alone in a directory without
// data deletes that too, which starts the counter again. A single lock that is
// refused, but alone, does so and goes on. A [Semaphore], whose directory has
// data, is refused once, and starts it again in a later call that finds nobody;
// a [Multi] is refused until somebody deletes the directory. Tokens are not
// these numbers: they go on.
//
// # What it is not
//
// Locks but [Reentrant] are not reentrant: a second Lock stands in line behind
// the first. They are as available as ZooKeeper is: without a majority of its
// servers nobody gets or keeps a lock. And they are not fast as memory is: once
// its session has seen the lock idle, a quiet acquisition takes one round trip,
// a Semaphore's two, a Multi's three, and a release another.
package zklock
