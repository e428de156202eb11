package room_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A seat is a console of a room that a test types at.
type seat struct {
	*house
	*room.Console
	run      *run.Run
	out      *console.Outbox
	requests chan console.Request
	frames   []console.Frame // that came and were not looked at yet
}

// sit opens a console in the run of a room that is there already.
func (h *house) sit(r *room.Room) *seat {
	h.Helper()
	s := &seat{house: h, out: console.NewOutbox(time.Now), requests: make(chan console.Request, 1)}
	s.run, _ = r.Current()
	c, err := r.OpenConsole("", s.out)
	if err != nil {
		h.Fatal(err)
	}
	s.Console = c
	ended := make(chan struct{})
	go func() { defer close(ended); c.Run(within(h), s.requests) }()
	h.Cleanup(func() { close(s.requests); <-ended; c.Leave(event.Text("the test is over")) })
	s.until("it is connected", func(f console.Frame) bool { return strings.Contains(f.Prompt, "CONNECTED") })
	return s
}

// until waits for a frame that pleases, and forgets those before it.
func (s *seat) until(what string, pleases func(console.Frame) bool) console.Frame {
	s.Helper()
	for deadline := within(s); ; {
		for i, f := range s.frames {
			if pleases(f) {
				s.frames = s.frames[i+1:]
				return f
			}
		}
		s.frames = nil
		select {
		case <-s.out.News():
			s.frames = s.out.Take()
		case <-deadline.Done():
			s.Fatalf("never: %s", what)
		}
	}
}

func (s *seat) line(text string) { s.requests <- console.Request{Line: &text} }

func (s *seat) inject(fault string, lasting time.Duration) {
	s.Helper()
	if err := s.run.Inject(within(s), scenario.Fault{Name: fault, Lane: s.Lane(), Client: s.Number(), Parameters: scenario.Parameters{For: scenario.Duration(lasting)}}); err != nil {
		s.Fatal(err)
	}
}

func done(f console.Frame) bool { return f.Done }

// TestConsoleCanBeBroken: a console that is paused asks nothing until it is healed; one
// that is closed, or has crashed, is gone and can be started again.
func TestConsoleCanBeBroken(t *testing.T) {
	t.Parallel()
	h := open(t)
	r := h.room(room.Main)
	h.start(r, 1)
	s := h.sit(r)
	s.inject("pause", 300*time.Millisecond)
	s.line("ls /lock")
	s.until("the line is done", done)
	await(t, s.run, func(e event.Event) bool { return e.Kind == event.FaultHealed && e.Fault == "pause" })
	healed := false
	await(t, s.run, func(e event.Event) bool {
		healed = healed || e.Kind == event.FaultHealed && e.Fault == "pause"
		asks := e.Kind == event.WireSent && e.Client == s.Number() && e.Op == "getChildren"
		if asks && !healed {
			t.Error("a paused console asks the server")
		}
		return asks
	})
	for fault, says := range map[string]string{"close": "closed its session", client.Crash: "crashed"} {
		s.inject(fault, 0)
		if f := s.until("it is gone", func(f console.Frame) bool { return f.Gone != "" }); !strings.Contains(f.Gone, says) {
			t.Errorf("after %s the console says %q", fault, f.Gone)
		}
		s.line("ls /") // nobody does it
		s.requests <- console.Request{Start: true}
		s.until("it is connected again", func(f console.Frame) bool { return strings.Contains(f.Prompt, "(CONNECTED) 0") })
	}
	s.requests <- console.Request{Start: true} // it is there
	s.until("that is done", done)
	s.line("close")
	s.until("the session is closed", done)
	s.line("connect")
	s.until("there is another", func(f console.Frame) bool { return strings.Contains(f.Prompt, "(CONNECTED) 2") })
}
