package chaos

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
)

// An Operation is something that a client did to a lock or to its register, as it is
// seen from outside: no znode is in it, and no transaction's number. The calls and
// returns of these are a history as Jepsen's checkers read it.
type Operation struct {
	Process int    // does one thing after the other
	F       string // "acquire", "release", both with "-shared" for a reader, or "write"
	Token   zklock.Token
	Call    time.Duration
	Return  time.Duration // never when the outcome is not known
}

// never is when an operation returns of which the end is not known.
const never = time.Duration(math.MaxInt64)

// Operations are those of a record on a lock of a kind, of an acquisition one after
// the other. Those of clients who cannot know are left out. An acquisition is a process
// of its own; the number of its client is the remainder by the number of clients.
func Operations(r Record, k Kind) (ops []Operation) {
	processes := 1
	for _, a := range r.Acquisitions {
		processes = max(processes, a.Client+1)
	}
	since := make(map[zklock.Token]time.Duration) // when the token was first had
	for i, a := range byReturn(r, k.Name) {
		if _, known := since[a.Token]; !known {
			since[a.Token] = a.Returned
		}
		if !a.believed() || r.Excused(a) {
			continue
		}
		take := Operation{i*processes + a.Client, "acquire", a.Token, a.Called, a.Returned}
		give := Operation{take.Process, "release", a.Token, a.Held, never}
		if a.Mode == zklock.ModeRead {
			take.F, give.F = take.F+shared, give.F+shared
		}
		if !a.Lost && a.Freed > 0 {
			give.Return = a.Freed
		}
		ops = append(ops, take, give)
	}
	return append(ops, writesOf(r, k.Name, since)...)
}

// shared ends what a reader does.
const shared = "-shared"

// writesOf are the writes of a register, each a process of its own, in the order in which
// they were known. A write came after its writer had the lock; who saw it first tells when
// it was done at the latest.
func writesOf(r Record, lock string, since map[zklock.Token]time.Duration) (ops []Operation) {
	known := make(map[int64]bool)
	for _, w := range r.Writes {
		if w.Lock == lock && !w.Torn && !known[w.Zxid] {
			known[w.Zxid] = true
			ops = append(ops, Operation{-1 - len(ops), "write", w.Token, min(since[w.Token], w.At), w.At})
		}
	}
	return ops
}

// WriteEDN writes operations as a history for Knossos: a map a line, in the order in which
// things happened.
func WriteEDN(to io.Writer, ops []Operation) error {
	w := bufio.NewWriter(to)
	for i, m := range momentsOf(ops) {
		op, what := ops[m.op], "invoke"
		switch {
		case m.returns && op.Return == never:
			what = "info"
		case m.returns:
			what = "ok"
		}
		fmt.Fprintf(w, "{:index %d, :time %d, :process %d, :type :%s, :f :%s, :value %d}\n",
			i, m.at, op.Process, what, op.F, op.Token)
	}
	return w.Flush()
}

// A moment is the call or the return of the operation at an index.
type moment struct {
	op      int
	returns bool
	at      time.Duration
}

// momentsOf are the calls and returns of operations in their order. A lease that is held
// at a moment is released after it: whoever had the lock by then had it before. What
// never returns does so at the end.
func momentsOf(ops []Operation) []moment {
	var last time.Duration
	for _, op := range ops {
		last = max(last, op.Call)
		if op.Return != never {
			last = max(last, op.Return)
		}
	}
	var moments []moment
	for i, op := range ops {
		moments = append(moments, moment{i, false, op.Call}, moment{i, true, min(op.Return, last+1)})
	}
	slices.SortStableFunc(moments, func(a, b moment) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(ops[a.op].later(a), ops[b.op].later(b)))
	})
	return moments
}

// later tells which of those that have one time comes after the others.
func (op Operation) later(m moment) int {
	if op.frees() && !m.returns {
		return 1
	}
	return 0
}

func (op Operation) frees() bool { return strings.HasPrefix(op.F, "release") }

func (op Operation) writes() bool { return op.F == "write" }
