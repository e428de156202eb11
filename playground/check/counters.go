package check

import (
	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/zkplayground/zkplayground/playground/event"
)

// counters are the numbers of one lane.
type counters struct {
	lane     Lane
	most     int // so many may hold at once
	total    int // of the clients: who has a higher number is a guest
	clients  map[int]*attempt
	holders  int
	released int64 // At of the release after which somebody else could hold; 0 for none
	handoffs *hdrhistogram.Histogram
	rounds   rounds
	beliefs  *falseBelief
	guests   map[string]bool // the guests' znodes in the queue
}

// An attempt is where one client is on its way to the lock.
type attempt struct {
	waiting bool
	holds   bool
	path    string // of the znode that it holds by
}

// The longest hand-over that is told apart, one hour in microseconds.
const longestHandoff = 3600 * 1e6

func newCounters(l event.Lane) counters {
	return counters{most: l.MostHolders(), total: l.Clients, clients: make(map[int]*attempt), handoffs: hdrhistogram.New(1, longestHandoff, 3), rounds: newRounds(l.Clients), guests: make(map[string]bool), beliefs: newFalseBelief()}
}

// sessionOps are requests that keep a session rather than work for the lock.
var sessionOps = map[string]bool{"ping": true, "connect": true, "closeSession": true, "setWatches": true, "auth": true}

func (c *counters) apply(e *event.Event) {
	c.beliefs.apply(e)
	c.rounds.apply(e)
	c.applyGuest(e)
	switch e.Kind {
	case event.WireSent:
		if !sessionOps[e.Op] {
			c.lane.Requests++
		}
	case event.WireReceived:
		if e.Op == "notification" {
			c.lane.Notifications++
		}
	default:
		if endsBelief(e) {
			c.left(c.of(e.Client))
		}
		c.applyLock(e)
	}
}

// applyGuest follows whether guests stand in the queue. A release may then let one of
// them hold, which does not tell: the time to the next acquisition is no hand-over.
func (c *counters) applyGuest(e *event.Event) {
	switch {
	case e.Kind == event.TreeCreated && e.Client > c.total:
		if numbered(e.Path) {
			c.guests[e.Path] = true
			c.released = 0
		}
	case e.Kind == event.TreeDeleted:
		delete(c.guests, e.Path)
	}
}

func (c *counters) applyLock(e *event.Event) {
	client := c.of(e.Client)
	switch e.Kind {
	case event.LockWaiting:
		client.waiting = true
	case event.LockAcquired:
		c.acquired(client, e)
	case event.LockReleased:
		c.lane.Releases++
		c.left(client)
		if c.holders < c.most && len(c.guests) == 0 {
			c.released = e.At
		}
	case event.LockLost:
		if client.path == e.Path || e.Path == "" { // else it is told late, of a former znode
			c.left(client)
		}
	case event.LockGaveUp:
		c.left(client)
	}
}

func (c *counters) of(client int) *attempt {
	p, ok := c.clients[client]
	if !ok {
		p = &attempt{}
		c.clients[client] = p
	}
	return p
}

func (c *counters) acquired(client *attempt, e *event.Event) {
	c.lane.Acquisitions++
	if client.waiting && c.released > 0 {
		_ = c.handoffs.RecordValue(min(max(e.At-c.released, 1), longestHandoff)) // clamped to its range
	}
	c.released = 0
	*client = attempt{holds: true, path: e.Path}
	c.holders++
}

// left notes that the client neither waits nor holds any more.
func (c *counters) left(client *attempt) {
	if client.holds {
		c.holders--
	}
	*client = attempt{}
}

func (c *counters) summary() Lane {
	lane := c.lane
	lane.Wakeups, lane.WastedWakeups = c.rounds.wakeups, c.rounds.wasted
	lane.WakeupsByJoining, lane.WakeupsUnexplained = c.rounds.joining, c.rounds.wakeups-c.rounds.explained
	lane.Rounds = c.rounds.sums
	lane.FalseBeliefMicros = c.beliefs.micros()
	if c.handoffs.TotalCount() > 0 {
		lane.HandoffMicros = Quantiles{P50: percentile(c.handoffs, 50), P99: percentile(c.handoffs, 99)}
	}
	return lane
}

// percentile is the smallest value that at least p percent of the values do not
// exceed. The histogram by itself rounds the rank: of 176 values it would take
// the 174th for the 99th percentile, though more than 1 percent are above that.
func percentile(values *hdrhistogram.Histogram, p int64) int64 {
	total := values.TotalCount()
	rank := (total*p + 99) / 100
	return values.ValueAtPercentile(100 * float64(rank) / float64(total))
}
