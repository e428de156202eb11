package room

import (
	"errors"
	"time"
)

// Doors are the rooms that a person has, wherever it is now.
type Doors struct {
	// Own is the room of the person's own that was used last; nil if there is none.
	Own *Room
	// Class is the room of the class of which the person is a member, or else of one that it
	// has opened; of several, the one that was opened last. Nil if there is none.
	Class *Room
	// Member says that the person is a member of a class.
	Member bool
}

// DoorsOf are the doors of a person. A room that is leaving is none.
func (rs *Rooms) DoorsOf(p Person) Doors {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	var doors Doors
	var used, opened time.Time
	for _, r := range rs.rooms {
		if p.ID == "" {
			break
		}
		if r.owner == p.ID {
			if since, _ := r.idleSince(); !since.Before(used) {
				doors.Own, used = r, since
			}
		}
		if r.class == nil {
			continue
		}
		member := r.class.roleOf(p.ID) != Stranger
		newer := member == doors.Member && !r.class.opened.Before(opened)
		if (member || r.class.opener == p.ID) && (newer || member && !doors.Member) {
			doors.Class, doors.Member, opened = r, member, r.class.opened
		}
	}
	return doors
}

// ClassOf returns the room of a class of which the person is a member; nil if of none.
func (rs *Rooms) ClassOf(p Person) *Room {
	if doors := rs.DoorsOf(p); doors.Member {
		return doors.Class
	}
	return nil
}

// Leave ends a person's membership in every class. Its votes and what it has
// met count no more.
func (rs *Rooms) Leave(p Person) error {
	var errs []error
	rs.Each(func(r *Room) {
		if r.class != nil && r.class.roleOf(p.ID) != Stranger {
			errs = append(errs, r.class.leave(p))
		}
	})
	rs.tellOwner(p)
	return errors.Join(errs...)
}

// tellOwner has those who watch a person's own rooms told anew what its doors are.
func (rs *Rooms) tellOwner(p Person) {
	rs.Each(func(r *Room) {
		if p.ID != "" && r.owner == p.ID {
			r.broadcast()
		}
	})
}
