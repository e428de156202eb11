// Package starlark runs a lock that a learner has written in Starlark, as a program of
// playground/program. A source defines
//
//	acquire(read)        blocks until the lock is held; returns the znode by which it is,
//	                     or (znode, token), or None if it has given up
//	release(znode)       gives it back
//	on_session(state)    optional: "disconnected", "connected" or "expired" while the lock
//	                     is held; True says that it is lost
//
// and has the module zk, whose calls are requests of a real client of ZooKeeper:
//
//	zk.create(path, data="", flags=0)   the path; None if there is one already.
//	                                    Flags are zk.EPHEMERAL and zk.SEQUENCE
//	zk.delete(path, version=-1)         whether there was one
//	zk.get(path)                        (data, stat), or None
//	zk.set(path, data, version=-1)      the stat; None if it is missing or has another version
//	zk.exists(path)                     the stat, or None; a stat has czxid, mzxid, version,
//	                                    ephemeral_owner and num_children
//	zk.children(path)                   the names, in no order; None if it is missing
//	zk.exists_w(path), zk.get_w(path), zk.children_w(path)
//	                                    (what the call above returns, a watch)
//	zk.multi([("create", path, data, flags), ("set", path, data, version),
//	    ("delete", path, version), ("check", path, version)])
//	                                    all or nothing: the paths that were created, or None
//	zk.wait(watch, ms=None)             what has happened: "created", "deleted", "changed",
//	                                    "children", or "session" if the session has ended;
//	                                    None after that time
//	zk.attempt(call, arguments...)      (what it returns, None), or (None, the error of
//	                                    ZooKeeper, such as "connection closed")
//	zk.remaining()                      milliseconds until the attempt has to end, or None
//	zk.sleep(ms), zk.session()          the session's id
//	zk.lock, zk.client                  the path of the lock, and the client's number
//
// What print writes is told as a note. An error of ZooKeeper that is not attempted ends the
// turn, and any other error the program, with its line and column.
package starlark
