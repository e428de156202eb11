package room

import (
	"errors"
	"fmt"
	"slices"
)

// ErrForbidden is returned for what a person's role does not allow.
var ErrForbidden = errors.New("not allowed")

// A Person is one browser, or one program that uses the API.
type Person struct {
	// ID tells persons apart; empty for who has none.
	ID string
	// Teacher says that the person may do everything everywhere.
	Teacher bool
}

// A Role is what a person is in a room.
type Role string

// The roles, from the one that may do most to the one that may do nothing.
const (
	Teacher  Role = "teacher"
	Owner    Role = "owner"  // of a room of one's own
	Driver   Role = "driver" // the member of a class to whom the teacher has handed the run
	Student  Role = "student"
	Viewer   Role = "viewer"
	Stranger Role = "stranger" // to a class, or to a student's room
)

// An Action is what somebody wants to do in a room.
type Action string

// The actions, as the page knows them.
const (
	View         Action = "view"
	Control      Action = "control"
	BreakServers Action = "break-servers"
	Present      Action = "present"
	Vote         Action = "vote"
	MeetGoals    Action = "meet-goals"
	Manage       Action = "manage"
)

// sentences are the actions as they read in a sentence.
var sentences = map[Action]string{
	View: "look at this room", Control: "control the run of this room", BreakServers: "break the servers, which all rooms share",
	Present: "present to this class", Vote: "vote in this class", MeetGoals: "tell this class which goals are met", Manage: "manage classes",
}

// rights are what each role may do. This table is the only place that says it.
var rights = map[Role][]Action{
	Teacher:  {View, Control, BreakServers, Present, Manage},
	Owner:    {View, Control},
	Driver:   {View, Control, Present, Vote, MeetGoals},
	Student:  {View, Vote, MeetGoals},
	Viewer:   {View},
	Stranger: {},
}

// May says whether the role allows the action.
func (r Role) May(a Action) bool { return slices.Contains(rights[r], a) }

// Rights are the actions that the role allows.
func (r Role) Rights() []Action { return rights[r] }

// RoleOf is what a person is in the room.
func (r *Room) RoleOf(p Person) Role {
	switch {
	case p.Teacher:
		return Teacher
	case p.ID != "" && p.ID == r.owner:
		return Owner
	case r.class != nil:
		return r.class.roleOf(p.ID)
	case r.sandbox:
		return Stranger
	default:
		return Viewer
	}
}

// Allow returns an error that wraps ErrForbidden unless the person may do it here.
func (r *Room) Allow(p Person, a Action) error {
	if role := r.RoleOf(p); !role.May(a) {
		return fmt.Errorf("%w: a %s may not %s", ErrForbidden, role, sentences[a])
	}
	return nil
}
