package zkserver

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// DefaultInterval is the pause of a [Monitor] between two questions.
const DefaultInterval = 250 * time.Millisecond

// A MonitorConfig says what to watch.
type MonitorConfig struct {
	// Addresses are the servers, host:port each.
	Addresses []string
	// Managed is copied to each [Status].
	Managed bool
	// Interval is the pause between two questions; 0 means [DefaultInterval].
	Interval time.Duration
	// Now is the clock for [Status.Since]; nil means time.Now.
	Now func() time.Time
	// Notify is called for each change, the first answer included; it may be nil.
	// Calls come one at a time and must not call the monitor's Run.
	Notify func(Status)
}

// A Monitor asks servers again and again whether they serve. [Monitor.Run] does
// the asking; the other methods may be called from any goroutine meanwhile.
type Monitor struct {
	config MonitorConfig
	notify sync.Mutex // held while the callback runs: one at a time, in order

	mu      sync.Mutex // guards what follows
	servers []Status
	changed chan struct{} // closed, and replaced, at each change
}

// NewMonitor returns a monitor that has not asked anybody yet.
func NewMonitor(config MonitorConfig) *Monitor {
	config.Interval = cmp.Or(config.Interval, DefaultInterval)
	if config.Now == nil {
		config.Now = time.Now
	}
	if config.Notify == nil {
		config.Notify = func(Status) {}
	}
	m := &Monitor{config: config, changed: make(chan struct{})}
	for _, address := range config.Addresses {
		m.servers = append(m.servers, Status{
			Address: address, State: Unknown, Managed: config.Managed, Since: config.Now(),
		})
	}
	return m
}

// Run asks all servers until ctx ends, and returns when no question is under
// way and no callback runs. A server that does not answer delays no other.
func (m *Monitor) Run(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	for i := range m.config.Addresses {
		all.Go(func() { m.follow(ctx, i) })
	}
}

// Current returns the status of each server, in the order of the configuration.
func (m *Monitor) Current() []Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.servers)
}

// Wait blocks until at least one server is live, and returns at once if one is
// already. It fails when ctx ends first. Clients use it as a gate before they
// dial: a ZooKeeper that boots accepts connections some time before it answers.
func (m *Monitor) Wait(ctx context.Context) error {
	for {
		live, changed := m.anyLive()
		if live {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("no ZooKeeper is live: %w", context.Cause(ctx))
		}
	}
}

func (m *Monitor) anyLive() (bool, <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	live := slices.ContainsFunc(m.servers, func(s Status) bool { return s.State == Live })
	return live, m.changed
}

// follow asks server i until ctx ends.
func (m *Monitor) follow(ctx context.Context, i int) {
	for timeout := longTimeout; ; {
		stats, err := probe(ctx, m.config.Addresses[i], timeout)
		if ctx.Err() != nil {
			return // the failure, if any, is ours
		}
		m.record(i, stats, err)
		timeout = nextTimeout(timeout, err)
		if !clock.Sleep(ctx, m.config.Interval) {
			return
		}
	}
}

// record keeps an answer, wakes the waiters and calls Notify.
func (m *Monitor) record(i int, stats Stats, err error) {
	m.notify.Lock()
	defer m.notify.Unlock()
	if status, news := m.update(i, stats, err); news {
		m.config.Notify(status)
	}
}

func (m *Monitor) update(i int, stats Stats, err error) (Status, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	status, news := m.servers[i].after(stats, err, m.config.Now())
	if news {
		m.servers[i] = status
		close(m.changed)
		m.changed = make(chan struct{})
	}
	return status, news
}

// A State is what is known of a server.
type State string

// The states. Unknown is a server that has not been asked yet.
const (
	Unknown     State = "unknown"
	Live        State = "live"
	Unreachable State = "unreachable"
)

// A Status is a server's state as a [Monitor] sees it.
type Status struct {
	Address string `json:"address"`
	State   State  `json:"state"`
	// Version is the release that answered last; empty before the first answer.
	Version string `json:"version,omitempty"`
	// Build is that of [Stats].
	Build string `json:"-"`
	// Mode is what the server is among its peers, such as leader, follower or
	// standalone; empty of a server that does not answer.
	Mode string `json:"mode,omitempty"`
	// Managed says that the server is our own child.
	Managed bool `json:"managed"`
	// Since is when the state began.
	Since time.Time `json:"since"`
	// Why says, of an unreachable server, what happened to the first question
	// that it did not answer.
	Why string `json:"why,omitempty"`
}

// after is the status that follows the outcome of a question, and whether that
// is news: another state, another release, or another mode.
func (s Status) after(stats Stats, err error, now time.Time) (Status, bool) {
	next := s
	next.State, next.Mode, next.Why = Live, stats.Mode, ""
	if err != nil {
		next.State, next.Why = Unreachable, err.Error()
	} else {
		next.Version, next.Build = stats.Version, stats.Build
	}
	if next.State == s.State && next.Version == s.Version && next.Mode == s.Mode {
		return s, false
	}
	if next.State != s.State {
		next.Since = now
	}
	return next, true
}
