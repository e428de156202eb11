package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// ErrConnected is returned for a guest that begins again while it has a connection.
var ErrConnected = errors.New("the guest has a connection")

// GuestConfig is what [NewGuest] is told about one guest. Kind and Sessions are needed.
type GuestConfig struct {
	// Name is what its program calls itself. A guest with a name takes part until the run
	// ends, whatever becomes of its sessions; without one it leaves with its session.
	Name string
	Kind event.Participant
	// From says for people where the guest comes from.
	From string
	// Program is the code behind it, if that runs in this process; nil if it runs
	// elsewhere, and is reached by its connection alone.
	Program Program
	// Sessions remembers which session was opened in which lane.
	Sessions *chroot.Sessions
	Limits   chroot.Limits
	// NewestZxid is that of [chroot.ConnConfig].
	NewestZxid func(ctx context.Context) (int64, error)
	// Version is that of [chroot.Config].
	Version string
	// Delay is how long the guest's link carries each frame at first.
	Delay time.Duration
	// Left is told, once, when the guest takes part no more. It must not block.
	Left func(*Guest)
}

// A Program is the code of a guest that lives in this process, as that of a console.
// Each method is called by one goroutine at a time and returns when it is done; none
// may wait for what holds up the guest's connection, but Leave.
type Program interface {
	// Pause stops the program's code, and Resume lets it go on.
	Pause()
	Resume()
	// Crash ends it at once. Its connection is cut already, and so is each new one.
	Crash()
	// Leave closes its session in good order, as far as ctx allows, and ends it.
	Leave(ctx context.Context)
	// StartAgain begins it anew after a crash or Leave, by [Guest.Serve].
	StartAgain()
}

// A Guest takes part in a run with a client that is not of our making: it has a number
// in a lane, above those of the simulated clients, a link that faults can shape and a tap
// that tells every frame. What it sees as "/" is the lane's root. It may have several
// connections, one after the other, as any client that connects again.
//
// What it believes is known if its program tells. Its methods are safe for concurrent use.
type Guest struct {
	place[*guestProcess]
	shared Config
	config GuestConfig

	// The place's mutex guards these.
	gone    bool           // it has left
	tells   bool           // what it believes
	leaving sync.WaitGroup // ends what it has left behind
}

// NewGuest returns a guest that has no connection yet, and tells that it has joined.
func NewGuest(lane event.Lane, number int, shared Config, config GuestConfig) *Guest {
	g := &Guest{place: place[*guestProcess]{lane: lane, number: number, delay: config.Delay}, shared: shared, config: config}
	g.begin()
	shared.Recorder.Record(event.Event{Kind: event.NoteJoined, Lane: lane.Name, Client: number,
		Name: config.Name, Participant: config.Kind, Reason: event.Text(config.From)})
	return g
}

// begin begins a process. The caller holds the mutex, or is the only one who knows g.
func (g *Guest) begin() {
	v := &guestProcess{Participant: newParticipant(g.lane, g.number, g.shared), guest: g}
	v.owner = v
	if g.config.Kind == event.Guest {
		v.derived = newDerived(g.lane.Path)
	}
	if g.process != nil {
		g.end(g.process)
	}
	g.give(v)
}

// end has a process end whose place another takes, and keeps its session alone. The caller
// holds the mutex.
func (g *Guest) end(v *guestProcess) {
	g.leaving.Go(func() {
		v.leaving.Wait() // it may still be closing its session
		session := v.close()
		g.mu.Lock()
		defer g.mu.Unlock()
		g.forget(v)
		g.left.keep(session, g.shared.Recorder.Now())
	})
}

// Name is what its program calls itself; empty for none.
func (g *Guest) Name() string { return g.config.Name }

// Kind says what it is.
func (g *Guest) Kind() event.Participant { return g.config.Kind }

// Session is the newest session that the guest was granted; 0 for none.
func (g *Guest) Session() int64 {
	id, _, _ := g.current().tap.Session()
	return id
}

// Present says whether it has not left, and is connected if it is one that stays away without
// leaving.
func (g *Guest) Present() bool {
	g.mu.Lock()
	v, gone := g.process, g.gone
	g.mu.Unlock()
	return !gone && (g.config.Name == "" || v.connected())
}

// Inject does f, which must be valid, and returns when it has taken effect.
func (g *Guest) Inject(ctx context.Context, f scenario.Fault) error {
	g.mu.Lock()
	v, gone := g.process, g.gone
	g.mu.Unlock()
	if gone {
		return fmt.Errorf("%w: guest %d has left", ErrImpossible, g.number)
	}
	return v.Inject(ctx, f)
}

// Free ends whatever holds the guest up: the run is over.
func (g *Guest) Free() { g.current().Free() }

