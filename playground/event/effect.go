package event

import "slices"

// An Effect is what a fault does to its client, as far as readers of a log go by it.
type Effect string

// The effects.
const (
	// EndsProcess: the client's process is gone with the fault, and what it believed.
	EndsProcess Effect = "ends-process"
	// LeavesSession: its session and its frames are left behind, without a word to the server.
	LeavesSession Effect = "leaves-session"
	// StartsProcess: the client has a new process, which knows nothing of the one before.
	StartsProcess Effect = "starts-process"
	// Excuses: while the fault lasts, a client that does nothing is not to blame.
	Excuses Effect = "excuses"
	// Silences: while the fault lasts, the server hears nothing of the client.
	Silences Effect = "silences"
	// DeletesNode: an operator deletes Path.
	DeletesNode Effect = "deletes-node"
)

// AllEffects returns every effect.
func AllEffects() []Effect {
	return []Effect{EndsProcess, LeavesSession, StartsProcess, Excuses, Silences, DeletesNode}
}

// Injects says whether with e a fault of that effect is injected, or a program ends as if by
// one.
func (e *Event) Injects(effect Effect) bool {
	return (e.Kind == FaultInjected || e.Kind == ProgramEnded) && slices.Contains(e.Effects, effect)
}

// formerEffects are those of the faults that were recorded before events had effects.
var formerEffects = map[string][]Effect{
	"crash": {EndsProcess, LeavesSession}, "close": {EndsProcess}, "start-again": {StartsProcess}, "delete": {DeletesNode},
	"pause": {Excuses, Silences}, "partition": {Excuses, Silences}, "partition-out": {Excuses, Silences},
	"partition-in": {Excuses}, "slow": {Excuses},
}

// giveEffects adds the effects to a fault that was recorded before events had them.
func (e *Event) giveEffects() {
	if e.Kind == FaultInjected && e.Effects == nil {
		e.Effects = formerEffects[e.Fault]
	}
}
