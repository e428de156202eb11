package state

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Flight is a frame on its way. Due is 0 while the link holds it.
type Flight struct {
	Client int             `json:"client"`
	Dir    event.Direction `json:"dir"`
	Op     string          `json:"op"`
	Path   string          `json:"path,omitempty"`
	Frame  int64           `json:"frame"`
	Sent   int64           `json:"sent"`
	Due    int64           `json:"due"`
}

// flights are the frames under way, in the order in which they set off.
type flights struct {
	all   map[flightName]*Flight
	order []*Flight // with some that have ended
}

type flightName struct {
	client int
	dir    event.Direction
	frame  int64
}

// A frame that ended without an event of its own is forgotten after so long, in microseconds,
// when one in so many events comes.
const (
	forgetAfter = 2_000_000
	sweptEvery  = 1000
)

func (f *flights) apply(e *event.Event) {
	if e.Seq%sweptEvery == 0 {
		f.drop(func(flight *Flight) bool { return flight.Due > 0 && flight.Due+forgetAfter < e.At })
	}
	switch e.Kind {
	case event.WireSent:
		if e.Due > 0 {
			f.start(e, event.Out)
		}
	case event.WireHeld:
		f.start(e, e.Dir)
	case event.WireDelivered, event.WireDropped:
		delete(f.all, flightName{e.Client, e.Dir, e.Frame})
	case event.WireReceived:
		delete(f.all, flightName{e.Client, event.In, e.Frame})
	case event.SessionClosed, event.NoteLeft:
		f.clear(e.Client)
	case event.FaultInjected:
		if e.Injects(event.LeavesSession) {
			f.clear(e.Client)
		}
	}
}

func (f *flights) start(e *event.Event, dir event.Direction) {
	name := flightName{e.Client, dir, e.Frame}
	flight := f.all[name]
	if flight == nil {
		flight = &Flight{Client: e.Client, Dir: dir, Frame: e.Frame, Sent: e.At}
		f.all[name] = flight
		f.order = append(f.order, flight)
	}
	flight.Op, flight.Path, flight.Due = e.Op, e.Path, e.Due
	if len(f.order) > 2*len(f.all)+sweptEvery {
		f.order = f.list()
	}
}

func (f *flights) clear(client int) {
	f.drop(func(flight *Flight) bool { return flight.Client == client })
}

func (f *flights) drop(which func(*Flight) bool) {
	for name, flight := range f.all {
		if which(flight) {
			delete(f.all, name)
		}
	}
}

func (f *flights) list() []*Flight {
	return slices.DeleteFunc(slices.Clone(f.order), func(flight *Flight) bool {
		return f.all[flightName{flight.Client, flight.Dir, flight.Frame}] != flight
	})
}
