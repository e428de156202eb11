package check

import (
	"cmp"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

var _ = register(Check{
	Name: "belief", Title: "Belief", order: 2, beliefs: true,
	Sentence: "No two clients that exclude each other believe at the same time that they hold the lock, or no more than there are permits; judged by what the clients report.",
	Violated: "Two clients believe that they hold the lock",
	start:    eachOf(func(l event.Lane) fold { return newBelief(l) }),
})

// belief judges what the clients believed: two that exclude each other must
// not both believe that they hold. A client believes from lock.acquired until
// it releases, learns that it lost the lock, closes its session or is gone.
type belief struct {
	most    int // so many may believe that exclude each other
	holders map[int]entry
	robbed  map[int]*event.Reason // the clients whose znode somebody else has deleted, and who
	count   int64
	joined  map[int]int64 // by client: the newest of its acquisitions that another one joined
	violations
}

func newBelief(l event.Lane) *belief {
	return &belief{most: l.MostHolders(), holders: make(map[int]entry), robbed: make(map[int]*event.Reason), joined: make(map[int]int64)}
}

func (b *belief) apply(e *event.Event) {
	switch e.Kind {
	case event.LockAcquired:
		s, _ := entryOf(e)
		b.acquire(s)
	case event.TreeDeleted:
		if why := e.Because(); why != nil {
			b.robbed[e.Client] = asSeen.With(why, e.Seq)
		}
	case event.LockReleased, event.LockLost, event.ProgramSilent:
		// A loss may be told late, when the client holds again by another znode.
		if s, ok := entryOf(e); !ok || s.number == b.holders[e.Client].number {
			delete(b.holders, e.Client)
		}
	default:
		if state.EndsBelief(e) {
			delete(b.holders, e.Client)
		}
	}
}

func (b *belief) acquire(s entry) {
	b.count++
	var others []*event.Reason
	var joined []entry
	var because *event.Reason
	news := false // a belief that has been joined is told once, whoever comes while it lasts
	delete(b.robbed, s.client)
	for _, client := range slices.Sorted(maps.Keys(b.holders)) { // sorted, so that a replay says the same
		if other := b.holders[client]; other.client != s.client && (!other.read || !s.read) {
			others = append(others, believesSince.With(other.client, other.seq))
			because = cmp.Or(because, b.robbed[other.client])
			news = news || b.joined[other.client] != other.seq
			joined = append(joined, other)
		}
	}
	if len(others) >= b.most && news {
		for _, other := range joined {
			b.joined[other.client] = other.seq
		}
		why := b.told(others[:b.most], s)
		if because != nil {
			why = event.Several(why, because)
		}
		b.violate(why)
	}
	b.holders[s.client] = s
}

var (
	asSeen         = event.NewCode("at-event", "{reason}[, see event {event}]")
	believesSince  = event.NewCode("believes-since", "{client}[ (since event {event})]")
	bothBelieved   = event.NewCode("both-believed", "{list others} and {client}[ (event {event})] both believed that they held at {instant}")
	allBelieved    = event.NewCode("all-believed", "{list others} and {client}[ (event {event})] all, with {permits} permits, believed that they held at {instant}")
	neverTwo       = event.NewCode("never-two-believers", "{count} acquisition, never two believers that exclude each other|{count} acquisitions, never two believers that exclude each other")
	nobodyAcquired = event.NewCode("nobody-acquired", "nobody has acquired yet")
)

// told is that one more believes than there may be.
func (b *belief) told(others []*event.Reason, s entry) *event.Reason {
	if b.most == 1 {
		return bothBelieved.With(others, s.client, s.seq, s.at)
	}
	return allBelieved.With(others, s.client, s.seq, b.most, s.at)
}

func (b *belief) verdict() event.Verdict {
	return judged(b.broken != nil, b.count > 0)
}

func (b *belief) why() *event.Reason {
	switch b.verdict() {
	case event.Violated:
		return b.broken
	case event.Holds:
		return neverTwo.With(b.count)
	default:
		return nobodyAcquired.With()
	}
}
