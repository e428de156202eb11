package check

import "github.com/zkplayground/zkplayground/playground/event"

// A Summary is what a run came to, in the shape that `playground run` prints.
type Summary struct {
	Scenario  string       `json:"scenario"`
	Seed      int64        `json:"seed"`
	ZooKeeper event.Server `json:"zookeeper"`
	// Events counts the events of the log, Undecoded the frames among them
	// that could not be read.
	Events    int64  `json:"events"`
	Undecoded int64  `json:"undecoded"`
	Lanes     []Lane `json:"lanes"`
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
	// HandoffMicros is the time from a release to the next acquisition by a
	// client that was waiting, in microseconds.
	HandoffMicros Quantiles `json:"handoffMicros"`
	Verdicts      []Verdict `json:"verdicts"`
}

// Quantiles are 0 when there was nothing to measure.
type Quantiles struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
}

// A Verdict is the answer of one check for one lane.
type Verdict struct {
	Check   string        `json:"check"`
	Verdict event.Verdict `json:"verdict"`
	Why     string        `json:"why"`
}

// Summary tells what the events so far came to.
func (c *Checker) Summary() Summary {
	s := Summary{Scenario: c.run.Scenario, Seed: c.run.Seed, ZooKeeper: c.run.ZooKeeper,
		Events: c.events, Undecoded: c.undecoded}
	for _, l := range c.lanes {
		s.Lanes = append(s.Lanes, l.summary())
	}
	return s
}

func (l *lane) summary() Lane {
	s := l.counters.summary()
	s.Name, s.Recipe, s.Clients = l.Name, l.Recipe, l.Clients
	for _, j := range l.judges {
		s.Verdicts = append(s.Verdicts, Verdict{Check: j.name(), Verdict: j.verdict(), Why: j.why()})
	}
	return s
}

// A Violation is a verdict with the lane that it was reached in.
type Violation struct {
	Lane string
	Verdict
}

// Unexpected returns the verdicts that are violated though the scenario did
// not expect it: what makes a headless run fail.
func (s Summary) Unexpected(expect map[string]event.Verdict) []Violation {
	var unexpected []Violation
	for _, l := range s.Lanes {
		for _, v := range l.Verdicts {
			if v.Verdict == event.Violated && expect[v.Check] != event.Violated {
				unexpected = append(unexpected, Violation{l.Name, v})
			}
		}
	}
	return unexpected
}
