package room_test

import (
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/room"
)

// TestDoors wants a person to find its own room and its class wherever it is, as long as
// there are any.
func TestDoors(t *testing.T) {
	h := open(t)
	if got := h.DoorsOf(room.Person{}); got != (room.Doors{}) {
		t.Errorf("who is not known has %+v, want nothing", got)
	}
	class := h.openClass()
	own := h.createFor(anna)
	h.join(anna, class)
	if got, want := h.DoorsOf(anna), (room.Doors{Own: own, Class: class, Member: true}); got != want {
		t.Errorf("anna has %+v, want %+v", got, want)
	}
	if got, want := h.DoorsOf(teacher), (room.Doors{Class: class}); got != want {
		t.Errorf("the teacher has %+v, want the class that it has opened, and no membership", got)
	}
	_, before := own.Current()
	if err := h.Remove(within(t), class); err != nil {
		t.Fatal(err)
	}
	select {
	case <-before:
	case <-within(t).Done():
		t.Error("who watches anna's own room is not told that the class has ended")
	}
	if got, want := h.DoorsOf(anna), (room.Doors{Own: own}); got != want {
		t.Errorf("after the class anna has %+v, want %+v", got, want)
	}
	if got := h.DoorsOf(teacher); got != (room.Doors{}) {
		t.Errorf("after the class the teacher has %+v, want nothing", got)
	}
}

// TestNewestRooms wants the doors of who has several rooms to lead to the newest.
func TestNewestRooms(t *testing.T) {
	now := time.Now()
	h := open(t, func(c *room.Config) { c.Now = func() time.Time { now = now.Add(time.Second); return now } })
	h.openClass()
	h.createFor(teacher)
	own, class := h.createFor(teacher), h.openClass()
	if got, want := h.DoorsOf(teacher), (room.Doors{Own: own, Class: class}); got != want {
		t.Errorf("the teacher has %+v, want %+v", got, want)
	}
}

// TestJoin wants a class that lets nobody in to change nothing, and who has opened a class to
// need no membership.
func TestJoin(t *testing.T) {
	now := time.Now()
	h := open(t, func(c *room.Config) { c.Now = func() time.Time { now = now.Add(time.Second); return now } })
	first, second, locked := h.openClass(), h.openClass(), h.openClass()
	locked.Class().Lock(true)
	h.join(anna, first)
	if _, err := h.Join(anna, locked.Class().Code()); !errors.Is(err, room.ErrLocked) || h.ClassOf(anna) != first {
		t.Errorf("after %v anna is in %v, want the class before", err, h.ClassOf(anna))
	}
	h.join(anna, second)
	if h.ClassOf(anna) != second {
		t.Error("anna's way back does not lead to the class that was opened last")
	}
	if r, err := h.Join(teacher, first.Class().Code()); r != first || err != nil || h.ClassOf(teacher) != nil {
		t.Errorf("who opened a class joined it: %v, member of %v", err, h.ClassOf(teacher))
	}
}

// TestLeave wants a member who leaves to take along all that it was in the class.
func TestLeave(t *testing.T) {
	h := open(t)
	class := h.openClass()
	h.join(anna, class)
	h.join(ben, class)
	seat := class.Class()
	seat.OfferSeat(true)
	leaveStream := seat.Attend(anna, func(time.Time) bool { return false })
	if err := errors.Join(seat.TakeSeat(anna), seat.Vote(anna, "q", 1), seat.Vote(ben, "q", 0)); err != nil {
		t.Fatal(err)
	}
	h.Leave(anna)
	h.Leave(carl) // was in none
	leaveStream()
	if got, want := seat.State(), (room.ClassState{Members: 1}); got != want {
		t.Errorf("the class is %+v, want %+v", got, want)
	}
	if votes := seat.Votes(ben, true); votes[0].Voters != 1 {
		t.Errorf("the votes are %+v, want ben's alone", votes)
	}
	if role := class.RoleOf(anna); role != room.Stranger {
		t.Errorf("anna is %s, want stranger", role)
	}
}
