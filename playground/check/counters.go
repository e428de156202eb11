package check

import (
	"slices"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

// counters are the numbers of one lane.
type counters struct {
	directories state.Directories
	lane        Lane
	handoffs    *hdrhistogram.Histogram
	costs       []event.Cost     // one a directory
	wrong       map[string]int64 // false beliefs that go on, by the znode: since when
	now         int64
}

// The longest hand-over that is told apart, one hour in microseconds.
const longestHandoff = 3600 * 1e6

func newCounters(l event.Lane) counters {
	directories := l.Directories()
	return counters{directories: directories, handoffs: hdrhistogram.New(1, longestHandoff, 3),
		costs: make([]event.Cost, len(directories)), wrong: make(map[string]int64)}
}

func (c *counters) apply(e *event.Event) {
	c.now = e.At
	switch e.Kind {
	case event.WireSent:
		if state.IsWork(e.Op) {
			c.lane.Requests++
		}
	case event.WireReceived:
		if e.Op == "notification" {
			c.lane.Notifications++
		}
	case event.ResourceRead, event.ResourceAccepted:
		c.lane.Balance = e.Balance
	case event.LockAcquired:
		c.lane.Acquisitions++
	case event.LockReleased:
		c.lane.Releases++
	case event.QueueChanged:
		if e.Queue.HandedOver > 0 {
			_ = c.handoffs.RecordValue(min(e.Queue.HandedOver, longestHandoff)) // clamped to its range
		}
	case event.BeliefFalse:
		c.wrong[e.Path] = e.At
	case event.BeliefEnded:
		c.lane.FalseBeliefMicros += e.Wrong
		delete(c.wrong, e.Path)
	case event.CostChanged:
		if i := slices.Index(c.directories, e.Path); i >= 0 {
			c.costs[i] = *e.Cost
		}
	}
}

func (c *counters) summary() Lane {
	lane := c.lane
	for _, cost := range c.costs {
		lane.Wakeups += cost.Wakeups
		lane.WastedWakeups += cost.Wasted
		lane.WakeupsByJoining += cost.Joining
		lane.WakeupsUnexplained += cost.Unexplained
		lane.Rounds.Complete += cost.Rounds
		lane.Rounds.Wakeups += cost.RoundWakeups
		lane.Rounds.WastedWakeups += cost.RoundWasted
	}
	for _, since := range c.wrong {
		lane.FalseBeliefMicros += c.now - since
	}
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
