package main

import (
	"fmt"
	"time"
)

// goalHold is the hold for which hand-overs have goals: long enough that the
// next in line waits for nothing else.
const goalHold = 2 * time.Millisecond

// countNoise is allowed on packets per acquisition: one that is on its way when
// they are read counts in the slice of another recipe.
const countNoise = 0.02

// A goal is a bound for one figure of the run.
type goal struct {
	what    string
	figure  func(all samples) (float64, bool)
	limit   float64
	slack   float64 // by which the limit may be missed
	atLeast bool    // else at most
}

// goals lists what zklock.Mutex is to reach, for the given holds.
func goals(holds []time.Duration) []goal {
	return []goal{
		rateGoal(ringName, condition{inTurn, 1, 0}, 0.85),
		rateGoal(goZooKeeper, condition{random, 8, 0}, 1.10),
		rateGoal(goZooKeeper, condition{random, 32, 0}, 1.20),
		rateGoal(goZooKeeper, condition{random, 128, 0}, 1.20),
		handOverGoal(condition{inTurn, 8, goalHold}),
		handOverGoal(condition{inTurn, 32, goalHold}),
		countGoal("requests, alone", requests, holds, alone, 2),
		// Create, list, watch, list, watch, delete; and a third list where the one before
		// has gone when the second is answered, as happens in one of four short holds.
		countGoal("requests, contended", requests, holds, contended, 6.3),
		countGoal("notifications, contended", notifications, holds, contended, 2.1),
	}
}

func rateGoal(to string, under condition, limit float64) goal {
	return goal{
		what: fmt.Sprintf("acquisitions/s over %s, %v", to, under),
		figure: func(all samples) (float64, bool) {
			return all.ratio(perSecond, mutexName, to, under)
		},
		limit: limit, atLeast: true,
	}
}

func handOverGoal(under condition) goal {
	return goal{
		what: fmt.Sprintf("hand-over p50 over %s, %v", chainName, under),
		figure: func(all samples) (float64, bool) {
			return all.ratio(p50, mutexName, chainName, under)
		},
		limit: 1.10,
	}
}

func alone(n int) bool     { return n == 1 }
func contended(n int) bool { return n > 1 }

// countGoal bounds a figure at every N that counts: the worst is judged.
func countGoal(what string, f figure, holds []time.Duration, counts func(n int) bool, limit float64) goal {
	return goal{
		what:   what + ", per acquisition, worst N",
		figure: func(all samples) (float64, bool) { return all.worst(f, holds, counts) },
		limit:  limit, slack: countNoise,
	}
}

// worst returns the greatest median of a figure of the mutex, where all come in
// turn.
func (all samples) worst(f figure, holds []time.Duration, counts func(n int) bool) (worst float64, ok bool) {
	seen := make(map[int]bool)
	for _, s := range all {
		seen[s.Contenders] = counts(s.Contenders)
	}
	for n, wanted := range seen {
		for _, hold := range holds {
			if value, found := all.of(mutexName, condition{inTurn, n, hold}).median(f); found && wanted {
				worst, ok = max(worst, value), true
			}
		}
	}
	return worst, ok
}

// The outcomes of a goal.
const (
	met         = "met"
	missed      = "MISSED"
	notMeasured = "not measured"
)

// outcome returns the figure that a goal is about, and how it turned out.
func (g goal) outcome(all samples) (value float64, outcome string) {
	value, ok := g.figure(all)
	switch {
	case !ok:
		return 0, notMeasured
	case g.atLeast && value < g.limit-g.slack, !g.atLeast && value > g.limit+g.slack:
		return value, missed
	default:
		return value, met
	}
}
