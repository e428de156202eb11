package judge

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A history is what happened in a trial, as its log has it, with all that the properties
// are judged by. Instants are in microseconds of the run.
type history struct {
	trial   Trial
	summary check.Summary
	clients []*contender // by number, from 1
	holds   []*hold      // in the order of their beginnings
	znodes  []*znode     // in the order of their creation
	byPath  map[string]*znode
	times   []int64 // of the events, in their order
	servers []span  // when they were broken
	away    []span  // when nobody reached them: the observer has lost its connection
	stalls  []span  // the machine stood still
	opened  int64   // when a client had a session for the first time; 0 if none had
	stopped instant
	missed  *event.Reason // why a fault of the trial did not happen; nil if all did
	pending []event.Event // faults that wait for what a client does
}

// An instant is when something happened, and the event that tells it.
type instant struct {
	at  int64
	seq int64
}

// A span is a time between two instants. To is unending while it goes on.
type span struct{ from, to int64 }

const unending = int64(1) << 60

// A contender is what is known of one client.
type contender struct {
	number   int
	session  string
	alive    []span // of its processes
	held     *hold  // that it believes in; nil if none
	paused   []span
	cut      []span // the server does not hear it, or it does not hear the server
	received []int64
	looked   int64     // when it last asked for a znode or for children
	refused  []instant // the server told it that its session has expired
	ended    []ending  // its programs, by themselves
	open     int       // its connections
	wrote    wrote
	queued   []queued
	watches  []watch
	attempts []attempt // to get the lock
}

// An attempt lasts from when its client stands in the queue, or watches what it waits for, to
// the acquisition or to when it gives up. To is unending while it goes on.
type attempt struct {
	span
	seq int64 // of the event at its beginning, then of that at its end
}

// A contender is queued when it stands in the queue by a znode, watches what it waits for, or
// was refused a znode.
type queued struct {
	at   int64
	path string // of its znode; empty if it has none
}

// wrote is the line of a standard error that tells most: the last one, but where that ends
// with a trace, or with the program's version, the one that names the error.
type wrote struct {
	line  string
	names bool // an error
	at    int64
}

var namesError = regexp.MustCompile(`(?i)^(\S.*)?(error|exception|panic|fatal)`)

func (w *wrote) add(e *event.Event) {
	names := namesError.MatchString(e.Why)
	if names || !w.names || e.At-w.at > micros(Grace) {
		*w = wrote{e.Why, names, e.At}
	}
}

// An ending is the end of a program that nobody asked for.
type ending struct {
	instant
	why  *event.Reason
	kept bool // at the end of the run: it has left its session open
}

// A hold is a client's belief that it holds the lock.
type hold struct {
	client   *contender
	read     bool
	path     string
	session  string // of the client, when it acquired
	several  bool   // of its sessions had a connection
	token    int64
	looked   int64 // when its client last asked for a znode or for children, before
	began    instant
	to       int64
	end      string // the kind of event that ended it
	notified int64  // when it was told that its znode is gone; 0 if it was not
}

// A watch is one that a client has on the server.
type watch struct {
	id   int64
	path string
	set  span
}

// A znode is one in the queue.
type znode struct {
	path    string
	flags   string // of its create
	client  *contender
	session string
	made    instant
	gone    instant // at is unending while it is there
	cause   string
	by      int
}

// newHistory reads a log.
func newHistory(t Trial, summary check.Summary, events []event.Event) *history {
	h := &history{trial: t, summary: summary, byPath: make(map[string]*znode), stopped: instant{at: unending}}
	for number := range t.Scenario.Clients {
		h.clients = append(h.clients, &contender{number: number + 1, alive: []span{{0, unending}}})
	}
	for i := range events {
		e := &events[i]
		h.times = append(h.times, e.At)
		if h.stopped.at < unending {
			h.afterStop(e)
			continue
		}
		h.apply(e)
	}
	if n := len(events); h.stopped.at == unending && n > 0 {
		h.stopped = instant{events[n-1].At, events[n-1].Seq}
	}
	return h
}

func (h *history) apply(e *event.Event) {
	var c *contender
	if e.Client > 0 && e.Client <= len(h.clients) {
		c = h.clients[e.Client-1]
	}
	switch e.Kind {
	case event.NoteStopping:
		h.stopped = instant{e.At, e.Seq}
		return
	case event.NoteStalled:
		h.stalls = append(h.stalls, span{e.At - e.For*1000, e.At})
	case event.TreeDeleted:
		h.deleted(e)
	case event.TreeLost:
		h.away = append(h.away, span{e.At, unending})
	case event.TreeSynced:
		endLast(h.away, e.At)
	case event.FaultInjected, event.FaultHealed:
		h.fault(e, c)
	}
	h.awaits(e)
	if c != nil {
		h.ofClient(e, c)
	}
}

