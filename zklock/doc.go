// Package zklock is distributed locks on ZooKeeper, over the client library
// github.com/go-zookeeper/zk.
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
// # How the parts fit
//
// A [Session] is the client's session: [Dial] opens one, [NewSession] wraps a
// connection of your own. It watches the frames that pass, which gives the
// clock, and the tokens at no further cost. It owns every goroutine started on
// behalf of its locks, and Close waits for them.
//
// [Mutex], [HerdMutex] and [RWMutex] are names for a queue: a session and a
// lock directory. They have no other state, and are cheap to make. Each call
// of Lock makes an ephemeral znode in the directory, numbered by the server,
// lists the children, and waits for the contender ahead to go; after each
// wake-up it lists again, and never assumes. Then it returns a [Lease], which
// is one acquisition, for its whole life: a mistake with one cannot reach the
// next. Keep one lock to a directory, and do not keep other znodes there;
// strays are ignored, but each listing carries them.
//
// A request whose reply is lost may or may not have been done. Each znode's
// name carries a guid, by which its client finds it again. A znode that is no
// longer wanted, because the caller gave up, or because Unlock could not reach
// the server, is deleted in the background until it is known to be gone: left
// alone, it would block the queue for as long as the session lives.
//
// A [Trace] tells what happens, step by step, and an [*Error] what failed.
//
// # What it is not
//
// Locks are not reentrant: a second Lock stands in line behind the first. They
// are as available as ZooKeeper is: without a majority of its servers nobody
// gets or keeps a lock. And they are not fast as memory is: a quiet
// acquisition takes two round trips, a release one.
//
// The znodes are named as Curator's and go-zookeeper's own locks name them, so
// that all may contend for one path.
package zklock
