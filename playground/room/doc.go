// Package room keeps the rooms: each is the place of one class or learner, with
// a subtree of ZooKeeper and one run of its own.
//
// A [Room] starts, replaces and stops runs, and takes a step of one back by
// repeating the others in a new one; whoever looks at it asks for the
// current run and is told when that changes. Runs that have made way are kept as
// recordings for a while, beyond the program where it has a directory for that.
// [Rooms] holds the rooms by name, makes new ones within a quota, and ends runs that
// nobody watches, and everything when the program does. The room "main" always exists.
//
// The package knows nothing of HTTP; package web puts it on the network.
package room