// ofClient takes an event of one client.
func (h *history) ofClient(e *event.Event, c *contender) {
	if e.Injects(event.EndsProcess) {
		h.endHold(c, e)
		endLast(c.alive, e.At)
		endLast(c.paused, e.At)
		endLast(c.cut, e.At)
		c.open = 0
	}
	switch e.Kind {
	case event.ProgramWrote:
		c.wrote.add(e)
	case event.ProgramEnded:
		why := e.Because()
		if c.wrote.line != "" {
			why = afterWriting.With(why, strconv.Quote(c.wrote.line))
		}
		c.ended = append(c.ended, ending{instant: instant{e.At, e.Seq}, why: why})
	case event.SessionGranted:
		h.opened = cmp.Or(h.opened, e.At)
		c.session = e.Session
		c.open++
	case event.SessionResumed:
		c.open++
	case event.SessionSuspended, event.SessionClosed, event.SessionLost:
		c.open = max(0, c.open-1)
	case event.SessionRefused:
		c.refused = append(c.refused, instant{e.At, e.Seq})
	case event.WireSent:
		if slices.Contains([]string{event.OpExists, event.OpGetData, event.OpGetChildren}, e.Op) {
			c.looked = e.At
		}
	case event.WireReceived:
		c.received = append(c.received, e.At)
		if e.Op == event.OpCreate && e.Err != "" && c.held == nil {
			c.queued = append(c.queued, queued{e.At, ""})
		}
		if e.Op == event.OpNotification && c.held != nil && e.Path == c.held.path && e.Type == "NodeDeleted" {
			c.held.notified = e.At
		}
	case event.LockGaveUp:
		c.endAttempt(e)
	case event.LockAcquired:
		c.endAttempt(e)
		h.endHold(c, e)
		c.held = &hold{client: c, read: e.Mode == "read", path: e.Path, session: c.session, several: c.open > 1, token: e.Token, looked: c.looked, began: instant{e.At, e.Seq}, to: unending}
		h.holds = append(h.holds, c.held)
	case event.LockEnqueued, event.LockWaiting:
		c.queued = append(c.queued, queued{e.At, e.Path})
		if n := len(c.attempts); c.held == nil && (n == 0 || c.attempts[n-1].to < unending) {
			c.attempts = append(c.attempts, attempt{span{e.At, unending}, e.Seq})
		}
	case event.LockReleased, event.LockLost:
		h.endHold(c, e)
	case event.TreeCreated:
		n := &znode{path: e.Path, flags: e.Flags, client: c, session: e.Session, made: instant{e.At, e.Seq}, gone: instant{at: unending}}
		h.znodes = append(h.znodes, n)
		h.byPath[e.Path] = n
	case event.WatchSet:
		c.watches = append(c.watches, watch{id: e.Watched.ID, path: e.Path, set: span{e.At, unending}})
	case event.WatchFired, event.WatchGone:
		for i := range c.watches {
			if w := &c.watches[i]; w.id == e.Watched.ID {
				w.set.to = e.At
			}
		}
	}
}

func (c *contender) endAttempt(e *event.Event) {
	if n := len(c.attempts); n > 0 && c.attempts[n-1].to == unending {
		c.attempts[n-1].to, c.attempts[n-1].seq = e.At, e.Seq
	}
}

func (h *history) endHold(c *contender, e *event.Event) {
	if c.held != nil {
		c.held.to, c.held.end = e.At, string(e.Kind)
		c.held = nil
	}
}

func (h *history) deleted(e *event.Event) {
	if n := h.byPath[e.Path]; n != nil {
		n.gone, n.cause, n.by = instant{e.At, e.Seq}, e.Cause, e.By
		delete(h.byPath, e.Path)
	}
}

// fault notes when a client could do nothing, and when servers could not.
func (h *history) fault(e *event.Event, c *contender) {
	healed := e.Kind == event.FaultHealed
	switch {
	case c == nil && healed:
		endLast(h.servers, e.At)
	case c == nil:
		h.servers = append(h.servers, span{e.At, e.At + max(e.For*1000, 1)})
	case e.Injects(event.StartsProcess):
		c.alive = append(c.alive, span{e.At, unending})
	case e.Fault == "pause" && healed:
		endLast(c.paused, e.At)
	case e.Fault == "pause":
		c.paused = append(c.paused, span{e.At, unending})
	case healed:
		endLast(c.cut, e.At)
	case slices.Contains(e.Effects, event.Silences):
		c.cut = append(c.cut, span{e.At, unending})
	}
}

// awaits notes a fault that waits for a request or its reply to be lost, until one is.
func (h *history) awaits(e *event.Event) {
	switch {
	case e.Kind == event.FaultInjected && strings.HasPrefix(e.Fault, "lose-re"):
		h.pending = append(h.pending, *e)
	case e.Kind == event.WireDropped:
		if i := slices.IndexFunc(h.pending, func(f event.Event) bool { return f.Client == e.Client }); i >= 0 {
			h.pending = slices.Delete(h.pending, i, i+1)
		}
	}
}

// unmet is why a fault did not happen: no client did what it waited for; nil if none waits.
func (h *history) unmet() *event.Reason {
	if len(h.pending) == 0 {
		return nil
	}
	return notMet.With(h.pending[0].Fault)
}

// afterStop looks only at how the programs end that were asked to.
func (h *history) afterStop(e *event.Event) {
	if e.Kind == event.ProgramEnded && e.Client > 0 && e.Client <= len(h.clients) {
		c := h.clients[e.Client-1]
		c.ended = append(c.ended, ending{instant: instant{e.At, e.Seq}, why: e.Because(), kept: true})
	}
}

func endLast(spans []span, at int64) {
	if n := len(spans); n > 0 && spans[n-1].to == unending {
		spans[n-1].to = at
	}
}

// excludes says whether two holds must not be at the same time.
func (x *hold) excludes(y *hold) bool { return x.client != y.client && (!x.read || !y.read) }

func micros(d time.Duration) int64 { return d.Microseconds() }

// stalled is for how long the machine stood still in a time.
func (h *history) stalled(s span) (sum int64) {
	for _, stall := range h.stalls {
		sum += max(0, min(stall.to, s.to)-max(stall.from, s.from))
	}
	return sum
}

// later is when a time has passed from an instant on in which the machine did not stand still.
func (h *history) later(from, wait int64) int64 {
	for _, stall := range h.stalls {
		if stall.to > from && stall.from < from+wait {
			wait += stall.to - max(stall.from, from)
		}
	}
	return from + wait
}

var afterWriting = event.NewCode("after-writing", "{reason}, after it wrote {line}")
