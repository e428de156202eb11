package zkserver

import "time"

// A State is what is known of a server.
type State string

// The states. Unknown is a server that has not been asked yet.
const (
	Unknown     State = "unknown"
	Live        State = "live"
	Unreachable State = "unreachable"
)

// A Status is a server's state as a [Monitor] sees it.
type Status struct {
	Address string `json:"address"`
	State   State  `json:"state"`
	// Version is the release that answered last; empty before the first answer.
	Version string `json:"version,omitempty"`
	// Mode is what the server is among its peers, such as leader, follower or
	// standalone; empty of a server that does not answer.
	Mode string `json:"mode,omitempty"`
	// Managed says that the server is our own child.
	Managed bool `json:"managed"`
	// Since is when the state began.
	Since time.Time `json:"since"`
	// Why says, of an unreachable server, what happened to the first question
	// that it did not answer.
	Why string `json:"why,omitempty"`
}

// after is the status that follows the outcome of a question, and whether that
// is news: another state, another release, or another mode.
func (s Status) after(stats Stats, err error, now time.Time) (Status, bool) {
	next := s
	next.State, next.Mode, next.Why = Live, stats.Mode, ""
	if err != nil {
		next.State, next.Why = Unreachable, err.Error()
	} else {
		next.Version = stats.Version
	}
	if next.State == s.State && next.Version == s.Version && next.Mode == s.Mode {
		return s, false
	}
	if next.State != s.State {
		next.Since = now
	}
	return next, true
}
