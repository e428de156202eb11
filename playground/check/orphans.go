package check

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "orphans", Title: "No orphans", order: 4,
	Sentence: "No client leaves a znode behind in the lock directory; judged by the znodes on the server once the clients have stopped.",
	Violated: "A znode was left behind",
	start:    func() fold { return newOrphans() },
})

// orphans judges what is left behind: once every client has stopped, the only
// contender znodes may be those of crashed clients, whose sessions have yet to
// expire; when the run has finished there may be none at all.
type orphans struct {
	nodes   map[string]event.Event
	gone    map[int]bool // clients that crashed
	drained int64        // when the clients had stopped, on the log's clock; 0 before
	done    bool
	unclean string // what the run was told when it could not clean up; empty if it could
	broken  string
}

func newOrphans() *orphans {
	return &orphans{nodes: make(map[string]event.Event), gone: make(map[int]bool)}
}

func (o *orphans) apply(e *event.Event) {
	switch e.Kind {
	case event.TreeCreated:
		if _, ok := placeOf(e.Path); ok && e.Client > 0 { // an outsider's is not ours to delete
			o.nodes[e.Path] = *e
		}
	case event.TreeDeleted:
		delete(o.nodes, e.Path)
	case event.FaultInjected:
		o.gone[e.Client] = o.gone[e.Client] || e.Fault == "crash"
	case event.NoteDrained:
		o.drained = e.At
	case event.TreeSynced:
		// A sync that was under way when they stopped tells of a moment before.
		if o.drained > 0 && e.Sent > o.drained && !o.done {
			o.count(e, func(node event.Event) bool { return !o.gone[node.Client] })
		}
	case event.NoteFinished:
		if e.Err != "" {
			o.unclean = e.Err
			return
		}
		o.count(e, func(event.Event) bool { return true })
		o.done = true
	}
}

// count looks for znodes that should not be there any more.
func (o *orphans) count(e *event.Event, wrong func(event.Event) bool) {
	if o.broken != "" {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(o.nodes)) { // sorted, so that a replay says the same
		if node := o.nodes[path]; o.broken == "" && wrong(node) {
			o.broken = fmt.Sprintf("%s, created by client %d at event %d, was still there at event %d",
				path, node.Client, node.Seq, e.Seq)
		}
	}
}

func (o *orphans) verdict() event.Verdict {
	return judged(o.broken != "", o.done)
}

func (o *orphans) why() string {
	switch o.verdict() {
	case event.Violated:
		return o.broken
	case event.Holds:
		return "no znode was left when the run had finished"
	default:
		if o.unclean != "" {
			return "the run could not clean up: " + strings.ReplaceAll(o.unclean, "\n", "; ")
		}
		return "decided when the run has finished"
	}
}
