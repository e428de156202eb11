// Package sim executes scenarios: it lets simulated clients run lock recipes
// against a real ZooKeeper and writes down everything that happens.
//
// A [Scenario] is data: its lanes, how many clients, their timing, a
// seed, faults. [Start] turns it into a [Run], which owns one event log.
// Nothing in a run is simulated but the clients' work: each client has a
// session, a connection and a recipe of its own, and the server is real.
//
// What flows where:
//
//	client (recipe, zklock) -> tap -> link -> ZooKeeper
//	   |                        |                 |
//	   lock.*, session.*        wire.*            tree.* (observer)
//	   +------------------------+-----------------+--> recorder -> log, checks
//
// The recorder is the only writer of the log and gives each event to the
// checks as it goes by. The observer is a connection of the playground's own,
// with a persistent recursive watch; it tells what the server did, and is not
// counted among the clients.
//
// In step mode the links hold every frame but handshakes and heartbeats until it
// is delivered by hand, by [Run.Step], or by a script of the scenario. What was
// done becomes a script itself, which [Config].Replay repeats on fresh znodes: a
// step names a client, a direction and an operation, no frame number, because
// the requests of one client follow each other in the same order every time.
//
// The same seed gives the same arrivals, holds, pauses and faults, in both
// lanes of a comparison. ZooKeeper's scheduling is not ours, so two runs of one
// seed agree in plan, not in every event.
package sim
