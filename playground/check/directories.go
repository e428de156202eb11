package check

import (
	"path"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// directories are the lock directories of a lane. Each is judged and counted by itself:
// who holds in one keeps nobody in another from holding.
type directories []string

// of returns the index of the directory that an event is about, -1 if it may be about
// any of them, as the end of a session is. The page does so too: static/js/model/locks.js.
func (d directories) of(e *event.Event) int {
	if len(d) == 1 {
		return 0
	}
	if i := slices.Index(d, e.Path); i >= 0 {
		return i
	}
	return d.ofNode(e.Path)
}

// ofNode is the index of the directory that has the znode, -1 if none has.
func (d directories) ofNode(node string) int { return slices.Index(d, path.Dir(node)) }

// eachOf is start for each directory by itself, where a lane has several.
func eachOf(start func(event.Lane) fold) func(event.Lane) fold {
	return func(l event.Lane) fold {
		if len(l.Locks) == 0 {
			return start(l)
		}
		s := split{directories: l.Directories()}
		s.seen, s.newest = make([]int64, len(s.directories)), new(*event.Reason)
		for range s.directories {
			s.folds = append(s.folds, start(l))
		}
		return s
	}
}

// A split is a check of a lane with several lock directories, each of which has its own.
type split struct {
	directories
	folds  []fold
	seen   []int64        // of each fold, how many violations after its first are known
	newest **event.Reason // the reason of the newest of those
}

func (s split) apply(e *event.Event) {
	if i := s.of(e); i >= 0 {
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
	return inLock.With(path.Base(s.directories[directory]), why)
}
