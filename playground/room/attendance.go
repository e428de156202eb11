package room

import (
	"slices"
	"time"
)

const (
	// countEvery is how often it is counted at most who lags behind.
	countEvery = time.Second
	// lagsOn is how long a member counts that has caught up: a number that jumps to and
	// fro tells a teacher nothing.
	lagsOn = 5 * time.Second
)

// attendances are the members who watch, by the ID of the person.
type attendances map[string]*attendance

// An attendance is the open streams of a member, and when it lagged last.
type attendance struct {
	streams []*Lags
	lagged  time.Time
}

// Lags says whether a stream is well behind what there is to see.
type Lags func(now time.Time) bool

// Attend notes that a member watches, until it leaves. Others are not counted.
func (c *Class) Attend(p Person, lags Lags) (leave func()) {
	attends := false
	stream := &lags             // tells it from the member's others
	_ = c.change(func() error { // who is here is not written down
		if attends = c.members[p.ID]; attends {
			c.here.add(p.ID, stream)
		}
		return nil
	})
	return func() {
		if attends {
			_ = c.change(func() error { c.here.remove(p.ID, stream); return nil })
		}
	}
}

func (a attendances) add(id string, stream *Lags) {
	if a[id] == nil {
		a[id] = &attendance{}
	}
	a[id].streams = append(a[id].streams, stream)
}

func (a attendances) remove(id string, stream *Lags) {
	own := a[id]
	if own == nil { // it has left the class meanwhile
		return
	}
	own.streams = slices.DeleteFunc(own.streams, func(each *Lags) bool { return each == stream })
	if len(own.streams) == 0 {
		delete(a, id)
	}
}

// Lagging is how many of the members who are here lag behind, or did within the last
// moments. It changes at most once a second, and tells nobody when it does: that would be
// a frame to everybody for what the teacher alone sees.
func (c *Class) Lagging(now time.Time) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if now.Sub(c.counted) < countEvery {
		return min(c.lagging, len(c.here))
	}
	c.lagging, c.counted = 0, now
	for _, own := range c.here {
		if own.lags(now) {
			own.lagged = now
		}
		if now.Sub(own.lagged) < lagsOn {
			c.lagging++
		}
	}
	return c.lagging
}

// lags says whether each stream of a member does: one that a phone has left behind when
// it came back says nothing.
func (a *attendance) lags(now time.Time) bool {
	return !slices.ContainsFunc(a.streams, func(lags *Lags) bool { return !(*lags)(now) })
}
