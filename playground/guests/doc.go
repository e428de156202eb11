// Package guests lets any ZooKeeper client join the run of a room, over TCP.
//
// A client says nothing of where it wants to go when it connects, so each room has a
// port of its own. The room "main" has the first one; another gets the lowest one from
// there on that is free when it is made, and gives it back when it leaves. Whoever can
// reach a port is let in: what ZooKeeper has for a password comes later and proves
// nothing. So listen where only those are who may.
//
//	client ─TCP─> Server: a listener for each room
//	                │ first frame: a new guest of the room's run, or the one with its session
//	                └> chroot ─> tap ─> link ─> ZooKeeper
//
// A guest joins the first lane of the run under way, and sees the lane's root as "/".
// Without a run there is nothing to join: the connection is closed, and [Server.Status]
// tells why. A run that ends takes its guests with it; they are told that their session
// has expired when they come back, and may join the next one.
//
// Who floods a room with connections is let in slowly, and by [Limits] no guest gets
// more than its share; what is refused its room's log tells.
package guests
