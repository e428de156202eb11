// Package client has the clients of a run.
//
// A [Participant] is anything that takes part: it has a connection that faults
// can shape (package link), every frame of which is decoded and told (package
// wire), and faults that are done to it. A [Process] is a participant that the
// playground simulates: it opens a session of zklock, runs a recipe again and
// again, and does some work while it holds the lock.
//
//	Process: turns -> recipe -> zklock -+
//	   |  session.*, lock.*, resource.*  |
//	   v                                v
//	Recorder <- wire.*, fault.* - Participant: tap, link -> ZooKeeper
//
// A [Client] is what a number in a lane stands for: one Process after the other, as a
// crashed or closed one can be started again.
//
// A [Guest] is a participant whose program is not ours: any ZooKeeper client that has
// come over the network, or a console. Package chroot confines it to its lane.
//
//	program -> chroot -> Participant: tap, link -> ZooKeeper
//
// [Faults] are what can be done to a client, one value each.
//
// The package knows nothing of runs: it does not start and end clients together,
// picks nobody for a fault, and reads no log.
package client
