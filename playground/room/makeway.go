package room

import (
	"context"
	"fmt"
	"time"
)

// freshShare: while more than one in so many places is had by rooms where nothing was
// ever run or watched, no other room makes way for a new one. So whoever makes rooms
// without end disturbs nobody who has work in one.
const freshShare = 4

// makeWay returns when a room will have left, if need be the one that has been idle
// longest: first of those where nothing was ever run or watched, then of the others.
// The caller holds the mutex.
func (rs *Rooms) makeWay() (left <-chan struct{}, err error) {
	for _, left := range rs.leaving {
		return left, nil
	}
	oldest := rs.mayGo()
	if oldest == nil {
		return nil, full("max-rooms", "there are %d rooms, all in use", len(rs.rooms))
	}
	return rs.retire(oldest), nil
}

// mayGo is the room that would make way; nil if there is none. The caller holds the mutex.
func (rs *Rooms) mayGo() *Room {
	oldest := rs.longestIdle(true, rs.config.FreshTime)
	if oldest == nil && rs.fresh() <= max(1, rs.config.MaxRooms/freshShare) {
		oldest = rs.longestIdle(false, rs.config.IdleTime)
	}
	return oldest
}

// A Vacancy says what place there is for one more room: the greater, the worse.
type Vacancy int

// The vacancies.
const (
	Vacant   Vacancy = iota
	MakesWay         // another room would go
	Full
)

// Vacancy is what place there is now.
func (rs *Rooms) Vacancy() Vacancy {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	switch {
	case len(rs.rooms)+len(rs.leaving) < rs.config.MaxRooms:
		return Vacant
	case len(rs.leaving) > 0 || rs.mayGo() != nil:
		return MakesWay
	default:
		return Full
	}
}

// Remove closes a room for good. It does so even if ctx ends first.
func (rs *Rooms) Remove(ctx context.Context, r *Room) error {
	rs.mu.Lock()
	left := rs.retire(r)
	rs.mu.Unlock()
	rs.Each((*Room).broadcast) // of a class: its members are in none any more
	return rs.await(ctx, left)
}

// retire takes a room out of use. It has its place until it has closed. The caller holds
// the mutex.
func (rs *Rooms) retire(r *Room) (left <-chan struct{}) {
	return rs.removed(r, r.leave)
}

// removed is retire by whatever ends the room.
func (rs *Rooms) removed(r *Room, end func()) (left <-chan struct{}) {
	if rs.rooms[r.name] == r {
		delete(rs.rooms, r.name)
		rs.leaving[r] = make(chan struct{})
		go func() {
			end()
			rs.mu.Lock()
			defer rs.mu.Unlock()
			close(rs.leaving[r])
			delete(rs.leaving, r)
		}()
	}
	return rs.leaving[r]
}

// await returns when a room has left; nil is of one that left before.
func (rs *Rooms) await(ctx context.Context, left <-chan struct{}) error {
	if left == nil {
		return nil
	}
	select {
	case <-left:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait until a room has closed: %w", context.Cause(ctx))
	}
}

// longestIdle is the room that has been idle longest, and for at least so long; nil if
// there is none. The main room is none. The caller holds the mutex.
func (rs *Rooms) longestIdle(fresh bool, atLeast time.Duration) *Room {
	var oldest *Room
	before := rs.config.Now().Add(-atLeast)
	for _, r := range rs.rooms {
		if since, idle := r.idleSince(); idle && r.name != Main && r.isFresh() == fresh && since.Before(before) {
			oldest, before = r, since
		}
	}
	return oldest
}

// fresh is how many rooms there are where nothing was ever run or watched. The caller
// holds the mutex.
func (rs *Rooms) fresh() int {
	n := 0
	for _, r := range rs.rooms {
		if r.name != Main && r.isFresh() {
			n++
		}
	}
	return n
}

// isFresh says that nothing was ever run or watched here.
func (r *Room) isFresh() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.fresh
}
