package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path"
	"strconv"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A ProgramConfig says which program the clients of a run are. All is needed but Env.
type ProgramConfig struct {
	// Command, Env and Supervisor are those of program.Config.
	Command, Env, Supervisor []string
	// Sessions remembers which session was opened in which lane.
	Sessions *chroot.Sessions
}

// A programAccess is a program that is not ours, and has a client of its own. That
// connects to a port which is the process's alone, and is confined to the lane.
type programAccess struct {
	client  *Process
	derived *derived
	life    context.Context // of its connections
	end     context.CancelFunc
	serving sync.WaitGroup

	mu      sync.Mutex
	process *program.Process
	mode    string      // of the turn under way
	held    string      // the znode that it holds by, as far as that is known
	kept    leftSession // what the server keeps of it; no id if that is nothing
	closing bool        // it has asked to close that, beyond recall
	conns   int
	paused  bool
	ended   bool // it is to end, or has
}

func newProgramAccess(c *Process) *programAccess {
	a := &programAccess{client: c, derived: newDerived(c.lane.Path)}
	a.life, a.end = context.WithCancel(context.Background())
	return a
}

// open starts the program.
func (a *programAccess) open() (recipe.Lock, error) {
	c := a.client
	listener, err := new(net.ListenConfig).Listen(a.life, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for the program: %w", err)
	}
	given := c.config.Program
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return nil, errors.Join(program.ErrEnded, listener.Close())
	}
	a.process, err = program.Start(program.Config{Command: given.Command, Supervisor: given.Supervisor,
		Env: append([]string{
			"PLAYGROUND_SERVER=" + listener.Addr().String(),
			"PLAYGROUND_LOCK=" + a.seen(c.lane.Path),
			"PLAYGROUND_CLIENT=" + strconv.Itoa(c.number),
			"PLAYGROUND_SESSION_MS=" + strconv.FormatInt(time.Duration(c.config.Scenario.Session).Milliseconds(), 10),
		}, given.Env...),
		Said: a.said, Wrote: a.wrote, Ended: a.hasEnded})
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	if a.paused {
		a.process.Pause()
	}
	a.serving.Go(func() {
		_ = chroot.Serve(a.life, listener, chroot.Config{Root: c.lane.Root, Sessions: given.Sessions,
			Dial: a.dial, Ended: a.disconnected, Refused: a.refused}) // it ends with the program
	})
	return programLock{a}, nil
}

// seen is a path as the program sees it, and whole is the path that it stands for.
func (a *programAccess) seen(whole string) string { return whole[len(a.client.lane.Root):] }
func (a *programAccess) whole(seen string) string { return path.Join(a.client.lane.Root, seen) }

// dial connects the program to a server, each time to another one if there are several.
func (a *programAccess) dial(context.Context, chroot.Guest) (net.Conn, error) {
	c := a.client
	a.mu.Lock()
	a.conns++
	attempt := c.number + a.conns
	a.mu.Unlock()
	servers := c.config.ZooKeeper.Addresses
	timeout := watchTimeout(time.Duration(c.config.Scenario.Session)) + c.config.HandshakeTimeout
	return c.link.Dial("tcp", servers[attempt%len(servers)], timeout)
}

func (a *programAccess) disconnected(_ chroot.Guest, why error) {
	a.mu.Lock()
	told := a.kept.id != 0 && !a.ended
	a.mu.Unlock()
	if told {
		a.client.emit(event.Event{Kind: event.SessionSuspended, Reason: Because(why)})
	}
}

func (a *programAccess) refused(_ chroot.Guest, r chroot.Refusal) {
	a.client.emit(event.Event{Kind: event.NoteRefused, Op: r.Op, Path: a.whole(r.Path), Err: r.Code.String(), Reason: RefusalReason(r, nil)})
}

var closedItself = event.NewCode("program-closed-session", "the program has closed its session")

// heard follows the session, and the queue, by the frames.
func (a *programAccess) heard(e event.Event) {
	c := a.client
	switch {
	case e.Kind == event.SessionGranted || e.Kind == event.SessionResumed:
		id, password, timeout := c.tap.Session()
		a.mu.Lock()
		a.kept, a.closing = leftSession{id, password, timedOutAt(c.config.Recorder.Now(), timeout)}, false
		a.mu.Unlock()
		c.emit(event.Event{Kind: event.SessionConnected, Session: e.Session})
	case e.Kind == event.SessionRefused:
		a.forget()
	case e.Op == event.OpCloseSession && e.Kind != event.WireReceived:
		a.mu.Lock()
		a.closing = e.Dir == event.In || e.Kind == event.WireSent && e.Due == 0 || e.Kind == event.WireDelivered // an answer that is dropped is one, too
		a.mu.Unlock()
	case e.Op == event.OpCloseSession:
		if id := a.forget(); a.isEnded() {
			c.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
		} else { // what it believes of the lock is its own affair
			c.emit(event.Event{Kind: event.SessionLost, Session: wire.SessionHex(id), Reason: closedItself.With()})
		}
	default:
		if told, ok := a.derived.from(e); ok {
			told.Mode = a.modeNow()
			c.emit(told)
		}
	}
}

