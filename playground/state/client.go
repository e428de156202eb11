package state

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Client is one client as the log tells it: what it believes, and what was done to it.
// static/js/model/client.js says more of each member.
type Client struct {
	Number      int               `json:"number"`
	Participant event.Participant `json:"participant,omitempty"`
	Name        string            `json:"name,omitempty"`
	Tells       bool              `json:"tells,omitempty"` // a guest, what it believes
	// State is what matters most of the others, and Since when it came about.
	State      string  `json:"state"`
	Since      int64   `json:"since"`
	Belief     string  `json:"belief"`
	Connection string  `json:"connection"`
	Ended      string  `json:"ended,omitempty"`
	Session    string  `json:"session,omitempty"`
	GrantedAt  int64   `json:"grantedAt,omitempty"`
	Timeout    int64   `json:"timeout,omitempty"`
	Path       string  `json:"path,omitempty"`
	Ahead      string  `json:"predecessor,omitempty"`
	Mode       string  `json:"mode,omitempty"`
	Threads    []int   `json:"threads,omitempty"`
	ZnodeGone  bool    `json:"znodeGone,omitempty"`
	Token      int64   `json:"token,omitempty"`
	Czxid      int64   `json:"czxid,omitempty"`
	Held       bool    `json:"held,omitempty"`
	Contact    int64   `json:"contact,omitempty"`
	Newest     Contact `json:"newest,omitzero"`
	Left       Left    `json:"left,omitzero"`
	Faults     Faults  `json:"faults,omitempty"`
	Asked      bool    `json:"asked,omitempty"` // to give up the lock that it holds
	GaveUp     bool    `json:"gaveUp,omitempty"`
	WokenAt    int64   `json:"wokenAt"`       // -1 for never
	InVainAt   int64   `json:"wokenInVainAt"` // the same
}

// A Contact is a frame with which the server heard from a client, and when it had before.
type Contact struct {
	Frame  int64 `json:"frame"`
	Before int64 `json:"contact"`
}

// Left is a session that its client has left behind, and when the server will end it.
type Left struct {
	Session string `json:"session"`
	Until   int64  `json:"until"`
}

func newClient(number int, participant event.Participant, name string) *Client {
	return &Client{Number: number, Participant: participant, Name: name, State: "absent", Belief: "idle", Connection: "absent", WokenAt: -1, InVainAt: -1}
}

// apply moves the client on by one event of its own. A process that has ended believes
// nothing any more, so only a new process or session brings it back.
func (c *Client) apply(e *event.Event) {
	c.Faults.apply(e)
	if c.Ended != "" && e.Kind != event.SessionGranted && !e.Injects(event.StartsProcess) {
		return
	}
	switch e.Kind {
	case event.WireSent, event.WireDelivered:
		c.heard(e)
	case event.WireHeld:
		c.unheard(e)
	case event.FaultInjected:
		c.injected(e)
	default:
		c.applySession(e)
		c.applyLock(e)
	}
	if state := c.state(); state != c.State {
		c.State, c.Since = state, e.At
	}
}

// state is what matters most. A client that believes that it holds is a holder, whatever
// became of its session: only its recipe can say that it has stopped.
func (c *Client) state() string {
	switch {
	case c.Ended != "":
		return c.Ended
	case c.Participant != "" && !c.Tells && c.Connection == "connected":
		return "untold"
	case c.Belief == "holds" || c.Connection == "connected":
		return c.Belief
	default:
		return c.Connection
	}
}

func (c *Client) applySession(e *event.Event) {
	switch e.Kind {
	case event.SessionGranted:
		if c.Ended != "" || c.Belief == "lost" {
			c.stop("idle")
		} else if c.Session != "" {
			c.leaveSession()
		}
		c.Ended = ""
		c.endSession("connected")
		c.Session, c.GrantedAt, c.Contact = e.Session, e.At, e.At
		if e.Timeout > 0 {
			c.Timeout = e.Timeout
		}
	case event.SessionResumed:
		if c.Connection == "lost" && c.Belief == "lost" {
			c.stop("idle")
		}
		c.Connection = "connected"
		if e.Session != "" {
			c.Session = e.Session
		}
	case event.SessionConnected: // it may be late, when the session is over
		if c.Connection != "lost" && c.Connection != "expired" {
			c.Connection = "connected"
		}
	case event.SessionSuspended:
		if c.Connection == "connected" {
			c.Connection = "suspended"
		}
	case event.SessionRefused:
		c.endSession("expired")
	case event.SessionLost:
		if c.Connection != "expired" && c.Connection != "absent" {
			c.endSession("lost")
		}
	case event.SessionClosed:
		c.closed()
	}
}

