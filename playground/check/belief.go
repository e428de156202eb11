package check

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "belief", Title: "Belief", order: 2,
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
	robbed  map[int]string // the clients whose znode somebody else has deleted, and who
	count   int64
	joined  map[int]int64 // by client: the newest of its acquisitions that another one joined
	violations
}

func newBelief(l event.Lane) *belief {
	return &belief{most: l.MostHolders(), holders: make(map[int]entry), robbed: make(map[int]string), joined: make(map[int]int64)}
}

func (b *belief) apply(e *event.Event) {
	switch e.Kind {
	case event.LockAcquired:
		s, _ := entryOf(e)
		b.acquire(s)
	case event.TreeDeleted:
		if e.Why != "" {
			b.robbed[e.Client] = fmt.Sprintf("; %s, see event %d", e.Why, e.Seq)
		}
	case event.LockReleased, event.LockLost:
		// A loss may be told late, when the client holds again by another znode.
		if s, ok := entryOf(e); !ok || s.number == b.holders[e.Client].number {
			delete(b.holders, e.Client)
		}
	default:
		if endsBelief(e) {
			delete(b.holders, e.Client)
		}
	}
}

func (b *belief) acquire(s entry) {
	b.count++
	var others []string
	var joined []entry
	because := ""
	news := false // a belief that has been joined is told once, whoever comes while it lasts
	delete(b.robbed, s.client)
	for _, client := range slices.Sorted(maps.Keys(b.holders)) { // sorted, so that a replay says the same
		if other := b.holders[client]; other.client != s.client && (!other.read || !s.read) {
			others = append(others, fmt.Sprintf("client %d (since event %d)", other.client, other.seq))
			because = cmp.Or(because, b.robbed[other.client])
			news = news || b.joined[other.client] != other.seq
			joined = append(joined, other)
		}
	}
	if len(others) >= b.most && news {
		for _, other := range joined {
			b.joined[other.client] = other.seq
		}
		b.violate(fmt.Sprintf("%s and client %d (event %d) %s believed that they held at %.3f s%s",
			strings.Join(others[:b.most], ", "), s.client, s.seq, b.all(), float64(s.at)/1e6, because))
	}
	b.holders[s.client] = s
}

// all is how one says that one more than there may be.
func (b *belief) all() string {
	if b.most == 1 {
		return "both"
	}
	return fmt.Sprintf("all, with %d permits,", b.most)
}

func (b *belief) verdict() event.Verdict {
	return judged(b.broken != "", b.count > 0)
}

func (b *belief) why() string {
	switch b.verdict() {
	case event.Violated:
		return b.broken
	case event.Holds:
		return times(b.count, "acquisition") + ", never two believers that exclude each other"
	default:
		return "nobody has acquired yet"
	}
}

// endsBelief says that with e the client believes nothing any more: its process is
// gone, or it has made up its mind to close its session.
func endsBelief(e *event.Event) bool {
	switch e.Kind {
	case event.SessionClosed:
		return true
	case event.FaultInjected:
		return e.Fault == "crash" || e.Fault == "close"
	default:
		return false
	}
}

// startsAgain says that with e the client has a new process, which knows nothing of
// the one before.
func startsAgain(e *event.Event) bool {
	return e.Kind == event.FaultInjected && e.Fault == "start-again"
}
