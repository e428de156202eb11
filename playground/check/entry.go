package check

import (
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
	broken  *event.Reason
}

func newEntryExclusion(l event.Lane) fold { return &entryExclusion{lane: l.Name} }

func (x *entryExclusion) apply(e *event.Event) {
	switch e.Kind {
	case event.TreeCreated:
		x.now = &madeEntry{client: e.Client, seq: e.Seq, at: e.At}
	case event.TreeDeleted:
		x.now = nil
	case event.TreeChanged:
		if x.now != nil && x.now.client != e.Client && x.broken == nil {
			x.broken = wroteOverLock.With(e.Client, e.Seq, x.now.client, x.now.seq)
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
		if x.now != nil && x.now.client != s.client && x.now.at < s.at && x.broken == nil {
			x.broken = lockWasAnothers.With(s.client, s.seq, x.now.client, x.now.seq, e.Seq)
		}
	}
}

func (x *entryExclusion) verdict() event.Verdict { return judged(x.broken != nil, x.count > 0) }

func (x *entryExclusion) why() *event.Reason {
	switch x.verdict() {
	case event.Violated:
		return x.broken
	case event.Holds:
		return lockWasOwn.With(x.count)
	default:
		return noneComparedInStore.With()
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
	if stood := e.At - p.since; stood >= stuckAfter && (p.broken == nil || p.stood != p.count) {
		p.stood = p.count
		p.violate(p.describe(waiter, e.Seq))
	}
}

var (
	wroteOverLock       = event.NewCode("wrote-over-lock", "{client} wrote[ at event {event}] over the lock that {client other} had made[ at event {then}]")
	lockWasAnothers     = event.NewCode("lock-was-anothers", "{client} acquired[ at event {event}], but the store has had the lock for {client other}[ from event {from} to event {to}]")
	lockWasOwn          = event.NewCode("lock-was-own", "{count} acquisition, none of them while the store had the lock for another client|{count} acquisitions, none of them while the store had the lock for another client")
	noneComparedInStore = event.NewCode("none-compared-in-store", "no acquisition has been compared with the store yet")
	freeLockNotTaken    = event.NewCode("free-lock-not-taken", "nobody has the lock, but {client} has not taken it for 3 s[ at event {event}]")
	storeKeepsLock      = event.NewCode("store-keeps-lock", "{client} waits, and[ at event {event}] nobody alive has held for 3 s: the store keeps the lock that {client other} made[ at event {then}]")
)

func (p *entryProgress) describe(waiter int, seq int64) *event.Reason {
	if p.now == nil {
		return freeLockNotTaken.With(waiter, seq)
	}
	return storeKeepsLock.With(waiter, seq, p.now.client, p.now.seq)
}

func (p *entryProgress) verdict() event.Verdict { return judged(p.broken != nil, p.count > 0) }

func (p *entryProgress) why() *event.Reason {
	switch p.verdict() {
	case event.Violated:
		return p.broken
	case event.Holds:
		return nobodyStood.With(p.count)
	default:
		return nobodyAcquired.With()
	}
}
