package room_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
)

var (
	teacher = room.Person{ID: "t", Teacher: true}
	anna    = room.Person{ID: "anna"}
	ben     = room.Person{ID: "ben"}
	carl    = room.Person{ID: "carl"} // in no class
)

// TestRoles wants everybody to be what they are in each kind of room, and no more.
func TestRoles(t *testing.T) {
	h := open(t)
	class := h.openClass()
	h.join(anna, class)
	h.join(ben, class)
	sandbox, alone := h.createFor(anna), h.createFor(carl)
	rooms := map[string]*room.Room{"main": h.room(room.Main), "class": class, "anna's": sandbox, "carl's": alone}
	tests := []struct {
		person room.Person
		roles  map[string]room.Role
	}{
		{teacher, map[string]room.Role{"main": room.Teacher, "class": room.Teacher, "anna's": room.Teacher, "carl's": room.Teacher}},
		{anna, map[string]room.Role{"main": room.Viewer, "class": room.Student, "anna's": room.Owner, "carl's": room.Viewer}},
		{ben, map[string]room.Role{"main": room.Viewer, "class": room.Student, "anna's": room.Stranger, "carl's": room.Viewer}},
		{carl, map[string]room.Role{"main": room.Viewer, "class": room.Stranger, "anna's": room.Stranger, "carl's": room.Owner}},
		{room.Person{}, map[string]room.Role{"main": room.Viewer, "class": room.Stranger, "anna's": room.Stranger, "carl's": room.Viewer}},
	}
	for _, tt := range tests {
		for name, want := range tt.roles {
			if got := rooms[name].RoleOf(tt.person); got != want {
				t.Errorf("%q in room %s: %s, want %s", tt.person.ID, name, got, want)
			}
		}
	}
}

// TestAllow wants each role to be refused what is not its own, with a sentence that
// names both.
func TestAllow(t *testing.T) {
	all := []room.Action{room.View, room.Control, room.BreakServers, room.Present, room.Vote, room.Manage}
	rights := map[room.Role][]room.Action{
		room.Teacher: {room.View, room.Control, room.BreakServers, room.Present, room.Manage},
		room.Owner:   {room.View, room.Control}, room.Driver: {room.View, room.Control, room.Present, room.Vote},
		room.Student: {room.View, room.Vote}, room.Viewer: {room.View}, room.Stranger: {},
	}
	for role, may := range rights {
		for _, action := range all {
			if got, want := role.May(action), slices.Contains(may, action); got != want {
				t.Errorf("a %s may %s: %t, want %t", role, action, got, want)
			}
		}
	}
	h := open(t)
	err := h.room(room.Main).Allow(carl, room.Control)
	if want := "a viewer may not control the run of this room"; !errors.Is(err, room.ErrForbidden) || !strings.Contains(err.Error(), want) {
		t.Errorf("refused with %v, want ErrForbidden and %q", err, want)
	}
}

// TestOneRoomOfOnesOwn wants who is no teacher to have one room, however often it is
// asked for, and nobody to get another's.
func TestOneRoomOfOnesOwn(t *testing.T) {
	h := open(t)
	first := h.createFor(anna)
	if again := h.createFor(anna); again != first {
		t.Errorf("anna has rooms %s and %s", first.Name(), again.Name())
	}
	if h.createFor(ben) == first {
		t.Error("ben has anna's room")
	}
	one, another := h.createFor(teacher), h.createFor(teacher)
	if one == another {
		t.Error("a teacher has one room only")
	}
}

// TestClass takes a class from its opening to its end.
func TestClass(t *testing.T) {
	h := open(t)
	class := h.openClass()
	code := class.Class().Code()
	if len(code) != 6 || strings.ContainsAny(code, "01ilo") {
		t.Errorf("code %q, want six characters without look-alikes", code)
	}
	spoken := strings.ToUpper(code[:3]) + " " + code[3:]
	if got, err := h.Join(anna, spoken); err != nil || got != class {
		t.Errorf("join with %q: %v, %v", spoken, got, err)
	}
	if _, err := h.Join(anna, "zzzzzz"); !errors.Is(err, room.ErrNoClass) {
		t.Errorf("wrong code: %v, want ErrNoClass", err)
	}
	class.Class().Lock(true)
	if _, err := h.Join(ben, code); !errors.Is(err, room.ErrLocked) {
		t.Errorf("join a locked class: %v, want ErrLocked", err)
	}
	h.join(anna, class) // comes back
	if got, want := class.Class().State(), (room.ClassState{Members: 1, Locked: true}); got != want {
		t.Errorf("the class is %+v, want %+v", got, want)
	}
	if h.ClassOf(anna) != class || h.ClassOf(ben) != nil {
		t.Error("who is in the class is not told")
	}
	if err := h.Remove(within(t), class); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Get(class.Name()); !errors.Is(err, room.ErrNoRoom) || h.ClassOf(anna) != nil {
		t.Errorf("after the end: room %v, anna's class %v", err, h.ClassOf(anna))
	}
}

// TestDriversSeat wants one member at a time to drive, and only while the seat is his.
func TestDriversSeat(t *testing.T) {
	h := open(t)
	class := h.openClass()
	h.join(anna, class)
	h.join(ben, class)
	seat := class.Class()
	if err := seat.TakeSeat(anna); !errors.Is(err, room.ErrForbidden) {
		t.Errorf("a seat that is not offered: %v, want ErrForbidden", err)
	}
	seat.OfferSeat(true)
	if err := seat.TakeSeat(carl); !errors.Is(err, room.ErrForbidden) {
		t.Errorf("who is no member: %v, want ErrForbidden", err)
	}
	if err := errors.Join(seat.TakeSeat(anna)); err != nil {
		t.Fatal(err)
	}
	if err := seat.TakeSeat(ben); !errors.Is(err, room.ErrForbidden) {
		t.Errorf("a seat that is taken: %v, want ErrForbidden", err)
	}
	if a, b := class.RoleOf(anna), class.RoleOf(ben); a != room.Driver || b != room.Student {
		t.Errorf("anna is %s, ben %s; want driver and student", a, b)
	}
	seat.FreeSeat()
	if role := class.RoleOf(anna); role != room.Student {
		t.Errorf("without the seat anna is %s, want student", role)
	}
}

// openClass opens a class.
func (h *house) openClass() *room.Room {
	h.Helper()
	r, err := h.OpenClass(within(h), teacher)
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// join lets a person join, who must be let in.
func (h *house) join(p room.Person, class *room.Room) {
	h.Helper()
	if _, err := h.Join(p, class.Class().Code()); err != nil {
		h.Fatal(err)
	}
}
