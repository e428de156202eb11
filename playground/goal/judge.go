package goal

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A State is what a log says of a goal.
type State string

// The states.
const (
	Met        State = "met"
	NotYet     State = "not-yet"
	CannotTell State = "cannot-tell"
)

// A Reason is why a goal is not met, or nobody can tell.
type Reason string

// The reasons.
const (
	// StepMissing: Step is to be done next.
	StepMissing Reason = "step"
	// MistakeMade: Mistake was made since the last step that was done.
	MistakeMade Reason = "mistake"
	// NobodyJoined: the reader takes no part in the run, and must.
	NobodyJoined Reason = "nobody"
	// RunOver: nothing that happens now counts.
	RunOver Reason = "over"
	// LogCut: the log has not all events of the run.
	LogCut Reason = "cut"
	// FrameUnread: a frame of the reader's could not be decoded.
	FrameUnread Reason = "unread"
	// TreeUnseen: the server cannot be seen just now.
	TreeUnseen Reason = "unseen"
)

// A Verdict is what a log says of a goal so far.
type Verdict struct {
	State  State  `json:"state"`
	Reason Reason `json:"reason,omitempty"`
	// Step and Mistake are indexes into the goal's, where Reason is theirs.
	Step    int `json:"step,omitempty"`
	Mistake int `json:"mistake,omitempty"`
	// At is the number of the event that explains it, 0 where there is none.
	At int64 `json:"at,omitempty"`
	// Done has for each step the number of its event, 0 while it is not done.
	Done []int64 `json:"done"`
}

// mostWays bounds the ways through a log that are followed at once: who makes a hundred
// znodes may have any of them in mind, but not the oldest of thousands.
const mostWays = 100

// A way is some steps done, one way or another, and what their names stand for.
type way struct {
	done  []int64
	names map[string]string
}

// A Judge reads a log once. It is static/js/model/goal.js in Go; see the package.
type Judge struct {
	goal    Goal
	roots   map[string]string                // of lanes
	you     map[string]bool                  // clients that are the reader's
	asked   map[string]map[int32]event.Event // by client and xid, while the reply may come
	joined  bool
	trouble Reason // why nobody can tell, for good
	blind   bool
	over    bool
	next    int64
	ways    []way // the first has no step done
	met     []int64
	mistake int
	slipped int64 // the event of the newest mistake
}

// NewJudge returns one that has read nothing.
func NewJudge(goal Goal, lanes []event.Lane) *Judge {
	j := &Judge{roots: map[string]string{}, you: map[string]bool{}, asked: map[string]map[int32]event.Event{}, next: 1}
	for _, lane := range lanes {
		j.roots[lane.Name] = lane.Root
	}
	j.Begin(goal)
	return j
}

// Begin judges another goal by the events to come. What it knows of the clients stays.
func (j *Judge) Begin(goal Goal) {
	j.goal, j.met, j.mistake, j.slipped = goal, nil, 0, 0
	j.ways = []way{{done: make([]int64, len(goal.Steps)), names: map[string]string{}}}
}

// Take reads the next event.
func (j *Judge) Take(e event.Event) {
	if e.Seq != j.next {
		j.trouble = LogCut
	}
	j.next = e.Seq + 1
	if j.met != nil || j.over {
		return
	}
	j.learn(&e)
	j.blame(e)
	j.advance(e)
}

// Skip reads the next event without judging it.
func (j *Judge) Skip(e event.Event) {
	j.next = e.Seq + 1
	j.learn(&e)
}

// learn takes up who takes part and what was asked, which a reply does not repeat.
func (j *Judge) learn(e *event.Event) {
	who := clientOf(*e)
	switch e.Kind {
	case event.NoteJoined:
		j.you[who], j.joined = true, true
	case event.NoteLeft:
		delete(j.you, who)
		delete(j.asked, who)
	case event.NoteStopping:
		j.over = true
	case event.NoteTruncated:
		j.trouble = LogCut
	case event.TreeLost:
		j.blind = true
	case event.TreeSynced:
		j.blind = false
	case event.WireUndecoded:
		if j.you[who] {
			j.trouble = FrameUnread
		}
	case event.WireSent:
		if j.asked[who] == nil || e.Op == "connect" { // what was asked on the connection before is answered by nobody
			j.asked[who] = map[int32]event.Event{}
		}
		j.asked[who][e.Xid] = *e
	case event.WireDropped:
		delete(j.asked[who], e.Xid)
	case event.WireReceived:
		asked := j.asked[who][e.Xid]
		delete(j.asked[who], e.Xid)
		e.Flags = asked.Flags
		if e.Path == "" {
			e.Path = asked.Path
		}
	}
}

// blame looks whether the event is a mistake in one of the ways. In a mistake a name
// stands for what a step has named.
func (j *Judge) blame(e event.Event) {
	for i, mistake := range j.goal.Mistakes {
		is := func(w way) bool {
			names, ok := j.match(mistake.Where, e, w.names)
			return ok && len(names) == len(w.names) && (!mistake.Undoes || steps(w) > 0)
		}
		if !slices.ContainsFunc(j.ways, is) {
			continue
		}
		j.mistake, j.slipped = i, e.Seq
		if mistake.Undoes {
			j.ways = slices.DeleteFunc(j.ways, is)
		}
	}
}

