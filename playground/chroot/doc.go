// Package chroot lets any ZooKeeper client see one subtree as its whole tree.
//
// A client that is configured with a chroot keeps to it by good will alone. Here the
// frames are rewritten on their way, so that a client which knows nothing of it, or
// means harm, names nothing outside of the subtree and learns of nothing there.
//
//	client ──> Serve ── Conn ── Config.Dial ──> server
//	             │        └ paths, passwords, limits, replies of its own
//	             └ first bytes, deadlines, goroutines
//
// A [Conn] is one connection without its network: whole frames in, whole frames out.
// [Serve] is the listener around it. What leaves for the server goes through a dialer
// that the caller gives, so that a link and a tap can stand there; they see the
// server's paths.
//
// # Paths
//
// "/" is the root and everything else is below it, with a slash between: a sibling
// whose name begins like the root's is another znode. What has no place in the
// subtree, such as a path without a slash in front or one below /zookeeper, gets a
// path below the root that no znode can have, so that the server itself gives the
// right error, also in the midst of a multi. So it goes with "delete /".
//
// # Answered here
//
// An operation that is not known is refused with Unimplemented, and does not reach the
// server: what cannot be read cannot be rewritten. A reconfig gets ReconfigDisabled,
// the answer of a server that is configured by default, and a setACL of "/" NoAuth,
// because the root belongs to all clients below it. /zookeeper/config is empty, as
// that of a server alone: a list of servers would lead the client past this one.
// Whatever is answered here waits for the replies to what was asked before.
//
// # Sessions
//
// A server gives any session to a client that names its id and a password that can be
// computed from the id; and even a wrong password cuts the connection of the owner. So
// clients get passwords that are made here, and [Sessions] keeps which session was
// opened below which root; any other is answered as expired, without asking the
// server. It keeps them in memory: after a restart of this program clients have to open
// new ones.
//
// # Not done here
//
// An ACL is passed on as it is, unless Limits.OpenACLs says otherwise. A client can
// make a znode that no other client may delete, so the clean-up needs the server's
// superDigest.
package chroot
