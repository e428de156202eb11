// Package zkserver finds a ZooKeeper on this machine, runs it as a child
// process or as three, breaks it on request, and reports whether a server, ours
// or not, is serving.
//
// [Start] is for a playground without a ZooKeeper of its own and for tests: a
// real standalone server on a loopback port, with short ticks, no fsync and,
// by default, data that is gone after [Server.Stop]. It is not for
// keeping anything that matters. [StartEnsemble] runs three of them that
// replicate each other, to see what an election does to clients.
//
//	Find: which jars, which JVM ──> Start: directory, zoo.cfg, JVM ──> srvr answers
//	                                  │ supervisor: restarts a JVM that died unasked
//	                                  │   Restart, Halt, Revive: killed on request
//	StartEnsemble: three of them, booted together ──> Inject, Heal: faults of servers
//	Probe: one question          ──> Monitor: asks every 250 ms, tells changes
//
// [Probe] and [Monitor] ask any ZooKeeper by the four-letter word srvr, which
// is the one that a server allows by default.
package zkserver
