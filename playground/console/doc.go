// Package console lets somebody who is not at a terminal type ZooKeeper's commands: a
// command line of package zkcli behind a stream of requests and one of frames.
//
//	Request -> Converse: one after the other -> zkcli.Console -> zkcli.Client -> Config.Dial
//	Frame   <- Outbox: bounded, never waits  <- answers, errors, watches
//
// Who is asked nothing bounds nothing: a console does one request at a time and so many
// in a second, its lines have a longest length, and what it says beyond a measure is
// left out. Commands that have no place in a room are refused here, with the reason.
// That it names nothing outside of its lane is not seen to here but by package chroot,
// through which its connections go.
package console
