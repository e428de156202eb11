package check

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A made entry is the lock of a lane whose store is not ZooKeeper, as the store has it:
// there is one at most.
type madeEntry struct {
	client  int
	seq, at int64
	expires bool // by itself
}

// entryExclusion judges mutual exclusion where the lock is one entry of a store: nobody
// acquires while another client's is there. As in exclusion, an acquisition is held
// against an entry only when the store is known to have had it before and after, or
// when one client has written over another's.
type entryExclusion struct {
	lane    string
	now     *madeEntry // nil when there is none
	pending []entry    // acquisitions that the store has not confirmed yet
	count   int64
	broken  string
}

func newEntryExclusion(l event.Lane) fold { return &entryExclusion{lane: l.Name} }

func (x *entryExclusion) apply(e *event.Event) {
	switch e.Kind {
	case event.TreeCreated:
		x.now = &madeEntry{client: e.Client, seq: e.Seq, at: e.At}
	case event.TreeDeleted:
		x.now = nil
	case event.TreeChanged:
		if x.now != nil && x.now.client != e.Client && x.broken == "" {
			x.broken = fmt.Sprintf("client %d wrote at event %d over the lock that client %d had made at event %d",
				e.Client, e.Seq, x.now.client, x.now.seq)
		}
	case event.LockAcquired:
		x.pending = append(x.pending, entry{client: e.Client, seq: e.Seq, at: e.At})
	case event.TreeSynced:
		if e.Lane == x.lane { // that of ZooKeeper says nothing of another store
			x.settle(e)
		}
	}
}

// settle compares what the store had at e.Sent with the acquisitions before.
func (x *entryExclusion) settle(e *event.Event) {
	for len(x.pending) > 0 && x.pending[0].at < e.Sent {
		s := x.pending[0]
		x.pending = x.pending[1:]
		x.count++
		if x.now != nil && x.now.client != s.client && x.now.at < s.at && x.broken == "" {
			x.broken = fmt.Sprintf("client %d acquired at event %d, but the store has had the lock for client %d from event %d to event %d",
				s.client, s.seq, x.now.client, x.now.seq, e.Seq)
		}
	}
}

func (x *entryExclusion) verdict() event.Verdict { return judged(x.broken != "", x.count > 0) }

func (x *entryExclusion) why() string {
	switch x.verdict() {
	case event.Violated:
		return x.broken
	case event.Holds:
		return times(x.count, "acquisition") + ", none of them while the store had the lock for another client"
	default:
		return "no acquisition has been compared with the store yet"
	}
}

// entryProgress judges that the lock of a store moves on: it is broken when a client
// that can act has waited for 3 s in which nobody alive held, and in which the store
// neither gave the lock up nor would do so by itself.
type entryProgress struct {
	processes map[int]*process
	now       *madeEntry
	away      bool  // nobody sees what the store does
	since     int64 // when the lock moved last
	count     int64
	over      bool
	stood     int64 // so many acquisitions there were when it was last found to stand still
	violations
}

func newEntryProgress() fold { return &entryProgress{processes: make(map[int]*process)} }

func (p *entryProgress) apply(e *event.Event) {
	if p.over {
		return
	}
	if e.Client > 0 {
		p.ofClient(e)
	}
	switch e.Kind {
	case event.TreeCreated:
		p.now, p.since = &madeEntry{client: e.Client, seq: e.Seq, at: e.At, expires: e.Timeout > 0}, e.At
	case event.TreeDeleted:
		p.now, p.since = nil, e.At
	case event.TreeLost:
		p.away = p.away || e.Lane != ""
	case event.TreeSynced:
		if e.Lane != "" {
			p.away = false
			p.look(e)
		}
	case event.NoteStopping:
		p.over = true
	}
}

func (p *entryProgress) ofClient(e *event.Event) {
	known, ok := p.processes[e.Client]
	if !ok {
		known = newProcess()
		p.processes[e.Client] = known
	}
	known.apply(e)
	switch e.Kind {
	case event.LockAcquired:
		p.count++
		p.since = e.At
	case event.LockReleased, event.LockLost, event.FaultInjected, event.FaultHealed:
		p.since = e.At
	}
}

func (p *entryProgress) look(e *event.Event) {
	waiter := 0
	for _, number := range slices.Sorted(maps.Keys(p.processes)) { // sorted, so that a replay says the same
		c := p.processes[number]
		if c.believes && !c.gone {
			p.since = e.At
		}
		if waiter == 0 && c.waiting && c.connected && !c.gone && len(c.faults) == 0 {
			waiter = number
		}
	}
	if waiter == 0 || p.away || p.now != nil && p.now.expires {
		p.since = e.At
	}
	if stood := e.At - p.since; stood >= stuckAfter && (p.broken == "" || p.stood != p.count) {
		p.stood = p.count
		p.violate(p.describe(waiter, e.Seq))
	}
}

func (p *entryProgress) describe(waiter int, seq int64) string {
	if p.now == nil {
		return fmt.Sprintf("nobody has the lock, but client %d has not taken it for 3 s at event %d", waiter, seq)
	}
	return fmt.Sprintf("client %d waits, and at event %d nobody alive has held for 3 s: the store keeps the lock that client %d made at event %d",
		waiter, seq, p.now.client, p.now.seq)
}

func (p *entryProgress) verdict() event.Verdict { return judged(p.broken != "", p.count > 0) }

func (p *entryProgress) why() string {
	switch p.verdict() {
	case event.Violated:
		return p.broken
	case event.Holds:
		return times(p.count, "acquisition") + ", and nobody who could hold stood still"
	default:
		return "nobody has acquired yet"
	}
}
