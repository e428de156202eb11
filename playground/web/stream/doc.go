// Package stream has what keeps many viewers of one log cheap, and a slow one harmless:
// the frames that they share, and a bound to what is under way to each.
//
//	log -> Batches (one per log, shared) -> viewer -> its Window -> websocket
//
// It knows neither rooms nor connections: package web asks it for the next [Batch],
// sends it, and waits for room in the viewer's [Window].
package stream
