package run_test

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"
	"weak"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A program is that of a console, as far as the run knows it.
type program struct {
	guest *visitor

	mu   sync.Mutex
	told []string
}

func (p *program) note(what string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, what)
}

func (p *program) Pause()      { p.note("pause") }
func (p *program) Resume()     { p.note("resume") }
func (p *program) Crash()      { p.note("crash") }
func (p *program) StartAgain() { p.note("start again") }

func (p *program) Leave(ctx context.Context) {
	p.note("leave")
	_ = p.guest.CloseSession(ctx) // the log has it
}

// TestFaultsOfAConsole: a program that lives in the server does what only it can: it
// stands still, is gone, leaves in good order, and begins again with its number.
func TestFaultsOfAConsole(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	r.untilCount(3, event.LockAcquired)
	p := new(program)
	p.guest = joined(t, r, 30*time.Second, run.Joining{Kind: event.Console, Program: p})
	if e := r.untilKind(event.NoteJoined, 2); e.Participant != event.Console {
		t.Errorf("joined: %+v", e)
	}
	inject := func(name string) {
		t.Helper()
		r.must(r.Inject(t.Context(), scenario.Fault{Name: name, Client: 2}))
	}
	if err := r.Inject(t.Context(), scenario.Fault{Name: client.StartAgain, Client: 2}); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("to start again what is alive: %v", err)
	}
	node := p.guest.queue()
	inject("pause")
	inject(client.Heal)
	inject("close")
	r.untilDeleted(r.Describe().Lanes[0].Root + node)
	r.untilKind(event.SessionClosed, 2)
	inject(client.StartAgain)
	p.guest.connect(wire.Options{})
	r.untilKind(event.SessionGranted, 2)
	p.guest.queue()
	inject(client.Crash)
	r.untilKind(event.FaultInjected, 2)
	inject(client.StartAgain)
	p.guest.connect(wire.Options{})
	p.guest.queue()
	p.guest.Guest.Leave(event.Text("the test is over"))
	if e := r.untilKind(event.NoteLeft, 2); e.Why != "the test is over" {
		t.Errorf("left: %+v", e)
	}
	r.finish()
	r.verdicts(untold)
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := []string{"pause", "resume", "leave", "start again", "crash", "start again"}; !slices.Equal(p.told, want) {
		t.Errorf("the program was told %q, want %q", p.told, want)
	}
}

// TestConsoleStartedAgainIsFreed: of a process that has crashed nothing is kept once
// another has taken its place but its session, which lives on until it times out.
func TestConsoleStartedAgainIsFreed(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	p := new(program)
	p.guest = joined(t, r, 30*time.Second, run.Joining{Kind: event.Console, Program: p})
	var before []weak.Pointer[link.Link]
	var nodes []string
	for range 5 {
		before = append(before, weak.Make(p.guest.Link()))
		nodes = append(nodes, r.Describe().Lanes[0].Root+p.guest.queue())
		for _, fault := range []string{client.Crash, client.StartAgain} {
			r.must(r.Inject(t.Context(), scenario.Fault{Name: fault, Client: 2}))
		}
		p.guest.connect(wire.Options{})
	}
	kept := func() (n int) {
		runtime.GC()
		for _, link := range before {
			if link.Value() != nil {
				n++
			}
		}
		return n
	}
	for deadline := time.Now().Add(soon); kept() > 0; {
		if time.Now().After(deadline) {
			t.Fatalf("of %d processes that have crashed %d are kept", len(before), kept())
		}
		time.Sleep(10 * time.Millisecond) // the collector tells nobody
	}
	for _, e := range r.all() {
		if e.Kind == event.TreeDeleted && slices.Contains(nodes, e.Path) {
			t.Errorf("event %d: %s went before its session had timed out", e.Seq, e.Path)
		}
	}
	p.guest.Guest.Close(event.Text("the test is over"))
	for _, node := range nodes {
		r.untilDeleted(node)
	}
}
