package guests

import (
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// A Place has runs that guests can join, one after the other: a [room.Room], or [Alone].
type Place interface {
	// Name says which place it is; [room.Main] has the first port.
	Name() string
	// Current returns the newest run, nil before the first, and a channel that is closed when
	// that or its state changes.
	Current() (*run.Run, <-chan struct{})
	// Gone is closed when no guest can come any more.
	Gone() <-chan struct{}
}

// Alone is the place of one run that is in no room.
func Alone(only *run.Run) Place { return alone{only} }

type alone struct{ run *run.Run }

func (alone) Name() string                           { return room.Main }
func (a alone) Current() (*run.Run, <-chan struct{}) { return a.run, a.run.Done() }
func (a alone) Gone() <-chan struct{}                { return a.run.Done() }
