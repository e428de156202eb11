package run_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
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
	p.guest.Guest.Leave("the test is over")
	if e := r.untilKind(event.NoteLeft, 2); e.Why != "the test is over" {
		t.Errorf("left: %+v", e)
	}
	r.finish()
	r.verdicts(nil)
	p.mu.Lock()
	defer p.mu.Unlock()
	if want := []string{"pause", "resume", "leave", "start again", "crash", "start again"}; !slices.Equal(p.told, want) {
		t.Errorf("the program was told %q, want %q", p.told, want)
	}
}