func (a *programAccess) modeNow() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.mode
}

// forget notes that the server keeps nothing of the session, and returns its id.
func (a *programAccess) forget() (id int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	id, a.kept = a.kept.id, leftSession{}
	return id
}

func (a *programAccess) isEnded() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

var (
	programSays  = event.NewCode("program-says", "the program says: {text words}")
	programLost  = event.NewCode("program-lost", "the program has lost the lock, and does not say why")
	programWants = event.NewCode("program-failed", "the program has not got the lock, and does not say why")
)

// said tells the log what the program believes.
func (a *programAccess) said(m program.Message) {
	told := event.Event{Mode: a.modeNow(), Token: m.Token}
	switch m.Type {
	case program.At:
		told = event.Event{Kind: event.ProgramAt, Line: m.Line}
	case program.Note:
		told = event.Event{Kind: event.ProgramWrote, Reason: event.Text(m.Text)}
	case program.Acquired:
		told.Kind, told.Path = event.LockAcquired, a.holdBy(m)
	case program.Failed:
		a.derived.end()
		told.Kind, told.Path, told.Reason = event.LockGaveUp, a.heldBy(), saidOr(m.Why, programWants)
	case program.Lost:
		told.Kind, told.Path, told.Reason = event.LockLost, a.heldBy(), saidOr(m.Why, programLost)
	default:
		return // released was told when it was asked to release
	}
	a.client.tell(told)
}

func saidOr(why string, otherwise *event.Code) *event.Reason {
	if why == "" {
		return otherwise.With()
	}
	return programSays.With(why)
}

// holdBy notes the znode by which the program holds: the one that it names, or else the
// newest that it has made in the queue.
func (a *programAccess) holdBy(m program.Message) string {
	a.derived.end()
	node := a.derived.newest()
	if m.Znode != "" {
		node = a.whole(m.Znode)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.held = node
	return node
}

func (a *programAccess) heldBy() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.held
}

func (a *programAccess) wrote(line string) {
	a.client.emit(event.Event{Kind: event.ProgramWrote, Reason: event.Text(line)})
}

// hasEnded is told how the program has ended; nil if it was to.
func (a *programAccess) hasEnded(err error) {
	if err == nil {
		return
	}
	c := a.client
	c.link.Kill()
	a.mu.Lock()
	like := Crash
	if a.kept.id == 0 {
		like = closeFault
	}
	a.ended = true
	a.mu.Unlock()
	if a.tellEnd(like, Because(err)) {
		c.stop()
		c.endFaults(endedWithProcess.With())
	}
	a.end()
}

func (a *programAccess) opened() bool { return a.current() != nil }

func (a *programAccess) current() *program.Process {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.process
}

func (a *programAccess) awaitConnected(ctx context.Context) error {
	select {
	case <-a.current().Gone():
		return program.ErrEnded
	default:
		return context.Cause(ctx)
	}
}

// close lets the program end by itself, and ends it and its session when ctx ends before.
func (a *programAccess) close(ctx context.Context) {
	a.mu.Lock()
	process := a.process
	a.ended = true
	a.mu.Unlock()
	if process != nil {
		process.Close(ctx)
		a.leaveSession()
	}
	a.end()
}

var keptSession = event.NewCode("program-kept-session", "it has ended without closing its session")

// leaveSession notes what becomes of the session of a program that has ended without its
// answer: the server keeps it, unless it was asked to close it.
func (a *programAccess) leaveSession() {
	a.mu.Lock()
	left, closed := a.kept.id != 0, a.closing
	a.mu.Unlock()
	switch {
	case left && closed:
		a.client.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(a.forget())})
	case left:
		a.tellEnd(Crash, keptSession.With())
	}
}

// tellEnd tells that the program has ended as if by a fault, unless it has ended before.
func (a *programAccess) tellEnd(like string, why *event.Reason) (told bool) {
	c := a.client
	kind, _ := faultOf(like)
	return c.config.Recorder.RecordIf(func() bool { return !c.crashed.Swap(true) }, event.Event{Kind: event.ProgramEnded,
		Lane: c.lane.Name, Client: c.number, Fault: like, Effects: kind.Effects, Reason: why})
}

func (a *programAccess) wait(context.Context) { a.serving.Wait() }

func (a *programAccess) pause() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = true
	if a.process != nil {
		a.process.Pause()
	}
}

func (a *programAccess) resume() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.paused = false
	if a.process != nil {
		a.process.Resume()
	}
}

func (a *programAccess) died() {
	a.mu.Lock()
	a.ended = true
	process := a.process
	a.mu.Unlock()
	if process != nil {
		process.Kill()
	}
	a.end()
}
