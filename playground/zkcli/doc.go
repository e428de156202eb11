// Package zkcli is ZooKeeper's command line: it reads zkCli's commands as zkCli.sh
// does, runs them in a session, and answers with the same words.
//
// A [Console] is the engine, without a screen: it is given lines and writes what they
// answer, as text for one of the streams Out, Err and Watch. A [Client] is its session with
// ZooKeeper, and connects by itself.
//
//	line -> Console: tokens, options, command -> Client -> ZooKeeper
//	           |                                     |
//	        Output <- answers, errors                +- Event, as it happens -> Output
//
// The words are those of ZooKeeper 3.8.0, oddities included: a line without a word
// does the last command again, 'help' is a command that is not found, the mode that
// addWatch is given is kept for the next one. A test runs the same lines through both
// programs. Where they differ:
//
//   - What ends zkCli.sh with Java's exception, such as "set -v x /a b", is an error here,
//     with the exception's message.
//   - "reconfig -file" does not read the file.
//   - "version" names this program.
//   - A line of more than [MaxLine] bytes is refused.
//
// A console that is confined to a part of the tree has a connection that does so: paths
// here are those that the session sees.
package zkcli
