package chaos

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/zkplayground/zkplayground/zklock"
)

// A step is an operation on a lock, as porcupine sees it: an acquisition is
// two of them.
type step struct {
	node   string
	shared bool // a reader's
	free   bool // gives the lock back; else takes it
}

// lockModel is a lock by its definition. Its state is who holds: the znodes in
// order, a shared one's with a mark, so that equal states are equal strings.
func lockModel(holders int) porcupine.Model {
	return porcupine.Model{
		Init: func() any { return "" },
		Step: func(state, input, _ any) (bool, any) {
			return apply(state.(string), input.(step), holders)
		},
	}
}

const (
	separator  = " "
	sharedMark = "~"
)

// apply reports whether a step is possible, and the state after it.
func apply(state string, s step, holders int) (bool, any) {
	held := strings.Fields(state)
	me := s.node
	if s.shared {
		me += sharedMark
	}
	if s.free {
		i := slices.Index(held, me)
		return i >= 0, strings.Join(slices.Delete(held, max(i, 0), i+1), separator)
	}
	against := slices.DeleteFunc(slices.Clone(held), func(node string) bool {
		return s.shared && strings.HasSuffix(node, sharedMark)
	})
	if len(against) >= holders {
		return false, state
	}
	held = append(held, me)
	slices.Sort(held)
	return true, strings.Join(held, separator)
}

const (
	// piece is how many acquisitions porcupine is shown at a time: the question
	// that it answers is NP-complete.
	piece = 40
	// consultTimeout bounds the answer to one question.
	consultTimeout = 10 * time.Second
)

// An Opinion is what porcupine says about a piece of a record.
type Opinion struct {
	Lock     string
	From, To time.Duration // when the first Lock and the last returned
	// Result is porcupine.Unknown where the answer took too long.
	Result porcupine.CheckResult
}

// Consult asks porcupine whether some order of the acquisitions and releases
// in a record, each at a moment between its beginning and its end, is one that
// a lock allows. It is asked about pieces, each half of the one before: to
// leave out others' whole acquisitions makes no lock's history wrong. Those of
// clients who cannot know are left out too.
func Consult(r Record, kinds []Kind) (opinions []Opinion) {
	for _, k := range kinds {
		model := lockModel(k.Holders)
		all := slices.DeleteFunc(byReturn(r, k.Name), func(a *Acquisition) bool { return !a.believed() || r.Excused(a) })
		for from := 0; from < len(all); from += piece / 2 {
			some := all[from:min(from+piece, len(all))]
			result := porcupine.CheckOperationsTimeout(model, operations(some), consultTimeout)
			opinions = append(opinions, Opinion{k.Name, some[0].Returned, some[len(some)-1].Returned, result})
		}
	}
	return opinions
}

// operations are the steps of acquisitions. Their times are doubled, so that
// there is one between two: the lock is given back after the moment at which
// it was last seen held, and if the lease was lost, at any time after it.
func operations(acquisitions []*Acquisition) (ops []porcupine.Operation) {
	for _, a := range acquisitions {
		take := step{node: a.Node, shared: a.Mode == zklock.ModeRead}
		give := take
		give.free = true
		end := int64(math.MaxInt64)
		if !a.Lost && a.Freed > 0 {
			end = 2 * int64(a.Freed)
		}
		ops = append(ops,
			porcupine.Operation{ClientId: a.Client, Input: take, Call: 2 * int64(a.Called), Return: 2 * int64(a.Returned)},
			porcupine.Operation{ClientId: a.Client, Input: give, Call: 2*int64(a.Held) + 1, Return: end})
	}
	return ops
}
