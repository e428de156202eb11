// Package console lets a person who is not at a terminal type ZooKeeper's commands: a
// command line of package zkcli behind a stream of requests and one of frames.
//
//	Request -> Console.Run: one after the other -> zkcli.Console -> zkcli.Client -> Config.Serve
//	Frame   <- Outbox: bounded, never waits     <- answers, errors, watches
//
// A [Console] is a client.Program: it can be paused, crashed, closed and started again
// from outside, as a simulated client can.
//
// A console does one request at a time and so many in a second, its lines have a longest
// length, and what it says beyond a measure is left out. Commands that have no place in
// a room are refused here, with the reason. That it names nothing outside of its lane is
// not seen to here but by package chroot, through which its connections go.
package console
