package room

import (
	"cmp"
	"fmt"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// Limits are what the rooms may take. [Limits.All] tells of each; those at zero get
// their defaults.
type Limits struct {
	MaxRooms           int
	MaxViewers         int
	MaxConsoles        int
	MaxClients         int
	MaxEventsPerSecond int
	MaxZnodes          int
	MaxRun             time.Duration // zero means as long as it likes
	LogLimit           int64
	KeepRuns           int
	KeepBytes          int64
	Guest              GuestLimits
}

// GuestLimits are what guests may take.
type GuestLimits struct {
	Guests   int // connections of a room
	Requests int // of a connection in a second
	Watches  int // of a connection
	Bytes    int64
	Znodes   int // of a lane, whoever makes them
}

// What a path and a multi of a guest may have at most: they are to be read in a log.
const (
	longestPath = 1000
	mostParts   = 1000
)

// OfConnection are those of one connection.
func (l GuestLimits) OfConnection() chroot.Limits {
	return chroot.Limits{Requests: l.Requests, Watches: l.Watches, Bytes: int(l.Bytes), Znodes: l.Znodes, Path: longestPath, Parts: mostParts}
}

// A Limit is one of them, as a flag sets it.
type Limit struct {
	// Flag is the flag's name, and Help its sentence, with the word for its value in
	// back quotes, as package flag has it.
	Flag, Help string
	// Value is where it is kept: an *int, an *int64 for bytes, or a *time.Duration.
	Value any
	// Least is the smallest value that makes sense.
	Least int64
}

// All are the limits, in the order in which they are listed.
func (l *Limits) All() []Limit {
	return []Limit{
		{"max-rooms", "how many `rooms` there may be; the one that nobody has used for longest makes way for a new one", &l.MaxRooms, 1},
		{"max-viewers", "how many `viewers` may watch a room", &l.MaxViewers, 1},
		{"max-consoles", "how many `consoles` a room may have, by which visitors are clients of its run", &l.MaxConsoles, 1},
		{"max-clients", fmt.Sprintf("how many `clients` a lane may have, %d at most", scenario.MaxClients), &l.MaxClients, 1},
		{"max-events-per-second", "how many `events` a run may have in a second; one that has more is slowed, and says so", &l.MaxEventsPerSecond, 1000},
		{"max-znodes", "how many `znodes` a run may have below its own, whoever makes them; one that has more ends, and says so", &l.MaxZnodes, 100},
		{"max-run", "how `long` a run may last, as 10m; then it ends, and says so; 0s means as long as it likes", &l.MaxRun, 0},
		{"log-limit", "how many `bytes` the log of a run may have; then the run ends, and says so", &l.LogLimit, 1 << 20},
		{"keep-runs", "how many `runs` before the current one a room keeps; the oldest goes first", &l.KeepRuns, 1},
		{"keep-bytes", "how many `bytes` the kept runs of a room may have together; the oldest goes first", &l.KeepBytes, 1 << 10},
		{"max-guests", "how many `connections` of guests a room may have; with one more, that is closed", &l.Guest.Guests, 1},
		{"max-guest-requests", "how many `requests` a connection of a guest may make in a second; more wait for their turn", &l.Guest.Requests, 1},
		{"max-guest-watches", "how many `watches` a connection of a guest may have; more are refused", &l.Guest.Watches, 1},
		{"max-guest-bytes", "how many `bytes` a request of a guest may have", &l.Guest.Bytes, 1 << 10},
		{"max-guest-znodes", "how many `znodes` there may be in a lane when a guest creates one, whoever made them", &l.Guest.Znodes, 1},
	}
}

// DefaultLimits suit a class on a laptop.
func DefaultLimits() Limits {
	return Limits{MaxRooms: 100, MaxViewers: 200, MaxConsoles: 20, MaxClients: 50, MaxEventsPerSecond: 20_000, MaxZnodes: 10_000,
		LogLimit: 1 << 30, KeepRuns: 30, KeepBytes: 64 << 20,
		Guest: GuestLimits{Guests: 20, Requests: 500, Watches: 1000, Bytes: 64 << 10, Znodes: 1000}}
}

// withDefaults puts the defaults where there is nothing.
func (l Limits) withDefaults() Limits {
	defaults := DefaultLimits()
	otherwise := defaults.All()
	for i, limit := range l.All() {
		switch value := limit.Value.(type) {
		case *int:
			*value = cmp.Or(*value, *otherwise[i].Value.(*int))
		case *int64:
			*value = cmp.Or(*value, *otherwise[i].Value.(*int64))
		case *time.Duration:
			*value = cmp.Or(*value, *otherwise[i].Value.(*time.Duration))
		}
	}
	return l
}

// ofRun are those that a run keeps to by itself.
func (l Limits) ofRun() run.Limits {
	return run.Limits{EventsPerSecond: l.MaxEventsPerSecond, Duration: l.MaxRun, Znodes: l.MaxZnodes}
}

// full says which quota is used up, and what can be done.
func full(flag, format string, args ...any) error {
	return fmt.Errorf("%w: %s; try again later, or start the playground with a higher -%s", ErrFull, fmt.Sprintf(format, args...), flag)
}
