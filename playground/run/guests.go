package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
)

// ErrTooManyGuests is returned when a lane has had as many guests as a run may have.
var ErrTooManyGuests = errors.New("too many guests")

var runHasEnded = event.NewCode("run-has-ended", "the run has ended")

// A Joining says who wants to take part in a run.
type Joining struct {
	// Lane names the lane; empty is the first whose lock is in ZooKeeper.
	Lane string
	// Name, Kind, From, Program, Sessions, Limits, NewestZxid and Version are those of
	// client.GuestConfig. Kind and Sessions are needed. Of Limits, CountZnodes and
	// OpenACLs are set by the run.
	Name       string
	Kind       event.Participant
	From       string
	Program    client.Program
	Sessions   *chroot.Sessions
	Limits     chroot.Limits
	NewestZxid func(ctx context.Context) (int64, error)
	Version    string
}

// lane returns the lane that a guest wants to join.
func (r *Run) lane(j Joining) (event.Lane, error) {
	i := slices.IndexFunc(r.lanes, func(l event.Lane) bool { return j.Lane == "" && l.Store == "" || l.Name == j.Lane })
	switch {
	case i < 0 && j.Lane == "":
		return event.Lane{}, fmt.Errorf("%w: no lane has its lock in ZooKeeper", step.ErrNoClient)
	case i < 0:
		return event.Lane{}, fmt.Errorf("%w: there is no lane %q", step.ErrNoClient, j.Lane)
	case r.lanes[i].Store != "":
		return event.Lane{}, fmt.Errorf("%w: the lock of lane %q is not in ZooKeeper, so a guest would find nothing there", step.ErrNoClient, j.Lane)
	}
	return r.lanes[i], nil
}

// limits are a guest's, with what the run knows of them.
func (r *Run) limits(lane event.Lane, limits chroot.Limits) chroot.Limits {
	limits.OpenACLs = r.config.SuperPassword == ""
	if limits.Znodes > 0 {
		limits.CountZnodes = func() int { return r.observer.Znodes(lane.Name) }
	}
	return limits
}

// Confine says how a connection is confined to the lane of the guest that it will
// become, or be of, when its first frame has come.
func (r *Run) Confine(j Joining) (chroot.Config, error) {
	lane, err := r.lane(j)
	if err == nil && r.State() != event.Running {
		err = client.ErrNotRunning
	}
	return chroot.Config{Root: lane.Root, Sessions: j.Sessions, Limits: r.limits(lane, j.Limits),
		NewestZxid: j.NewestZxid, Version: j.Version}, err
}

// Join lets a guest take part in the run, until it leaves or the run ends. It gets a
// number of its own above those of the clients. One whose name has joined before is that guest
// again, with its number. Errors wrap step.ErrNoClient for a lane that there is not,
// client.ErrNotRunning, ErrTooManyGuests, and client.ErrConnected for a name whose guest has a
// connection.
func (r *Run) Join(j Joining) (*client.Guest, error) {
	lane, err := r.lane(j)
	if err != nil {
		return nil, err
	}
	if known := r.guests.named(lane.Name, j.Name); known != nil {
		return known, known.Again()
	}
	number, err := r.guests.next(lane)
	if err != nil {
		return nil, err
	}
	g := client.NewGuest(lane, number, r.shared, client.GuestConfig{Name: j.Name, Kind: j.Kind, From: j.From, Program: j.Program,
		Sessions: j.Sessions, Limits: r.limits(lane, j.Limits), NewestZxid: j.NewestZxid, Version: j.Version, Left: r.guests.forget})
	if !r.guests.add(g) {
		g.Leave(runHasEnded.With())
		return nil, client.ErrNotRunning
	}
	r.stepper.Add(g)
	return g, nil
}

// AwaitZooKeeper returns when ZooKeeper can be dialled, or ctx's error.
func (r *Run) AwaitZooKeeper(ctx context.Context) error { return r.zookeeper.AwaitReady(ctx) }

// NoteRefused tells of a connection that became no guest, unless there are too many.
func (r *Run) NoteRefused(j Joining, refusal chroot.Refusal) {
	lane, err := r.lane(j)
	told, more := r.guests.refusals.Tell()
	if err != nil || !told {
		return
	}
	r.recorder.Record(event.Event{Kind: event.NoteRefused, Lane: lane.Name, Op: refusal.Op, Err: refusal.Code.String(), Reason: client.RefusalReason(refusal, more)})
}

// Guest returns the guest that has that session; nil if none has.
func (r *Run) Guest(session int64) *client.Guest {
	if session == 0 {
		return nil
	}
	for _, g := range r.guests.list() {
		if g.Session() == session {
			return g
		}
	}
	return nil
}

// Named returns the guest of that name in the lane that guests join; nil if it has not joined.
func (r *Run) Named(name string) *client.Guest {
	lane, err := r.lane(Joining{})
	if err != nil {
		return nil
	}
	return r.guests.named(lane.Name, name)
}

// Guests are those that take part now.
func (r *Run) Guests() []*client.Guest { return r.guests.list() }

// guests are those of a run. Its methods are safe for concurrent use.
type guests struct {
	run      *Run
	leaving  sync.WaitGroup  // has one for each that takes part
	refusals client.Refusals // of connections that became none

	mu     sync.Mutex
	over   bool           // no other joins
	joined map[string]int // how many have joined each lane
	all    []*client.Guest
}

func newGuests(r *Run) *guests { return &guests{run: r, joined: make(map[string]int)} }

// next returns the number of the next guest of a lane.
func (g *guests) next(lane event.Lane) (int, error) {
	if g.run.State() != event.Running {
		return 0, client.ErrNotRunning
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.joined[lane.Name] == scenario.MaxGuests {
		return 0, fmt.Errorf("%w: %d have joined lane %s, a new run begins to count anew", ErrTooManyGuests, scenario.MaxGuests, lane.Name)
	}
	g.joined[lane.Name]++
	return lane.Clients + g.joined[lane.Name], nil
}

// add has a guest take part, unless the run is ending.
func (g *guests) add(one *client.Guest) bool {
	g.run.mu.Lock() // no delay is set in between
	defer g.run.mu.Unlock()
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return false
	}
	g.leaving.Add(1)
	g.all = append(g.all, one)
	one.SetDelay(g.run.delay)
	return true
}

// named returns the guest of that name in a lane, who is there until the run ends; nil if
// there is none.
func (g *guests) named(lane, name string) *client.Guest {
	all := g.list()
	i := slices.IndexFunc(all, func(one *client.Guest) bool { return name != "" && one.Name() == name && one.Lane() == lane })
	if i < 0 {
		return nil
	}
	return all[i]
}

// forget notes that nothing of a guest is left.
func (g *guests) forget(one *client.Guest) {
	g.run.stepper.Remove(one)
	g.mu.Lock()
	defer g.mu.Unlock()
	if i := slices.Index(g.all, one); i >= 0 {
		g.all = slices.Delete(g.all, i, i+1)
		g.leaving.Done()
	}
}

func (g *guests) list() []*client.Guest {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.all)
}

// end lets all of them go, and no other in.
func (g *guests) end() {
	g.mu.Lock()
	g.over = true
	g.mu.Unlock()
	for _, one := range g.list() {
		one.Free()
		one.Leave(runHasEnded.With())
	}
}

// wait returns when nothing of any guest is left.
func (g *guests) wait() { g.leaving.Wait() }
