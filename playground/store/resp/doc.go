// Package resp reads the protocol of Redis, as far as a lock needs it.
//
// A link cuts a connection's bytes into frames by a [Framer] and reads them by a
// [Decoder], as it does for ZooKeeper. A request is an array of words; a reply is of
// any type of RESP2, and answers the oldest request that has none yet, as there are no
// numbers in the protocol. What it says becomes a wire.Frame, so that the same tap
// records it.
//
// The database of package store speaks it, too: SQLite has no protocol of its own. Its
// requests are the word SQL, a statement, and the values for that.
package resp
