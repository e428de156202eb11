package chaos

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/zkplayground/zkplayground/zklock"
)

// lockModel is a lock by its definition, and its register. A state is who holds, as the
// processes in order, and the greatest token that has been written.
func lockModel(holders int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return state{} },
		Step: func(s, input, _ any) (bool, any) {
			return s.(state).apply(input.(Operation), holders)
		},
	}
}

// A state is one of a lock. A reader's process has a mark.
type state struct {
	holders string
	written zklock.Token
}

const separator = " "

// apply reports whether an operation is possible, and the state after it.
func (s state) apply(op Operation, holders int) (bool, state) {
	if op.writes() {
		return op.Token >= s.written, state{s.holders, op.Token}
	}
	held := strings.Fields(s.holders)
	reads := strings.HasSuffix(op.F, shared)
	me := strconv.Itoa(op.Process)
	if reads {
		me += shared
	}
	if op.frees() {
		i := slices.Index(held, me)
		return i >= 0, state{strings.Join(slices.Delete(held, max(i, 0), i+1), separator), s.written}
	}
	against := slices.DeleteFunc(slices.Clone(held), func(process string) bool {
		return reads && strings.HasSuffix(process, shared)
	})
	if len(against) >= holders {
		return false, s
	}
	held = append(held, me)
	slices.Sort(held)
	return true, state{strings.Join(held, separator), s.written}
}

const (
	// piece is how many operations porcupine is shown at a time, two an acquisition: the
	// question that it answers is NP-complete.
	piece = 80
	// consultTimeout bounds the answer to one question.
	consultTimeout = 10 * time.Second
)

// An Opinion is what porcupine says about a piece of a record.
type Opinion struct {
	Lock     string
	From, To time.Duration // when the first operation and the last began
	// Result is porcupine.Unknown where the answer took too long.
	Result porcupine.CheckResult
}

// Consult asks porcupine whether some order of the operations in a record, each at a
// moment between its call and its return, is one that a lock allows, and of the writes one
// in which no token is less than the one before. It is asked about pieces, each half of the
// one before: to leave out others' whole acquisitions makes no lock's history wrong.
func Consult(r Record, kinds []Kind) (opinions []Opinion) {
	for _, k := range kinds {
		all := Operations(r, k)
		writes := slices.IndexFunc(all, Operation.writes)
		if writes < 0 {
			writes = len(all)
		}
		for _, ops := range [][]Operation{all[:writes], all[writes:]} {
			for from := 0; from < len(ops); from += piece / 2 {
				some := ops[from:min(from+piece, len(ops))]
				result := porcupine.CheckEventsTimeout(lockModel(k.Holders), eventsOf(some), consultTimeout)
				opinions = append(opinions, Opinion{k.Name, some[0].Call, some[len(some)-1].Call, result})
			}
		}
	}
	return opinions
}

// eventsOf are the calls and returns of operations, as porcupine takes them.
func eventsOf(ops []Operation) (events []porcupine.Event) {
	for _, m := range momentsOf(ops) {
		event := porcupine.Event{ClientId: ops[m.op].Process, Kind: porcupine.CallEvent, Value: ops[m.op], Id: m.op}
		if m.returns {
			event.Kind = porcupine.ReturnEvent
		}
		events = append(events, event)
	}
	return events
}
