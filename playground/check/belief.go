package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "belief", Title: "Belief", order: 2,
	Sentence: "No two clients that exclude each other believe at the same time that they hold the lock; judged by what the clients report.",
	Violated: "Two clients believe that they hold the lock",
	start:    func() fold { return newBelief() },
})

// belief judges what the clients believed: two that exclude each other must
// not both believe that they hold. A client believes from lock.acquired until
// it releases, learns that it lost the lock, closes its session or is gone.
type belief struct {
	holders map[int]entry
	count   int64
	broken  string
}

func newBelief() *belief { return &belief{holders: make(map[int]entry)} }

func (b *belief) apply(e *event.Event) {
	switch e.Kind {
	case event.LockAcquired:
		s, _ := entryOf(e)
		b.acquire(s)
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
	for _, client := range slices.Sorted(maps.Keys(b.holders)) { // sorted, so that a replay says the same
		other := b.holders[client]
		if b.broken == "" && other.client != s.client && (!other.read || !s.read) {
			b.broken = fmt.Sprintf("client %d (since event %d) and client %d (event %d) both believed that they held at %.3f s",
				other.client, other.seq, s.client, s.seq, float64(s.at)/1e6)
		}
	}
	b.holders[s.client] = s
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
