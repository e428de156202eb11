// Package web puts the playground on the network: the page, the lessons, the
// API and the event stream, on Echo.
//
// Requests go through the guards (sizes, rates, origins, headers) to a handler
// that speaks to package room; every handler is a few lines. What a viewer sees
// is not pushed to it by the run: each stream reads the run's log at its own
// pace, from the event it asked for, so a viewer that is slow, late or cut off
// costs the others nothing and misses nothing. What the streams of one log send at
// the same time they share, as frames.
//
// Errors reach the client as {"error":{"code","message"}} with a status that
// fits; errors.go maps the sentinels of the packages below.
package web
