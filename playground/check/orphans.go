package check

import (
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "orphans", Title: "No orphans", order: 4, elsewhere: true,
	Sentence: "No client leaves a znode behind in the queue, and no guest one of which it was never told; judged by the znodes on the server once the clients have stopped, and by the guests' messages.",
	Violated: "A znode was left behind",
	judges:   func(l event.Lane) bool { return l.Store == "" }, // no other store has a queue
	start:    func(l event.Lane) fold { return newOrphans(l) },
})

// orphans judges what is left behind: once every client has stopped, the only
// contender znodes may be those of crashed processes, whose sessions have yet to
// expire; when the run has finished there may be none at all. Guests are sent away when it
// stops, so theirs are looked at before that.
type orphans struct {
	lane    event.Lane // who has a number above its clients is a guest
	nodes   map[string]event.Event
	granted map[int][]string // the sessions of each client's process
	gone    map[owner]bool   // those of processes that crashed
	drained int64            // when the clients had stopped, on the log's clock; 0 before
	done    bool
	queued  bool   // somebody has made a znode in the queue
	unclean string // what the run was told when it could not clean up; empty if it could
	broken  *event.Reason

	unanswered *unanswered
}

// An owner is a session of a client.
type owner struct {
	client  int
	session string
}

func newOrphans(l event.Lane) *orphans {
	return &orphans{lane: l, unanswered: newUnanswered(l), nodes: make(map[string]event.Event), granted: make(map[int][]string), gone: make(map[owner]bool)}
}

func (o *orphans) apply(e *event.Event) {
	if e.Kind.Follows() {
		return
	}
	o.unanswered.apply(e)
	if e.Kind == event.TreeSynced && o.broken == nil {
		o.broken = o.unanswered.find(e.At, e.Seq)
	}
	if !o.lane.Concerns(e) {
		return
	}
	switch e.Kind {
	case event.TreeCreated:
		if _, ok := placeOf(e.Path); ok && e.Client > 0 { // an outsider's is not ours to delete
			o.nodes[e.Path], o.queued = *e, true
		}
	case event.TreeDeleted:
		delete(o.nodes, e.Path)
	case event.SessionGranted:
		o.granted[e.Client] = append(o.granted[e.Client], e.Session)
	case event.FaultInjected:
		o.injected(e)
	case event.NoteDrained:
		o.drained = e.At
	case event.TreeSynced:
		// A sync that was under way when they stopped tells of a moment before.
		if o.drained > 0 && e.Sent > o.drained && !o.done {
			o.count(e, func(node event.Event) bool { return !o.gone[owner{node.Client, node.Session}] })
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

// injected notes that a crash leaves the sessions of its process behind.
func (o *orphans) injected(e *event.Event) {
	if !e.Injects(event.LeavesSession) {
		return
	}
	for _, session := range append(o.granted[e.Client], "") { // "": where the log does not say whose it is
		o.gone[owner{e.Client, session}] = true
	}
	delete(o.granted, e.Client)
}

// count looks for znodes that should not be there any more.
func (o *orphans) count(e *event.Event, wrong func(event.Event) bool) {
	if o.broken != nil {
		return
	}
	for _, path := range slices.Sorted(maps.Keys(o.nodes)) { // sorted, so that a replay says the same
		if node := o.nodes[path]; o.broken == nil && wrong(node) {
			o.broken = leftBehind.With(path, participant(node.Client, o.lane.Clients), node.Seq, e.Seq)
		}
	}
}

func (o *orphans) verdict() event.Verdict {
	return judged(o.broken != nil, o.done && (o.queued || o.lane.Clients > 0))
}

var (
	leftBehind   = event.NewCode("left-behind", "{znode}, created by {reason owner}[ at event {event}], was still there[ at event {then}]")
	aClient      = event.NewCode("a-client", "{client}")
	aGuest       = event.NewCode("a-guest", "guest {number}")
	noneLeft     = event.NewCode("none-left", "no znode was left in the queue when the run had finished")
	notCleanedUp = event.NewCode("not-cleaned-up", "the run could not clean up: {error}")
	nobodyQueued = event.NewCode("nobody-queued", "nobody has queued")
	decidedLater = event.NewCode("decided-later", "decided when the run has finished")
)

// participant names a client, or a guest by a number above those of the clients.
func participant(number, clients int) *event.Reason {
	if number > clients {
		return aGuest.With(number)
	}
	return aClient.With(number)
}

func (o *orphans) why() *event.Reason {
	switch o.verdict() {
	case event.Violated:
		return o.broken
	case event.Holds:
		return noneLeft.With()
	default:
		if o.unclean != "" {
			return notCleanedUp.With(strings.ReplaceAll(o.unclean, "\n", "; "))
		}
		if o.done {
			return nobodyQueued.With()
		}
		return decidedLater.With()
	}
}
