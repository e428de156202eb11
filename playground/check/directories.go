package check

import (
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// eachOf is start for each directory by itself, where a lane has several.
func eachOf(start func(event.Lane) fold) func(event.Lane) fold {
	return func(l event.Lane) fold {
		if len(l.Locks) == 0 {
			return start(l)
		}
		s := split{Directories: l.Directories()}
		s.seen, s.newest = make([]int64, len(s.Directories)), new(*event.Reason)
		for range s.Directories {
			s.folds = append(s.folds, start(l))
		}
		return s
	}
}

// A split is a check of a lane with several lock directories, each of which has its own.
type split struct {
	state.Directories
	folds  []fold
	seen   []int64        // of each fold, how many violations after its first are known
	newest **event.Reason // the reason of the newest of those
}

func (s split) apply(e *event.Event) {
	if i := s.Of(e); i >= 0 {
		s.folds[i].apply(e)
		return
	}
	for _, f := range s.folds {
		f.apply(e)
	}
}

// again adds up what the folds have found again.
func (s split) again() (int64, *event.Reason) {
	var sum int64
	for i, f := range s.folds {
		if r, ok := f.(relapse); ok {
			times, why := r.again()
			if sum += times; times > s.seen[i] {
				s.seen[i] = times
				*s.newest = s.inLock(i, why)
			}
		}
	}
	return sum, *s.newest
}

// verdict is violated if one is, and holds once one does and none is violated: a lock
// that nobody has come to says nothing.
func (s split) verdict() event.Verdict {
	has := func(verdict event.Verdict) bool {
		return slices.ContainsFunc(s.folds, func(f fold) bool { return f.verdict() == verdict })
	}
	return judged(has(event.Violated), has(event.Holds))
}

// why tells it of those that have the verdict.
func (s split) why() *event.Reason {
	var parts []*event.Reason
	verdict := s.verdict()
	for i, f := range s.folds {
		if f.verdict() == verdict {
			parts = append(parts, s.inLock(i, f.why()))
		}
	}
	return event.Several(parts...)
}

var inLock = event.NewCode("in-lock", "{lock}: {reason}")

func (s split) inLock(directory int, why *event.Reason) *event.Reason {
	return inLock.With(path.Base(s.Directories[directory]), why)
}
