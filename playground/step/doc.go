// Package step holds the network of a run and lets its frames go on one by one.
//
// A [Stepper] holds all links or none. While they are held every frame but
// handshakes and heartbeats waits until a [Command] delivers or drops it, or a
// script does. What was done becomes a script itself, which Config.Replay repeats
// on fresh znodes: a step names a client, a direction and an operation, no frame
// number, because the requests of one client follow each other in the same order
// every time.
//
//	Command, script -> Stepper -> link of a client (deliver, drop)
//	                      |------> Config.Inject (a fault)
//	log <- what happens --+ read to know when a step is done
//
// Guests are held as well, but in no script: what they do is up to their own programs.
//
// It knows the clients' links and the log; what a run is it does not know.
package step
