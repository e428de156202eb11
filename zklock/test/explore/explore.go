// Package explore visits every state that a model of servers and clients can come to, in
// whatever order things happen.
package explore

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A World is one moment of a server and its clients, as a model has it.
type World interface {
	// Key tells worlds apart.
	Key() string
	// Steps are what happens by itself, sooner or later: requests are served,
	// replies and events arrive.
	Steps(Visitor)
	// Events are what may happen, or not: clients come and leave, connections break.
	Events(Visitor)
	// Unsafe says what must never be.
	Unsafe() error
	// Asleep says who waits forever, when nothing happens by itself any more.
	Asleep() error
	// Holds reports whether somebody holds.
	Holds() bool
}

// A Visitor is given a world that may come next, and who does what to lead to it.
type Visitor func(next World, who int, what string)

// What an exploration may find.
var (
	ErrTwoHold = errors.New("some hold who exclude each other")
	ErrAsleep  = errors.New("one waits forever though it is its turn")
	ErrBusy    = errors.New("the clients never come to rest")
)

// Found is what an exploration has seen.
type Found struct {
	Worlds int
	Held   int // worlds in which somebody holds
}

// An exploration visits every world that can come of another, those first to which
// the fewest moves lead.
type exploration struct {
	numbers map[string]int32 // of the worlds, by their keys
	moves   []move           // that led to them first
	next    [][]int32        // the worlds that follow by themselves
	todo    []World          // those from number len(next) on
	held    int
}

// A move led from one world to another.
type move struct {
	from, who int
	what      string
}

// Every visits all that can follow first. It returns the first thing wrong, with the
// moves that lead to it.
func Every(first World) (Found, error) {
	e := &exploration{numbers: make(map[string]int32)}
	err := e.all(first)
	return Found{len(e.moves), e.held}, err
}

func (e *exploration) all(first World) error {
	e.reach(first, move{from: -1})
	for at := 0; at < len(e.moves); at++ {
		w := e.todo[0]
		e.todo[0], e.todo = nil, e.todo[1:]
		if err := e.visit(w, at); err != nil {
			return fmt.Errorf("%w:%s", err, e.trace(at))
		}
	}
	if at := e.circle(); at >= 0 {
		return fmt.Errorf("%w:%s", ErrBusy, e.trace(at))
	}
	return nil
}

// visit judges a world, and reaches those that follow.
func (e *exploration) visit(w World, at int) error {
	if w.Holds() {
		e.held++
	}
	if err := w.Unsafe(); err != nil {
		return err
	}
	var next []int32
	w.Steps(func(w World, who int, what string) { next = append(next, e.reach(w, move{at, who, what})) })
	e.next = append(e.next, next)
	if next == nil {
		if err := w.Asleep(); err != nil {
			return err
		}
	}
	w.Events(func(w World, who int, what string) { e.reach(w, move{at, who, what}) })
	return nil
}

// reach returns the number of a world.
func (e *exploration) reach(w World, by move) int32 {
	key := w.Key()
	at, known := e.numbers[key]
	if !known {
		at = int32(len(e.moves))
		e.numbers[key] = at
		e.moves = append(e.moves, by)
		e.todo = append(e.todo, w)
	}
	return at
}

// circle returns a world that follows by itself from one that follows from it, -1
// when there is none. It takes away those that follow from no other, until there are
// no more.
func (e *exploration) circle() int {
	before := make([]int, len(e.next))
	for _, next := range e.next {
		for _, at := range next {
			before[at]++
		}
	}
	var free []int
	for at, n := range before {
		if n == 0 {
			free = append(free, at)
		}
	}
	for len(free) > 0 {
		last := free[len(free)-1]
		free = free[:len(free)-1]
		for _, at := range e.next[last] {
			if before[at]--; before[at] == 0 {
				free = append(free, int(at))
			}
		}
	}
	return slices.IndexFunc(before, func(n int) bool { return n > 0 })
}

// trace tells the moves that lead to a world.
func (e *exploration) trace(at int) string {
	var lines []string
	for ; at > 0; at = e.moves[at].from {
		lines = append(lines, fmt.Sprintf("\n  %d %s", e.moves[at].who, e.moves[at].what))
	}
	slices.Reverse(lines)
	return strings.Join(lines, "")
}
