// Package observer tells what the server did: the truth beside which the log
// puts what the clients believe.
//
// An [Observer] keeps a connection of the playground's own, with a persistent
// recursive watch, and records each change below a lane's root as a tree event.
// After a lost connection it lists the znodes and records what it missed.
// It is no client of the run and is not counted among them.
//
// The server does not say who made a change. [Attribution] works that out from
// what passed on the wire, and completes the tree events.
//
//	server -watch-> Observer -tree.*-> Recorder -> Attribution -> log
package observer