// Serve carries one connection of the guest's program to ZooKeeper, from its first
// byte to its last, and closes it. It returns why that has ended; nil if the program
// wanted it. It is called again for the program's next connection.
func (g *Guest) Serve(ctx context.Context, conn net.Conn) error {
	v := g.current()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(v.life, cancel)()
	config := g.Chroot()
	config.Dial = func(ctx context.Context, _ chroot.Guest) (net.Conn, error) { return v.dial(ctx) }
	config.Refused = func(_ chroot.Guest, r chroot.Refusal) { v.refused(r) }
	config.Slowed = func(chroot.Guest) { g.Slowed() }
	config.Ended = func(_ chroot.Guest, err error) { v.disconnected(err) }
	return chroot.ServeConn(ctx, conn, config)
}

// Chroot is how connections of the guest are confined to its lane.
func (g *Guest) Chroot() chroot.Config {
	return chroot.Config{Root: g.lane.Root, Sessions: g.config.Sessions, Limits: g.config.Limits,
		NewestZxid: g.config.NewestZxid, Version: g.config.Version}
}

// Dial connects the guest to ZooKeeper, for who serves its connection by other means
// than Serve. Disconnected must follow when it is over, also after an error.
func (g *Guest) Dial(ctx context.Context) (net.Conn, error) { return g.current().dial(ctx) }

// Disconnected says that a connection of the guest has ended, and why; nil if its
// program wanted it.
func (g *Guest) Disconnected(why error) { g.current().disconnected(why) }

// Refused tells of a request that did not reach the server.
func (g *Guest) Refused(r chroot.Refusal) { g.current().refused(r) }

// Slowed tells that its program asks for more than it may, so that its requests wait.
func (g *Guest) Slowed() {
	g.shared.Recorder.Record(event.Event{Kind: event.NoteLimited, Lane: g.lane.Name, Client: g.number,
		Reason: slowedDown.With(g.number, g.config.Limits.Requests)})
}

var slowedDown = event.NewCode("slowed-down", "guest {number} asks for more than {count} operations a second, and its requests wait")

var (
	endedWithGuest   = event.NewCode("ended-with-guest", "it ended with the guest")
	endedWithProgram = event.NewCode("ended-with-program", "it ended with the program")
	beginsAgain      = event.NewCode("begins-again", "the program begins again with the same number and opens a session of its own")
)

// Leave ends the guest's part in the run for the first reason that is given: its
// connections are cut, and its sessions ended at the server if its program has not.
// What that takes goes on, and is waited for by Close.
func (g *Guest) Leave(why *event.Reason) {
	g.mu.Lock()
	if g.gone {
		g.mu.Unlock()
		return
	}
	if g.tells {
		g.tellsFrom(false)
	}
	g.gone = true
	last := g.process
	processes, sessions := append(slices.Clone(g.before), last), slices.Clone(g.left)
	g.leaving.Go(func() {
		for _, v := range processes {
			sessions.keep(v.close(), g.shared.Recorder.Now())
		}
		_ = sessions.end(g.shared.Grace, g.shared.ZooKeeper) // else they time out
		if g.config.Left != nil {
			g.config.Left(g)
		}
	})
	g.mu.Unlock()
	last.endFaults(endedWithGuest.With())
	last.cut()
	g.shared.Recorder.Record(event.Event{Kind: event.NoteLeft, Lane: g.lane.Name, Client: g.number, Reason: why})
}

// Close is Leave, and returns when nothing of the guest is left.
func (g *Guest) Close(why *event.Reason) {
	g.Leave(why)
	g.leaving.Wait()
}

// Again begins anew for a program elsewhere that opens another session. It fails with
// ErrNotRunning if the guest has left, and with ErrConnected if it has a connection.
func (g *Guest) Again() error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.gone:
		return ErrNotRunning
	case g.process.connected():
		return fmt.Errorf("%w: %s is client %d", ErrConnected, g.config.Name, g.number)
	case !g.process.used():
		return nil
	}
	g.process.endFaults(endedWithProgram.With())
	g.begin()
	return nil
}

// again begins another process after one that has ended.
func (g *Guest) again(v *guestProcess, f scenario.Fault) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.config.Program == nil:
		return fmt.Errorf("%w: the program of guest %d is elsewhere, it joins again by itself", ErrImpossible, g.number)
	case g.gone:
		return ErrNotRunning
	case g.process != v || v.present() == nil:
		return fmt.Errorf("%w: client %d is alive, only one that has crashed or closed can be started again", ErrImpossible, g.number)
	}
	v.endFaults(endedWithProgram.With())
	g.begin()
	g.shared.Recorder.Record(v.injected(f, beginsAgain.With()))
	return nil
}
