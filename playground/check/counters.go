package check

import (
	"strings"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// counters are the numbers of one lane.
type counters struct {
	state.Directories
	lane     Lane
	handoffs *hdrhistogram.Histogram
	locks    []*lockCounters // one a directory
}

// lockCounters are what is counted in one lock directory.
type lockCounters struct {
	acquisitions int64
	releases     int64
	most         int // so many may hold at once
	total        int // of the clients: who has a higher number is a guest
	clients      map[int]*attempt
	holders      int
	released     int64                   // At of the release after which somebody else could hold; 0 for none
	handoffs     *hdrhistogram.Histogram // the lane's
	cost         event.Cost
	beliefs      *falseBelief
	guests       map[string]bool // the guests' znodes in the queue
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
	c := counters{Directories: l.Directories(), handoffs: hdrhistogram.New(1, longestHandoff, 3)}
	for range c.Directories {
		c.locks = append(c.locks, &lockCounters{most: l.MostHolders(), total: l.Clients, clients: make(map[int]*attempt), handoffs: c.handoffs,
			guests: make(map[string]bool), beliefs: newFalseBelief()})
	}
	return c
}

// sessionOps are requests that keep a session rather than work for the lock.
var sessionOps = map[string]bool{"ping": true, "connect": true, "closeSession": true, "setWatches": true, "auth": true,
	"HELLO": true, "PING": true}

func (c *counters) apply(e *event.Event) {
	switch {
	case e.Kind == event.WireSent && !sessionOps[e.Op]:
		c.lane.Requests++
	case e.Kind == event.WireReceived && e.Op == "notification":
		c.lane.Notifications++
	case e.Kind == event.ResourceRead || e.Kind == event.ResourceAccepted:
		c.lane.Balance = e.Balance
	}
	if i := c.Of(e); i >= 0 {
		c.locks[i].apply(e)
		return
	}
	for _, l := range c.locks {
		l.apply(e)
	}
}

func (c *lockCounters) apply(e *event.Event) {
	c.beliefs.apply(e)
	c.applyGuest(e)
	if strings.HasPrefix(string(e.Kind), "wire.") {
		return
	}
	if state.EndsBelief(e) {
		c.left(c.of(e.Client))
	}
	c.applyLock(e)
}

// applyGuest follows whether guests stand in the queue. A release may then let one of
// them hold, which does not tell: the time to the next acquisition is no hand-over.
func (c *lockCounters) applyGuest(e *event.Event) {
	switch {
	case e.Kind == event.TreeCreated && e.Client > c.total:
		if state.Numbered(e.Path) {
			c.guests[e.Path] = true
			c.released = 0
		}
	case e.Kind == event.TreeDeleted:
		delete(c.guests, e.Path)
	}
}

func (c *lockCounters) applyLock(e *event.Event) {
	client := c.of(e.Client)
	switch e.Kind {
	case event.LockWaiting:
		client.waiting = true
	case event.LockAcquired:
		c.acquired(client, e)
	case event.LockReleased:
		c.releases++
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

func (c *lockCounters) of(client int) *attempt {
	p, ok := c.clients[client]
	if !ok {
		p = &attempt{}
		c.clients[client] = p
	}
	return p
}

func (c *lockCounters) acquired(client *attempt, e *event.Event) {
	c.acquisitions++
	if client.waiting && c.released > 0 {
		_ = c.handoffs.RecordValue(min(max(e.At-c.released, 1), longestHandoff)) // clamped to its range
	}
	c.released = 0
	*client = attempt{holds: true, path: e.Path}
	c.holders++
}

// left notes that the client neither waits nor holds any more.
func (c *lockCounters) left(client *attempt) {
	if client.holds {
		c.holders--
	}
	*client = attempt{}
}

func (c *counters) summary() Lane {
	lane := c.lane
	for _, l := range c.locks {
		l.addTo(&lane)
	}
	if c.handoffs.TotalCount() > 0 {
		lane.HandoffMicros = Quantiles{P50: percentile(c.handoffs, 50), P99: percentile(c.handoffs, 99)}
	}
	return lane
}

func (c *lockCounters) addTo(lane *Lane) {
	lane.Acquisitions += c.acquisitions
	lane.Releases += c.releases
	lane.Wakeups += c.cost.Wakeups
	lane.WastedWakeups += c.cost.Wasted
	lane.WakeupsByJoining += c.cost.Joining
	lane.WakeupsUnexplained += c.cost.Unexplained
	lane.Rounds.Complete += c.cost.Rounds
	lane.Rounds.Wakeups += c.cost.RoundWakeups
	lane.Rounds.WastedWakeups += c.cost.RoundWasted
	lane.FalseBeliefMicros += c.beliefs.micros()
}

// percentile is the smallest value that at least p percent of the values do not
// exceed. The histogram by itself rounds the rank: of 176 values it would take
// the 174th for the 99th percentile, though more than 1 percent are above that.
func percentile(values *hdrhistogram.Histogram, p int64) int64 {
	total := values.TotalCount()
	rank := (total*p + 99) / 100
	return values.ValueAtPercentile(100 * float64(rank) / float64(total))
}
