// Package link is one client's connection to ZooKeeper, as a fault can shape it.
//
// A [Link] lives as long as its client, over all the connections that the
// client makes. [Link.Dial] is what the client library uses to connect. Each
// connection cuts what passes into frames, and keeps the frames of each
// direction in a queue:
//
//	client -Write-> out queue -> TCP -> server
//	client <-Read-- in queue <-- TCP <- server
//
// A frame leaves its queue when it is due: at once, or after the delay of its
// direction, and not while the direction is blocked. Frames of one
// direction never overtake each other, and they wait side by side, so that
// requests in flight together are answered together. What happens to a frame
// is reported to an [Observer].
//
// The faults are those of a network and a process, seen from the client: a slow
// line ([Link.SetDelay], [Link.Slow]), a partition ([Link.Block],
// [Link.Unblock]), a dropped connection ([Link.Cut]), one whose last reply is
// lost ([Link.LoseReply]), a process that stands still ([Link.Pause],
// [Link.Resume]) and a crash ([Link.Kill]). The package invents no protocol
// errors: what the client and the server make of a fault is theirs.
//
// A link can also be stepped ([Link.SetStepping]): then frames wait to
// be delivered by hand ([Link.Waiting], [Link.Deliver], [Link.Break]), and only
// heartbeats and handshakes go on by themselves. This is the one case in which a
// frame overtakes others.
//
// Only TCP connections made through the link are affected; it is no proxy.
package link
