// Package guests lets any ZooKeeper client join the run of a room, over TCP.
//
// A client says nothing of where it wants to go when it connects, so each room has a
// port of its own. The room "main" has the first one; another gets the lowest one from
// there on that is free when it is made, and gives it back when it leaves. A run that is in no
// room has the first one. A client that can reach a port is let in: what ZooKeeper has for a
// password comes later and proves nothing. So listen where only those are that may.
//
//	client ─TCP─> Server: a listener for each room
//	                │ first frame: a new guest of the room's run, or the one with its session
//	                └> chroot ─> tap ─> link ─> ZooKeeper
//
// A client that says by a line of JSON who it is gets a port of its own, so that all its
// sessions are of one guest. By more lines it may tell what it believes: see the README.
//
// A guest joins the first lane of the run under way, and sees the lane's root as "/".
// Without a run there is nothing to join: the connection is closed, and [Server.Status]
// says why. A run that ends takes its guests with it; they get the answer that their session
// has expired when they come back, and may join the next one.
//
// A client that floods a room with connections is let in slowly, and by [Limits] no guest gets
// more than its share; its room's log has what is refused.
package guests
