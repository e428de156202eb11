package check

import (
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

var _ = register(Check{
	Name: "fifo", Title: "First come, first served", order: 3, beliefs: true,
	Sentence: "Clients that exclude each other acquire the lock in the order of their znodes' sequence numbers, and nobody who waits is overtaken three times where there is no queue, or where a process hands its znode on among its threads; judged by the znode of each acquisition, or else by what the clients report.",
	Violated: "A client has overtaken another one that waited",
	// Who has a permit may be late to notice it. That nobody gets one before its turn is
	// what mutual exclusion says of permits.
	// Who polls a store is promised no order at all.
	judges: func(l event.Lane) bool { return l.MostHolders() == 1 && l.Store == "" },
	start:  eachOf(func(l event.Lane) fold { return newFifo(l) }),
})

// fifo judges the order: a client that acquires must not come after one that
// it excludes and that stands behind it in the queue. A process that acquires again and
// again by the same znode comes before all who stand behind that, in the order and yet
// unfairly.
type fifo struct {
	clients  int // who has a higher number is a guest, and need not tell when it has waited
	acquired highWaterMark
	waits    map[int]waiter   // by client
	queued   map[thread]int64 // since when threads stand in the queues of their processes
	held     map[int]string   // by client: the znode that it acquired by last
	count    int64
	violations
}

// A thread is one of a client's process.
type thread struct{ client, number int }

// A waiter is since when a client waits, and how often it has been overtaken.
type waiter struct {
	since     int64
	overtaken int
}

// mostOvertaken is how often a client is overtaken that has no fair chance.
const mostOvertaken = 3

func newFifo(l event.Lane) *fifo {
	return &fifo{clients: l.Clients, acquired: newHighWaterMark(), waits: make(map[int]waiter), queued: make(map[thread]int64), held: make(map[int]string)}
}

func (f *fifo) apply(e *event.Event) {
	switch e.Kind {
	case event.LockWaiting:
		if _, waits := f.waits[e.Client]; !waits && e.Client <= f.clients {
			f.waits[e.Client] = waiter{since: e.Seq}
		}
	case event.LockLocalQueued:
		f.queued[thread{e.Client, e.Thread}] = e.Seq
	case event.LockAcquired:
		f.acquire(e)
	case event.LockGaveUp, event.SessionLost:
		delete(f.waits, e.Client)
	default:
		if state.EndsBelief(e) {
			delete(f.waits, e.Client)
		}
	}
}

func (f *fifo) acquire(e *event.Event) {
	s, ok := entryOf(e)
	if !ok {
		f.overtake(e)
		return
	}
	if f.held[e.Client] == e.Path {
		f.overtake(e)
	}
	f.held[e.Client] = e.Path
	delete(f.waits, e.Client)
	f.count++
	if past, bad := f.acquired.passed(s.place); bad {
		f.violate(outOfOrder.With(s.client, s.number, s.seq, past.client, past.number, past.seq))
	}
	f.acquired.advance(s)
}

// overtake is for an acquisition without a place of its own in a queue: without one at
// all, or by the znode of another thread.
func (f *fifo) overtake(e *event.Event) {
	since := e.Seq
	if own, waited := f.waits[e.Client]; waited {
		since = own.since
	}
	if queued, ok := f.queued[thread{e.Client, e.Thread}]; ok {
		since = queued
	}
	delete(f.waits, e.Client)
	for _, client := range slices.Sorted(maps.Keys(f.waits)) { // sorted, so that a replay says the same
		other := f.waits[client]
		if other.since > since {
			continue
		}
		other.overtaken++
		f.waits[client] = other
		if other.overtaken == mostOvertaken {
			f.violate(overtaken.With(client, other.since, mostOvertaken, e.Client, e.Seq))
		}
	}
}

func (f *fifo) verdict() event.Verdict {
	return judged(f.broken != nil, f.count > 1)
}

var (
	outOfOrder = event.NewCode("out-of-order", "{client} with number {number} acquired[ at event {event}], after {client other} with number {behind}[ at event {then}]")
	overtaken  = event.NewCode("overtaken", "{client} waited[ (since event {event})] and was overtaken {times} times, the last time by {client other}[ at event {then}]")
	inOrder    = event.NewCode("in-order", "{count} acquisition in the order of their znodes|{count} acquisitions in the order of their znodes")
	noOrderYet = event.NewCode("no-order-yet", "an order needs two acquisitions")
)

func (f *fifo) why() *event.Reason {
	switch f.verdict() {
	case event.Violated:
		return f.broken
	case event.Holds:
		return inOrder.With(f.count)
	default:
		return noOrderYet.With()
	}
}
