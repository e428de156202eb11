package room

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
)

var (
	// ErrNoClass is returned for a code that no open class has.
	ErrNoClass = errors.New("no class has this code")
	// ErrLocked is returned to who wants to join a class that lets nobody new in.
	ErrLocked = errors.New("this class lets nobody new in")
)

// A code has codeLength of codeLetters, which look like no other: 887,503,681 codes.
const (
	codeLength  = 6
	codeLetters = "23456789abcdefghjkmnpqrstuvwxyz"
)

// newCode makes up a class's code.
func newCode() string {
	code := make([]byte, 0, codeLength)
	for b := make([]byte, 1); len(code) < codeLength; {
		_, _ = rand.Read(b) // it never fails
		if i := int(b[0] & 31); i < len(codeLetters) {
			code = append(code, codeLetters[i])
		}
	}
	return string(code)
}

// A Class is what a class's room has more than others: its members, and who drives
// its run. Its methods are safe for concurrent use.
type Class struct {
	code    string
	changed func()

	mu        sync.Mutex
	locked    bool
	members   map[string]bool // by the ID of the person
	driver    string          // the ID of the member who drives; empty: the teacher alone
	offered   bool            // the seat is for the first member who takes it
	here      map[string]int  // how many streams each member has open
	presented Presented
	questions map[string]*question
}

// ClassState is what a class's members are told of it.
type ClassState struct {
	// Members have joined; Here are those of them who watch now.
	Members int  `json:"members"`
	Here    int  `json:"here"`
	Locked  bool `json:"locked"`
	// Driven says that a member drives the run, Offered that the first who takes the
	// seat will.
	Driven  bool `json:"driven"`
	Offered bool `json:"offered"`
}

// Code is what a person joins with.
func (c *Class) Code() string { return c.code }

// State is how the class is now.
func (c *Class) State() ClassState {
	c.mu.Lock()
	defer c.mu.Unlock()
	return ClassState{Members: len(c.members), Here: len(c.here), Locked: c.locked, Driven: c.driver != "", Offered: c.offered}
}

// Lock lets nobody new in, or again; members come and go as before.
func (c *Class) Lock(locked bool) {
	c.change(func() { c.locked = locked })
}

// OfferSeat offers the driver's seat to the first member who takes it, or takes the
// offer back.
func (c *Class) OfferSeat(offered bool) {
	c.change(func() { c.offered = offered })
}

// TakeSeat gives a member the seat that is offered.
func (c *Class) TakeSeat(p Person) error {
	var err error
	c.change(func() {
		if !c.offered || !c.members[p.ID] {
			err = fmt.Errorf("%w: the seat of the driver is not offered", ErrForbidden)
			return
		}
		c.driver, c.offered = p.ID, false
	})
	return err
}

// FreeSeat takes the seat from whoever has it.
func (c *Class) FreeSeat() {
	c.change(func() { c.driver, c.offered = "", false })
}

func (c *Class) change(do func()) {
	c.mu.Lock()
	do()
	c.mu.Unlock()
	c.changed()
}

// join makes a person a member, who stays one as long as the class is open.
func (c *Class) join(p Person) error {
	var err error
	c.change(func() {
		if c.locked && !c.members[p.ID] {
			err = ErrLocked
			return
		}
		c.members[p.ID] = true
	})
	return err
}

// Attend notes that a member watches, until it leaves. Others are not counted.
func (c *Class) Attend(p Person) (leave func()) {
	attends := false
	c.change(func() {
		if attends = c.members[p.ID]; attends {
			c.here[p.ID]++
		}
	})
	return func() {
		if !attends {
			return
		}
		c.change(func() {
			if c.here[p.ID]--; c.here[p.ID] == 0 {
				delete(c.here, p.ID)
			}
		})
	}
}

func (c *Class) roleOf(person string) Role {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case !c.members[person]:
		return Stranger
	case person == c.driver:
		return Driver
	default:
		return Student
	}
}

// Class is what the room has as a class's; nil for any other room.
func (r *Room) Class() *Class { return r.class }

// OpenClass makes a room for a class, with a code of its own.
func (rs *Rooms) OpenClass(ctx context.Context) (*Room, error) {
	return rs.add(ctx, func(r *Room) *Room {
		r.class = &Class{code: newCode(), changed: r.broadcast, members: make(map[string]bool), here: make(map[string]int),
			questions: make(map[string]*question)}
		return r
	})
}

// Join makes a person a member of the class with the code, and returns its room. Case
// and spaces of the code do not matter. Its errors are ErrNoClass and ErrLocked.
func (rs *Rooms) Join(p Person, code string) (*Room, error) {
	code = strings.ToLower(strings.Join(strings.Fields(code), ""))
	for _, r := range rs.all() {
		if r.class != nil && r.class.code == code {
			return r, r.class.join(p)
		}
	}
	return nil, ErrNoClass
}

// ClassOf returns the room of the class of which the person is a member; nil if of none.
func (rs *Rooms) ClassOf(p Person) *Room {
	for _, r := range rs.all() {
		if r.class != nil && r.class.roleOf(p.ID) != Stranger {
			return r
		}
	}
	return nil
}
