package sweep

import (
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// runID is what the ids of runs are like: a playground's name, and perhaps a number.
// What is called otherwise is left alone.
var runID = regexp.MustCompile(`^([a-z2-7]{8})(-[0-9]+)?$`)

// owner is the name of the playground that a run is of; empty for what is no run.
func (s subtree) owner() string {
	if match := runID.FindStringSubmatch(s.run); match != nil {
		return match[1]
	}
	return ""
}

// look removes what has been unused for long enough, and returns after what time to
// look again. While the playground is not registered it does nothing but that.
func (s *Sweeper) look(ctx context.Context) (next time.Duration, err error) {
	runs, err := s.runs(ctx) // before the registrations
	if err != nil {
		return s.config.Every, err
	}
	living, _, err := s.client.Children(ctx, s.registrations())
	if errors.Is(err, wire.NoNode) || err == nil && !slices.Contains(living, s.config.Name) {
		err = s.register(ctx) // it was deleted; making it causes another look
	}
	if err != nil || !slices.Contains(living, s.config.Name) {
		return s.config.Every, err
	}
	now := s.config.Now()
	due, again := s.grace.over(now, slices.DeleteFunc(runs, func(r subtree) bool { return s.isUsed(r, living) }))
	next = s.config.Every
	if !again.IsZero() {
		next = min(next, again.Sub(now))
	}
	return next, s.remove(ctx, due)
}

func (s *Sweeper) isUsed(r subtree, living []string) bool {
	if owner := r.owner(); owner != s.config.Name {
		return owner == "" || slices.Contains(living, owner)
	}
	return s.config.InUse(r.room, r.run)
}

// runs lists the runs that have a subtree.
func (s *Sweeper) runs(ctx context.Context) ([]subtree, error) {
	rooms, err := s.list(ctx, s.rooms())
	if err != nil {
		return nil, err
	}
	var runs []subtree
	for _, room := range rooms {
		names, err := s.list(ctx, path.Join(s.rooms(), room))
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			runs = append(runs, subtree{room, name})
		}
	}
	return runs, nil
}

// ownRuns are those of this playground.
func (s *Sweeper) ownRuns(ctx context.Context) ([]subtree, error) {
	runs, err := s.runs(ctx)
	return slices.DeleteFunc(runs, func(r subtree) bool { return r.owner() != s.config.Name }), err
}

// list lists the children of a znode, and removes it if it has none: a client that is about
// to make one below it makes it again.
func (s *Sweeper) list(ctx context.Context, node string) ([]string, error) {
	names, _, err := s.client.Children(ctx, node)
	if errors.Is(err, wire.NoNode) {
		return nil, nil
	}
	if err == nil && len(names) == 0 {
		err = s.client.DeleteEmpty(ctx, node, s.config.Base)
	}
	return names, err
}

// remove removes subtrees. One that does not go does not keep the others.
func (s *Sweeper) remove(ctx context.Context, subtrees []subtree) error {
	var errs []error
	for _, r := range subtrees {
		room := path.Join(s.rooms(), r.room)
		err := s.client.DeleteTree(ctx, path.Join(room, r.run))
		if err == nil {
			s.config.Log.Info("removed the znodes of a run that nobody uses any more", "room", r.room, "run", r.run)
			err = s.client.DeleteEmpty(ctx, room, s.config.Base)
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// rooms is the znode above those of the rooms.
func (s *Sweeper) rooms() string { return path.Join(s.config.Base, "rooms") }

// A subtree is what one run has on ZooKeeper, the znode BASE/rooms/room/run with all
// below it.
type subtree struct{ room, run string }

// A grace is the time for which a subtree must have been unused before it goes.
type grace struct {
	length time.Duration
	since  map[subtree]time.Time // when each was first seen unused
}

func newGrace(length time.Duration) *grace {
	return &grace{length: length, since: make(map[subtree]time.Time)}
}

// over returns those of the subtrees that have been unused for long enough, at
// every call in this time, and when it makes sense to call again: not before that for
// the others, never if the time is zero.
func (g *grace) over(now time.Time, unused []subtree) (due []subtree, next time.Time) {
	since := make(map[subtree]time.Time)
	for _, s := range unused {
		first, seen := g.since[s]
		if !seen {
			first = now
		}
		since[s] = first
		end := first.Add(g.length)
		if !end.After(now) {
			due = append(due, s)
		} else if next.IsZero() || end.Before(next) {
			next = end
		}
	}
	g.since = since
	return due, next
}