func (c *Client) applyLock(e *event.Event) {
	switch e.Kind {
	case event.LockEnqueued:
		c.Belief, c.GaveUp, c.Path, c.Mode, c.Czxid = "enqueued", false, e.Path, e.Mode, e.Token
	case event.LockWaiting:
		if c.Belief == "woken" {
			c.InVainAt = e.At
		}
		c.Belief, c.Ahead = "waiting", e.Predecessor
	case event.LockWoken:
		c.Belief, c.WokenAt = "woken", e.At
	case event.LockAcquired:
		c.Belief, c.Held, c.Ahead, c.Token = "holds", true, "", e.Token
		if e.Path != "" {
			c.Path = e.Path
		}
		if e.Mode != "" {
			c.Mode = e.Mode
		}
	case event.LockAsked:
		c.Asked = true
	case event.LockReleased:
		c.leave(e, "idle")
	case event.LockLost:
		c.leave(e, "lost")
	case event.LockGaveUp:
		c.stop("idle")
		c.GaveUp = true
	case event.ProgramTells:
		c.Tells = true
	case event.ProgramSilent:
		c.Tells = false
		c.stop("idle")
	case event.LockLocalQueued:
		c.Threads = append(c.Threads, e.Thread)
	case event.LockLocalLeft:
		c.Threads = slices.DeleteFunc(c.Threads, func(thread int) bool { return thread == e.Thread })
	case event.BeliefFalse:
		c.ZnodeGone = true
	case event.BeliefEnded:
		c.ZnodeGone = false
	}
}

// stop is for a client that neither waits nor holds any more.
func (c *Client) stop(belief string) {
	c.Belief, c.Asked, c.GaveUp = belief, false, false
	c.Path, c.Ahead, c.Mode, c.Token = "", "", "", 0
}

// leave is the end of a hold. It may be told late, of a former znode.
func (c *Client) leave(e *event.Event, belief string) {
	if e.Path == "" || c.Path == "" || e.Path == c.Path {
		c.stop(belief)
	}
}

// endSession is for a session that is over, as far as the client knows.
func (c *Client) endSession(connection string) {
	c.Connection, c.Session, c.WokenAt, c.InVainAt = connection, "", -1, -1
}

func (c *Client) closed() {
	c.endSession("absent")
	c.stop("idle")
	c.Threads = nil
}

// leaveSession is for a session that nobody uses any more, which goes on until it times out.
func (c *Client) leaveSession() {
	c.Left = Left{Session: c.Session, Until: c.Contact + c.Timeout*1000}
}

func (c *Client) injected(e *event.Event) {
	switch {
	case e.Injects(event.LeavesSession):
		c.Ended = "crashed"
	case e.Injects(event.EndsProcess):
		c.closed()
		c.Ended = "closed"
	case e.Injects(event.StartsProcess):
		c.leaveSession()
		c.closed()
		c.Ended, c.Connection = "", "connecting"
	}
}

// heard notes when the server last heard from the client. A frame that is still under way
// counts when it is delivered.
func (c *Client) heard(e *event.Event) {
	if e.Op == "closeSession" {
		c.endSession("absent")
	}
	if e.Op == "connect" && c.Connection == "absent" {
		c.Connection = "connecting"
	}
	if e.Kind == event.WireDelivered && e.Dir == event.In || e.Kind == event.WireSent && e.Due > 0 {
		return
	}
	c.Newest = Contact{Frame: e.Frame, Before: c.Contact}
	c.Contact = e.At
}

// unheard takes back that the server has heard a frame, which the link holds.
func (c *Client) unheard(e *event.Event) {
	if e.Dir != event.In && e.Due == 0 && e.Frame == c.Newest.Frame {
		c.Contact, c.Newest.Frame = c.Newest.Before, 0
	}
}

// Faults are those of a client, or of the servers, that go on or have been injected once.
type Faults []ActiveFault

// An ActiveFault is injected and not healed since. Until is when it heals by itself, 0 when
// it does not.
type ActiveFault struct {
	Fault string `json:"fault"`
	Since int64  `json:"since"`
	Until int64  `json:"until"`
	// Effects are those of its event.
	Effects []event.Effect `json:"effects,omitempty"`
}

// replyLost is what is noted when lose-reply has lost a reply: no fault of the catalogue.
const replyLost = "reply-lost"

func (f *Faults) apply(e *event.Event) {
	switch {
	case e.Kind == event.FaultInjected:
		if e.Injects(event.EndsProcess) || e.Injects(event.StartsProcess) {
			*f = nil
		}
		f.set(e.Fault, e)
	case e.Kind == event.FaultHealed:
		*f = slices.DeleteFunc(*f, func(a ActiveFault) bool { return a.Fault == e.Fault })
	case e.Kind == event.WireDropped && e.Dir == event.In && f.index("lose-reply") >= 0:
		f.set(replyLost, e)
	}
}

func (f *Faults) index(fault string) int {
	return slices.IndexFunc(*f, func(a ActiveFault) bool { return a.Fault == fault })
}

func (f *Faults) set(fault string, e *event.Event) {
	active := ActiveFault{Fault: fault, Since: e.At, Effects: e.Effects}
	if e.For > 0 {
		active.Until = e.At + e.For*1000
	}
	if i := f.index(fault); i >= 0 {
		(*f)[i] = active
		return
	}
	*f = append(*f, active)
}
