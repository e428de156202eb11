package room

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"github.com/zkplayground/zkplayground/playground/room/kept"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
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
	opener  string // the ID of the teacher who opened it; empty if that is not known
	opened  time.Time
	changed func() error // tells of a change, and does what written does
	written func() error // returns when what was changed is written down

	mu        sync.Mutex
	locked    bool
	members   map[string]bool // by the ID of the person
	driver    string          // the ID of the member who drives; empty: the teacher alone
	offered   bool            // the seat is for the first member who takes it
	here      attendances
	lagging   int       // how many of those who are here lag behind, as counted last
	counted   time.Time // when that was
	presented Presented
	questions map[string]*question
	goals     map[string]map[string]bool // by goal: the IDs of the members who have met it
}

func newClass(code string, changed, written func() error) *Class {
	return &Class{code: code, changed: changed, written: written, members: make(map[string]bool), here: make(attendances),
		questions: make(map[string]*question), goals: make(map[string]map[string]bool)}
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
func (c *Class) Lock(locked bool) error {
	return c.change(func() error { c.locked = locked; return nil })
}

// OfferSeat offers the driver's seat to the first member who takes it, or takes the
// offer back.
func (c *Class) OfferSeat(offered bool) error {
	return c.change(func() error { c.offered = offered; return nil })
}

// TakeSeat gives a member the seat that is offered.
func (c *Class) TakeSeat(p Person) error {
	return c.change(func() error {
		if !c.offered || !c.members[p.ID] {
			return fmt.Errorf("%w: the seat of the driver is not offered", ErrForbidden)
		}
		c.driver, c.offered = p.ID, false
		return nil
	})
}

// FreeSeat takes the seat from whoever has it.
func (c *Class) FreeSeat() error {
	return c.change(func() error { c.driver, c.offered = "", false; return nil })
}

// change does something to the class, and returns when it is written down. Its error is
// that of do, or wraps ErrMoved.
func (c *Class) change(do func() error) error {
	c.mu.Lock()
	err := do()
	c.mu.Unlock()
	if err != nil {
		return err
	}
	return c.changed()
}

// join makes a person a member, who stays one as long as the class is open.
func (c *Class) join(p Person) error {
	return c.change(func() error {
		if c.locked && !c.members[p.ID] {
			return ErrLocked
		}
		c.members[p.ID] = true
		return nil
	})
}

// leave ends a membership.
func (c *Class) leave(p Person) error {
	return c.change(func() error {
		delete(c.members, p.ID)
		delete(c.here, p.ID)
		if c.driver == p.ID {
			c.driver = ""
		}
		for _, q := range c.questions {
			delete(q.choices, p.ID)
		}
		for _, members := range c.goals {
			delete(members, p.ID)
		}
		return nil
	})
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

// OpenClass makes a room for a class of the person's, with a code of its own.
func (rs *Rooms) OpenClass(ctx context.Context, p Person) (*Room, error) {
	r, err := rs.add(ctx, func(r *Room) *Room {
		r.class = newClass(newCode(), r.classChanged, r.classWritten)
		r.class.opener, r.class.opened = p.ID, rs.config.Now()
		return r
	})
	if err == nil {
		r.use()
		rs.tellOwner(p)
	}
	return r, err
}

// classChanged is told of each change of the room's class, and returns when it is written.
func (r *Room) classChanged() error {
	r.telling.request()
	return r.classWritten()
}

// classWritten returns when what has changed is written down, if it is to outlast the
// program. Where nobody else can have the room, a class goes on without that.
func (r *Room) classWritten() error {
	if r.store == nil {
		return nil
	}
	<-r.saving.request()
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.claim == nil || r.unsaved == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrMoved, r.unsaved)
}

// saved is what outlasts the program.
func (c *Class) saved() *kept.Class {
	c.mu.Lock()
	defer c.mu.Unlock()
	saved := &kept.Class{Code: c.code, Opener: c.opener, Opened: c.opened, Locked: c.locked, Members: slices.Sorted(maps.Keys(c.members)), Driver: c.driver, Offered: c.offered,
		Presented: c.presented.saved(), Votes: make(map[string]kept.Vote), Goals: make(map[string][]string)}
	for name, q := range c.questions {
		saved.Votes[name] = kept.Vote{Choices: maps.Clone(q.choices), Closed: q.closed, Revealed: q.revealed}
	}
	for goal, members := range c.goals {
		saved.Goals[goal] = slices.Sorted(maps.Keys(members))
	}
	return saved
}

// restoredClass is the class as it was saved, without the goals that no lesson has any more.
func restoredClass(s *kept.Class, goals []string, changed, written func() error) *Class {
	c := newClass(s.Code, changed, written)
	c.opener, c.opened = s.Opener, s.Opened
	c.locked, c.driver, c.offered, c.presented = s.Locked, s.Driver, s.Offered, restoredPresented(s.Presented)
	for _, member := range s.Members {
		c.members[member] = true
	}
	for name, vote := range s.Votes {
		q := &question{choices: make(map[string]int), closed: vote.Closed || vote.Revealed, revealed: vote.Revealed}
		for person, choice := range vote.Choices {
			if choice >= 0 && choice < mostChoices {
				q.choices[person] = choice
			}
		}
		c.questions[name] = q
	}
	for _, goal := range goals {
		for _, member := range s.Goals[goal] {
			if c.members[member] {
				c.addGoals(member, []string{goal})
			}
		}
	}
	return c
}

// Join makes a person a member of the class with the code, and returns its room. Who opened
// the class does not become a member. Case and spaces of the code do not matter. Its errors
// are ErrNoClass and ErrLocked.
func (rs *Rooms) Join(p Person, code string) (*Room, error) {
	r := rs.withCode(NormalCode(code))
	if r == nil {
		return nil, ErrNoClass
	}
	if p.ID != "" && r.class.opener == p.ID {
		return r, nil
	}
	if err := r.class.join(p); err != nil {
		return nil, err
	}
	rs.tellOwner(p)
	return r, nil
}

// NormalCode is a code without what does not matter.
func NormalCode(code string) string { return strings.ToLower(strings.Join(strings.Fields(code), "")) }

// withCode is the room of the class that has a code; nil if none has.
func (rs *Rooms) withCode(code string) *Room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	for _, r := range rs.rooms {
		if r.class != nil && r.class.code == code {
			return r
		}
	}
	return nil
}