// advance follows every way on which the event is a step. The way without it stays: it
// may be another event that leads to the end. Of two that are the same the newer counts.
func (j *Judge) advance(e event.Event) {
	for _, from := range slices.Clone(j.ways) {
		for i, step := range j.goal.Steps {
			follows := i > 0 && (step.Follows || !j.goal.AnyOrder)
			if from.done[i] != 0 || follows && from.done[i-1] == 0 {
				continue
			}
			names, ok := j.match(step.Where, e, from.names)
			if !ok {
				continue
			}
			on := way{done: slices.Clone(from.done), names: names}
			on.done[i] = e.Seq
			if steps(on) == len(on.done) {
				j.met = on.done
				return
			}
			j.ways = append(slices.DeleteFunc(j.ways, on.same), on)
		}
	}
	if over := len(j.ways) - mostWays; over > 0 {
		j.ways = slices.Delete(j.ways, 1, 1+over)
	}
}

// match compares an event; it returns the names with those that the pattern adds.
func (j *Judge) match(p Pattern, e event.Event, names map[string]string) (map[string]string, bool) {
	you := j.you[clientOf(e)]
	mode := e.Flags
	if mode == "" {
		mode = "persistent"
	}
	anew := p.Or != "" && e.Kind == p.Or
	if e.Kind != p.Kind && !anew || p.Refused != (e.Err != "") ||
		p.Ops != nil && !slices.Contains(p.Ops, e.Op) || p.Causes != nil && !slices.Contains(p.Causes, e.Cause) ||
		p.By == "you" && !you || p.By == "others" && you || p.Watch && !e.Watch ||
		p.Err != "" && p.Err != e.Err || p.Mode != "" && p.Mode != mode ||
		p.Type != "" && p.Type != e.Type || p.Fault != "" && p.Fault != e.Fault ||
		p.Lane != "" && p.Lane != e.Lane || p.Number != 0 && p.Number != e.Client ||
		p.Check != "" && p.Check != e.Check || p.Verdict != "" && p.Verdict != e.Verdict && !anew ||
		p.Because != "" && !e.Reason.Has(p.Because) ||
		p.Path != "" && !pathFits(p.Path, j.inLane(e)) {
		return nil, false
	}
	added := maps.Clone(names)
	for name, is := range map[string]string{p.Znode: e.Path, p.Client: clientOf(e)} {
		if name == "" {
			continue
		}
		if known, ok := added[name]; ok && known != is {
			return nil, false
		}
		added[name] = is
	}
	return added, true
}

// inLane is the event's path as a console of its lane sees it.
func (j *Judge) inLane(e event.Event) string {
	if e.Path == j.roots[e.Lane] {
		return "/"
	}
	return strings.TrimPrefix(e.Path, j.roots[e.Lane])
}

func pathFits(pattern, path string) bool {
	if begin, any := strings.CutSuffix(pattern, "*"); any {
		return strings.HasPrefix(path, begin)
	}
	return path == pattern
}

// Verdict is what the events so far say.
func (j *Judge) Verdict() Verdict {
	if j.met != nil {
		return Verdict{State: Met, Done: j.met}
	}
	best := j.ways[0]
	for _, w := range j.ways {
		if steps(w) >= steps(best) {
			best = w
		}
	}
	last := slices.Max(best.done)
	verdict := Verdict{State: NotYet, Done: best.done}
	switch {
	case j.trouble != "":
		verdict.State, verdict.Reason = CannotTell, j.trouble
	case j.over:
		verdict.Reason = RunOver
	case j.blind:
		verdict.State, verdict.Reason = CannotTell, TreeUnseen
	case j.slipped > last:
		verdict.Reason, verdict.Mistake, verdict.At = MistakeMade, j.mistake, j.slipped
	case !j.joined && j.needsYou():
		verdict.Reason = NobodyJoined
	default:
		verdict.Reason, verdict.Step, verdict.At = StepMissing, slices.Index(best.done, 0), last
	}
	return verdict
}

func (j *Judge) needsYou() bool {
	return slices.ContainsFunc(j.goal.Steps, func(s Step) bool { return s.Where.By == "you" })
}

// steps is how many are done.
func steps(w way) int {
	n := 0
	for _, seq := range w.done {
		if seq != 0 {
			n++
		}
	}
	return n
}

// same says whether the same steps are done with the same names: it does not matter by
// which events.
func (w way) same(other way) bool {
	return maps.Equal(w.names, other.names) &&
		slices.EqualFunc(w.done, other.done, func(a, b int64) bool { return (a == 0) == (b == 0) })
}

func clientOf(e event.Event) string { return fmt.Sprintf("%s %d", e.Lane, e.Client) }
