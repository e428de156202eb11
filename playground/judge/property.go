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
	// Reason says why, and Why is its sentence in English.
	Reason *event.Reason `json:"reason"`
	Why    string        `json:"why"`
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

func holds(p Property, why *event.Reason) Finding     { return found(p, event.Holds, 0, why) }
func undecided(p Property, why *event.Reason) Finding { return found(p, event.Undecided, 0, why) }
func violated(p Property, seq int64, why *event.Reason) Finding {
	return found(p, event.Violated, seq, why)
}

func found(p Property, verdict event.Verdict, seq int64, why *event.Reason) Finding {
	return Finding{Property: p, Verdict: verdict, Reason: why, Why: why.English(), Seq: seq}
}

var fewAcquisitions = event.NewCode("few-acquisitions", "{count} acquisition is too few to tell|{count} acquisitions are too few to tell")
