package client

import (
	"cmp"
	"context"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// A guestProcess is a guest's program from its start to its end: a participant with a session.
type guestProcess struct {
	*Participant
	guest *Guest
	// derived is how it queues and waits; nil for a person at a console.
	derived *derived

	mu       sync.Mutex
	conns    int         // those that are not over
	dials    int         // how many there have been
	kept     leftSession // what the server keeps of it; no id if that is nothing
	hold     *guestHold  // what it says that it holds; nil for nothing
	closing  bool        // it has asked for the end of its session
	timeout  *time.Timer // runs while there is no connection, for as long as the session
	refusals Refusals
}

// dial connects to a server. Disconnected follows.
func (v *guestProcess) dial(ctx context.Context) (net.Conn, error) {
	v.mu.Lock()
	v.conns++
	v.dials++
	attempt := v.number + v.dials
	if v.timeout != nil && v.life.Err() == nil {
		v.timeout.Stop()
	}
	v.mu.Unlock()
	servers := v.config.ZooKeeper.Addresses
	// The first connections of a run wait for its observer, which is not their servers' fault.
	timeout := watchTimeout(time.Duration(v.config.Scenario.Session)) + v.config.HandshakeTimeout
	var failed error
	for i := range servers {
		conn, err := v.link.Dial("tcp", servers[(attempt+i)%len(servers)], timeout)
		if err == nil || ctx.Err() != nil {
			return conn, err
		}
		failed = err
	}
	return nil, failed
}

var (
	sessionTimedOut = event.NewCode("session-timed-out", "its session has timed out, as nobody came back to it")
	cutOff          = event.NewCode("cut-off", "it was cut off for good, and its session has timed out")
	hasClosed       = event.NewCode("has-closed-session", "it has closed its session")
	noSession       = event.NewCode("no-session", "it has no session")
)

// connected says whether it has a connection, and used whether it has had one.
func (v *guestProcess) connected() bool { v.mu.Lock(); defer v.mu.Unlock(); return v.conns > 0 }
func (v *guestProcess) used() bool      { v.mu.Lock(); defer v.mu.Unlock(); return v.dials > 0 }

// mayLeave says whether the guest leaves with its session: its program is elsewhere and does not
// say, by a name, who it is.
func (v *guestProcess) mayLeave() bool {
	return v.guest.config.Program == nil && v.guest.config.Name == ""
}

// disconnected notes the end of a connection. A guest that may leave does when it has no
// session, or has lost it by staying away.
func (v *guestProcess) disconnected(why error) {
	v.mu.Lock()
	v.conns--
	over := v.conns == 0 && v.life.Err() == nil
	leaves, closing := v.mayLeave(), v.closing
	id, _, timeout := v.tap.Session()
	if over && leaves && id != 0 && !closing {
		v.leaveAfter(timeout, sessionTimedOut.With())
	}
	v.mu.Unlock()
	if n := v.refusals.Untold(); n != nil {
		v.emit(event.Event{Kind: event.NoteRefused, Reason: n})
	}
	switch {
	case !over:
	case closing && leaves:
		v.guest.Leave(hasClosed.With())
	case closing:
	case id != 0:
		v.emit(event.Event{Kind: event.SessionSuspended, Reason: Because(why)})
	case leaves:
		v.guest.Leave(cmp.Or(Because(why), noSession.With()))
	}
}

// leaveAfter has the guest leave when the server has ended a session of that timeout,
// unless it comes back before. The caller holds the mutex.
func (v *guestProcess) leaveAfter(session time.Duration, why *event.Reason) {
	if v.timeout != nil {
		v.timeout.Stop()
	}
	v.timeout = time.AfterFunc(session+session/2, func() { v.guest.Leave(why) })
}

// heard follows the session by the frames.
func (v *guestProcess) heard(e event.Event) {
	switch {
	case e.Kind == event.SessionGranted || e.Kind == event.SessionResumed:
		id, password, _ := v.tap.Session()
		v.mu.Lock()
		v.kept = leftSession{id: id, password: password}
		v.mu.Unlock()
		v.emit(event.Event{Kind: event.SessionConnected, Session: e.Session})
	case e.Kind == event.SessionRefused:
		v.mu.Lock()
		v.kept = leftSession{}
		v.mu.Unlock()
	case e.Kind == event.WireSent && e.Op == event.OpCloseSession:
		v.mu.Lock()
		v.closing = true
		v.mu.Unlock()
	case e.Kind == event.WireReceived && e.Op == event.OpCloseSession:
		v.closed()
	case v.derived != nil:
		v.derive(e)
	}
}

// derive tells how the program queues and waits, as far as its frames say.
func (v *guestProcess) derive(e event.Event) {
	if told, ok := v.derived.from(e); ok {
		v.emit(told)
	}
	if e.Kind == event.WireReceived && e.Op == event.OpDelete && e.Path == v.derived.newest() && e.Err == "" {
		v.derived.left()
	}
}

// closed notes that the server has ended the session as it was asked to. The guest has
// yet to read that.
func (v *guestProcess) closed() {
	v.mu.Lock()
	id := v.kept.id
	v.kept = leftSession{}
	v.mu.Unlock()
	v.emit(event.Event{Kind: event.SessionClosed, Session: wire.SessionHex(id)})
}

// cut ends the process's connections, for good.
func (v *guestProcess) cut() {
	v.stop()
	v.mu.Lock()
	if v.timeout != nil {
		v.timeout.Stop()
	}
	v.mu.Unlock()
	v.link.Kill()
}

// close cuts the process off, waits for all that hangs on it, and returns the session
// that the server keeps of it, which nobody resumes.
func (v *guestProcess) close() leftSession {
	v.cut()
	v.leaving.Wait()
	v.closeLink()
	_, _, timeout := v.tap.Session()
	v.mu.Lock()
	defer v.mu.Unlock()
	v.guest.config.Sessions.Forget(v.kept.id)
	return leftSession{v.kept.id, v.kept.password, timedOutAt(v.config.Recorder.Now(), timeout)}
}

// refused tells of a request that was not let through, unless there are too many.
func (v *guestProcess) refused(r chroot.Refusal) {
	told, more := v.refusals.Tell()
	if !told {
		return
	}
	e := event.Event{Kind: event.NoteRefused, Op: r.Op, Path: r.Path, Err: r.Code.String(), Reason: RefusalReason(r, more)}
	if r.Path != "" {
		e.Path = strings.TrimSuffix(v.guest.lane.Root+r.Path, "/") // "/" is the lane's root
	}
	v.emit(e)
}

// What cannot be done to a program that is elsewhere.

func (v *guestProcess) mayPause() error {
	if v.guest.config.Program == nil {
		return fmt.Errorf("%w: the program of guest %d is elsewhere and cannot be stopped from here; a partition holds up what it sends and gets", ErrImpossible, v.number)
	}
	return nil
}

func (v *guestProcess) pause()  { v.guest.config.Program.Pause() }
func (v *guestProcess) resume() { v.guest.config.Program.Resume() }

// died has the program do nothing more. Nobody can resume its session.
func (v *guestProcess) died() {
	id, _, timeout := v.tap.Session()
	v.guest.config.Sessions.Forget(id)
	if program := v.guest.config.Program; program != nil {
		program.Crash()
		return
	}
	if !v.mayLeave() {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.leaveAfter(timeout, cutOff.With())
}

func (v *guestProcess) leave() (func(), error) {
	program := v.guest.config.Program
	if program == nil {
		return nil, fmt.Errorf("%w: only the program of guest %d can close its session; expire ends it at the server", ErrImpossible, v.number)
	}
	if !v.HasSession() {
		return nil, fmt.Errorf("%w: client %d has no session yet", ErrImpossible, v.number)
	}
	return func() { program.Leave(v.config.Grace) }, nil
}

func (v *guestProcess) again(f scenario.Fault) error {
	if err := v.guest.again(v, f); err != nil {
		return err
	}
	v.guest.config.Program.StartAgain()
	return nil
}
