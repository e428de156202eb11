package check

import "github.com/zkplayground/zkplayground/playground/event"

// A Summary is what a run came to, in the shape that `playground run` prints.
type Summary struct {
	Scenario  string       `json:"scenario"`
	Seed      int64        `json:"seed"`
	ZooKeeper event.Server `json:"zookeeper"`
	// Events counts the events of the log, Undecoded the frames among them
	// that could not be read.
	Events    int64 `json:"events"`
	Undecoded int64 `json:"undecoded"`
	// StalledMillis is for how long the playground's own machine stood still, in
	// milliseconds; a run on a machine that keeps up has none.
	StalledMillis int64  `json:"stalledMillis,omitempty"`
	Lanes         []Lane `json:"lanes"`
}

// A Lane is the part of a summary about one lane. All counts end when the
// clients are told to stop.
type Lane struct {
	Name    string `json:"name"`
	Recipe  string `json:"recipe"`
	Clients int    `json:"clients"`
	// Acquisitions and Releases are counted as the clients saw them.
	Acquisitions int64 `json:"acquisitions"`
	Releases     int64 `json:"releases"`
	// Requests leaves out heartbeats and the handling of sessions.
	Requests int64 `json:"requests"`
	// Notifications are the watch events that reached the clients.
	Notifications int64 `json:"notifications"`
	// Wakeups are the notifications that woke a waiting client, WastedWakeups
	// those among them after which the client did not acquire.
	Wakeups       int64 `json:"wakeups"`
	WastedWakeups int64 `json:"wastedWakeups"`
	// WakeupsByJoining are those of them that a client caused which joined the
	// queue, WakeupsUnexplained those of which the log does not tell the cause.
	WakeupsByJoining   int64  `json:"wakeupsByJoining"`
	WakeupsUnexplained int64  `json:"wakeupsUnexplained"`
	Rounds             Rounds `json:"rounds"`
	// HandoffMicros is the time from a release to the next acquisition by a
	// client that was waiting, in microseconds.
	HandoffMicros Quantiles `json:"handoffMicros"`
	// FalseBeliefMicros is for how long clients believed that they held though
	// their znode was gone, summed over the clients, in microseconds.
	FalseBeliefMicros int64 `json:"falseBeliefMicros"`
	// Balance is what the account of the lane came to, if it has one.
	Balance  int64     `json:"balance,omitempty"`
	Verdicts []Verdict `json:"verdicts"`
}

// Rounds are the rounds that are complete. A round is what freed the lock, with
// all whom it woke: a release, the end of the holder's session, or the deletion
// of its znode from outside. It is complete when each of them has acquired,
// waits again or is gone.
type Rounds struct {
	Complete      int64 `json:"complete"`
	Wakeups       int64 `json:"wakeups"`
	WastedWakeups int64 `json:"wastedWakeups"`
}

// Quantiles are by nearest rank: the smallest value that 50, or 99, percent of
// all values do not exceed, to a thousandth. They are 0 when there was nothing
// to measure.
type Quantiles struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
}

// A Verdict is the answer of one check for one lane.
type Verdict struct {
	Check   string        `json:"check"`
	Verdict event.Verdict `json:"verdict"`
	// Expected is the verdict that the scenario is made to reach, if it says so.
	Expected event.Verdict `json:"expected,omitempty"`
	Why      string        `json:"why"`
}

// Summary tells what the events so far came to.
func (c *Checker) Summary() Summary {
	s := Summary{Scenario: c.run.Scenario, Seed: c.run.Seed, ZooKeeper: c.run.ZooKeeper,
		Events: c.events, Undecoded: c.undecoded, StalledMillis: c.stalled}
	for _, l := range c.lanes {
		s.Lanes = append(s.Lanes, l.summary(c.run.Expect))
	}
	return s
}

func (l *lane) summary(expect map[string]event.Verdict) Lane {
	s := l.counters.summary()
	s.Name, s.Recipe, s.Clients = l.Name, l.Recipe, l.Clients
	for _, c := range l.checks {
		s.Verdicts = append(s.Verdicts, Verdict{Check: c.Name, Verdict: c.verdict(),
			Expected: expected(expect, l.Name, c.Name), Why: c.why().English()})
	}
	return s
}

// expected is what the scenario makes of a lane's check; empty when it does not
// say. An expectation is by the check's name, or by LANE/CHECK, which goes first.
func expected(expect map[string]event.Verdict, lane, check string) event.Verdict {
	if verdict, ok := expect[lane+"/"+check]; ok {
		return verdict
	}
	return expect[check]
}

// A Finding is a verdict with the lane that it was reached in.
type Finding struct {
	Lane string
	Verdict
}

// Unexpected returns the verdicts that are violated though the scenario did
// not expect it: what makes a headless run fail.
func (s Summary) Unexpected() []Finding {
	return s.find(func(v Verdict) bool { return v.Verdict == event.Violated && v.Expected != event.Violated })
}

// Unmet returns the verdicts that are not what the scenario said they would be.
// That alone does not make a run fail: the run may have been too short.
func (s Summary) Unmet() []Finding {
	return s.find(func(v Verdict) bool { return v.Expected != "" && v.Verdict != v.Expected })
}

func (s Summary) find(fits func(Verdict) bool) []Finding {
	var found []Finding
	for _, l := range s.Lanes {
		for _, v := range l.Verdicts {
			if fits(v) {
				found = append(found, Finding{l.Name, v})
			}
		}
	}
	return found
}
