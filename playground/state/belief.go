package state

import "github.com/zkplayground/zkplayground/playground/event"

// EndsBelief says that with e the client believes nothing any more: its process is
// gone, or it has made up its mind to close its session.
func EndsBelief(e *event.Event) bool {
	switch e.Kind {
	case event.SessionClosed:
		return true
	case event.FaultInjected:
		return e.Fault == "crash" || e.Fault == "close"
	default:
		return false
	}
}
