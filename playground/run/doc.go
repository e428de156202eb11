// Package run turns a scenario into a run: it lets simulated clients run lock
// recipes against a real ZooKeeper and writes down everything that happens.
//
// [Start] makes the znodes of a [Run] and starts its clients; the run owns one
// event log and everything that appends to it. Nothing in a run is simulated but
// the clients' work: each client has a session, a connection and a recipe of its
// own, and the server is real.
//
// What flows where:
//
//	clients (recipe, zklock) -> tap -> link -> ZooKeeper
//	   |                         |                |
//	   lock.*, session.*         wire.*           tree.* (observer)
//	   +-------------------------+----------------+--> recorder -> log, checks
//
// Guests that join are in the place of clients, but for lock.*: what they believe is not
// known. They end with the run.
//
// The recorder is the only writer of the log and gives each event to the checks
// as it goes by. The same seed gives the same arrivals, holds, pauses and faults,
// in both lanes of a comparison. ZooKeeper's scheduling is not ours, so two runs
// of one seed agree in plan, not in every event.
//
// The package starts and ends what others do: clients, steps and the observer are
// packages of their own. Who may see or start a run is no concern of it.
package run
