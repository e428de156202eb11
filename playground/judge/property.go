package judge

import "github.com/zkplayground/zkplayground/playground/event"

// A Property is what a lock should have.
type Property string

// The properties that every lock should have, in the order of the table.
const (
	Safe  Property = "safe"
	Live  Property = "live"
	Fair  Property = "fair"
	Cheap Property = "cheap"
	Clean Property = "clean"
)

// Properties returns all: those that every lock should have, and then the claims.
func Properties() []Property { return append([]Property{Safe, Live, Fair, Cheap, Clean}, claims...) }

// A Finding is what a trial says of a property.
type Finding struct {
	Property Property      `json:"property"`
	Verdict  event.Verdict `json:"verdict"`
	// Why is a sentence for people.
	Why string `json:"why"`
	// Seq is the event of the log at which it is decided, 0 for none, and At its time, in
	// microseconds of the run.
	Seq int64 `json:"seq,omitempty"`
	At  int64 `json:"at,omitempty"`
}

// judges has the rule of each property.
var judges = map[Property]func(*history) Finding{
	Safe: judgeSafe, Live: judgeLive, Fair: judgeFair, Cheap: judgeCheap, Clean: judgeClean,
	Shared: judgeShared, Timely: judgeTimely, Fenced: judgeFenced,
}

func holds(p Property, why string) Finding {
	return Finding{Property: p, Verdict: event.Holds, Why: why}
}
func undecided(p Property, why string) Finding {
	return Finding{Property: p, Verdict: event.Undecided, Why: why}
}
func violated(p Property, seq int64, why string) Finding {
	return Finding{Property: p, Verdict: event.Violated, Why: why, Seq: seq}
}
