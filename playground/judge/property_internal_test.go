package judge

import (
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A line is one event of a log: the milliseconds, the client, and the rest.
type line struct {
	at     int64
	client int
	e      event.Event
}

func kind(k event.Kind) event.Event { return event.Event{Kind: k} }

func acquired(path string, token int64) event.Event {
	return event.Event{Kind: event.LockAcquired, Path: path, Token: token}
}

func reading(path string) event.Event {
	return event.Event{Kind: event.LockAcquired, Path: path, Mode: "read"}
}

func made(path, session string) event.Event {
	return event.Event{Kind: event.TreeCreated, Path: path, Session: session}
}

func gone(path, cause string) event.Event {
	return event.Event{Kind: event.TreeDeleted, Path: path, Cause: cause}
}

func watches(path string, id int64) event.Event {
	return event.Event{Kind: event.WatchSet, Path: path, Watched: &event.Watched{ID: id, On: "data"}}
}

func granted(session string) event.Event {
	return event.Event{Kind: event.SessionGranted, Session: session}
}

func wroteLine(text string) event.Event {
	return event.Event{Kind: event.ProgramWrote, Why: text}
}

// logOf numbers the events, and stops the run after the last.
func logOf(lines []line) []event.Event {
	var events []event.Event
	lines = append(lines, line{lines[len(lines)-1].at + 1, 0, kind(event.NoteStopping)})
	for i, l := range lines {
		l.e.Seq, l.e.At, l.e.Client, l.e.Lane = int64(i+1), l.at*1000, l.client, lane
		events = append(events, l.e)
	}
	return events
}

// TestProperties: what each property says of small logs.
func TestProperties(t *testing.T) {
	begin := []line{{1, 1, granted("0x1")}, {1, 2, granted("0x2")}, {2, 1, made("/l/1", "0x1")}, {2, 2, made("/l/2", "0x2")}, {3, 1, acquired("/l/1", 0)}}
	pause, heal := event.Event{Kind: event.FaultInjected, Fault: "pause", Effects: []event.Effect{event.Silences}}, event.Event{Kind: event.FaultHealed, Fault: "pause"}
	for _, test := range []struct {
		name     string
		property Property
		lines    []line
		verdict  event.Verdict
		why      string
	}{
		{"one after the other", Safe, []line{{10, 1, kind(event.LockReleased)}, {11, 2, acquired("/l/2", 0)}, {20, 2, kind(event.LockReleased)}}, event.Holds, "2 acquisitions"},
		{"beside a living znode", Safe, []line{{10, 2, acquired("/l/2", 0)}, {100, 1, kind(event.LockReleased)}}, event.Violated, "by a znode that was still there"},
		{"beside a living znode for an instant", Safe, []line{{10, 2, acquired("/l/2", 0)}, {11, 1, kind(event.LockReleased)}}, event.Violated, "by a znode that was still there"},
		{"beside one that closes its session to release", Safe, []line{{10, 2, acquired("/l/2", 0)}, {11, 1, kind(event.LockReleased)}, {12, 1, gone("/l/1", "close")}}, event.Violated, "by a znode that was still there"},
		{"in a directory of its own", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, made("/l/d", "")}, {6, 1, made("/l/d/1", "0x1")}, {7, 1, acquired("/l/d", 0)}, {8, 1, pause}, {2010, 1, gone("/l/d/1", "expiry")}, {2011, 2, acquired("/l/2", 0)}, {8000, 1, heal}, {8500, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"by a znode elsewhere", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, gone("/l/1", "client")}, {6, 1, made("/m/1", "0x1")}, {7, 1, acquired("", 0)}, {10, 1, gone("/m/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {900, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"refused just after, by no znode", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, gone("/l/1", "client")}, {7, 1, acquired("", 0)}, {11, 2, acquired("/l/2", 0)}, {12, 1, kind(event.SessionRefused)}, {900, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"cleared away while it was paused", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, made("/l/3", "")}, {6, 1, acquired("/l/3", 0)}, {7, 1, pause}, {2010, 1, gone("/l/1", "expiry")}, {2011, 1, event.Event{Kind: event.TreeDeleted, Path: "/l/3", Cause: "client", By: 2}}, {2012, 2, acquired("/l/2", 0)}, {8000, 1, heal}, {8500, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"cleared away, and believed for long after", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, made("/l/3", "")}, {6, 1, acquired("/l/3", 0)}, {7, 1, pause}, {2010, 1, gone("/l/1", "expiry")}, {2011, 1, event.Event{Kind: event.TreeDeleted, Path: "/l/3", Cause: "client", By: 2}}, {2012, 2, acquired("/l/2", 0)}, {8000, 1, heal}, {9500, 1, kind(event.LockLost)}}, event.Violated, "heard nothing"},
		{"by a znode that was gone", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, gone("/l/1", "outsider")}, {60, 2, acquired("/l/2", 0)}, {70, 1, acquired("/l/1", 0)}, {200, 1, kind(event.LockReleased)}}, event.Violated, "client 1 since 0.070 s, by a znode that was gone"},
		{"two readers", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, reading("/l/1")}, {10, 2, reading("/l/2")}, {100, 1, kind(event.LockReleased)}}, event.Holds, ""},
		{"after an expiry, in time", Safe, []line{{10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {12, 1, kind(event.SessionRefused)}, {900, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"after an expiry, too late", Safe, []line{{10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {12, 1, kind(event.SessionRefused)}, {1200, 1, kind(event.LockLost)}}, event.Violated, "the server had told it"},
		{"too late, but the machine stood still", Safe, []line{{10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {12, 1, kind(event.SessionRefused)}, {900, 0, event.Event{Kind: event.NoteStalled, For: 500}}, {1300, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"too late, and the machine stood still before", Safe, []line{{3, 0, event.Event{Kind: event.NoteStalled, For: 3}}, {10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {12, 1, kind(event.SessionRefused)}, {1200, 1, kind(event.LockLost)}}, event.Violated, "the server had told it"},
		{"paused meanwhile", Safe, []line{{4, 1, pause}, {2010, 1, gone("/l/1", "expiry")}, {2011, 2, acquired("/l/2", 0)}, {8000, 1, heal}, {8500, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"paused, and too long after", Safe, []line{{4, 1, pause}, {2010, 1, gone("/l/1", "expiry")}, {2011, 2, acquired("/l/2", 0)}, {8000, 1, heal}, {9500, 1, kind(event.LockLost)}}, event.Violated, "heard nothing"},
		{"a stranger's session", Safe, []line{{5, 1, kind(event.SessionSuspended)}, {5, 1, granted("0x3")}, {6, 1, kind(event.LockReleased)}, {7, 1, acquired("/l/1", 0)}, {10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {300, 1, kind(event.LockReleased)}}, event.Violated, "not its own"},
		{"one of its two sessions, in time", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, granted("0x3")}, {7, 1, acquired("/l/1", 0)}, {10, 1, gone("/l/1", "expiry")}, {11, 2, acquired("/l/2", 0)}, {300, 1, kind(event.LockLost)}}, event.Holds, ""},
		{"its znode deleted while it held", Safe, []line{{10, 1, gone("/l/1", "outsider")}, {11, 2, acquired("/l/2", 0)}, {300, 1, kind(event.LockReleased)}}, event.Holds, ""},
		{"its znode deleted before it looked", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, made("/l/3", "0x1")}, {10, 1, gone("/l/3", "outsider")}, {11, 1, event.Event{Kind: event.WireSent, Op: event.OpGetChildren}}, {12, 1, acquired("/l/3", 0)}, {13, 2, acquired("/l/2", 0)}, {300, 1, kind(event.LockReleased)}}, event.Violated, "before it last looked"},
		{"robbed", Safe, []line{{10, 1, event.Event{Kind: event.TreeDeleted, Path: "/l/1", Cause: "client", By: 2}}, {11, 2, acquired("/l/2", 0)}, {300, 1, kind(event.LockReleased)}}, event.Violated, "client 2 had deleted"},
		{"tokens fall", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 2, acquired("/l/2", 9)}, {6, 2, kind(event.LockReleased)}, {7, 1, acquired("/l/1", 8)}, {8, 1, kind(event.LockReleased)}}, event.Violated, "no fence"},
		{"the same token after a reconnection", Safe, []line{{4, 1, kind(event.LockLost)}, {5, 1, acquired("/l/1", 9)}, {6, 1, kind(event.LockLost)}, {7, 1, acquired("/l/1", 9)}, {8, 1, kind(event.LockReleased)}}, event.Holds, ""},
		{"the same token in another session", Safe, []line{{4, 1, kind(event.LockReleased)}, {5, 1, acquired("/l/1", 9)}, {6, 1, kind(event.LockReleased)}, {7, 2, acquired("/l/2", 9)}, {8, 2, kind(event.LockReleased)}}, event.Violated, "no fence"},
		{"once", Safe, []line{{4, 1, kind(event.LockReleased)}}, event.Undecided, "too few"},
		{"nobody goes on", Live, []line{{4, 1, kind(event.LockReleased)}, {9000, 2, acquired("/l/2", 0)}}, event.Violated, "nothing kept clients 1 and 2"},
		{"watching each other", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 1, watches("/l/2", 1)}, {6, 2, watches("/l/1", 2)}, {9000, 2, acquired("/l/2", 0)}}, event.Violated, "client 1 watches the znode of client 2, client 2 watches the znode of client 1"},
		{"watching what is gone", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 1, gone("/l/1", "client")}, {6, 2, watches("/l/1", 1)}, {9000, 2, acquired("/l/2", 0)}}, event.Violated, ": client 2 watches a znode that is gone"},
		{"watching itself", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 1, watches("/l/1", 1)}, {9000, 2, acquired("/l/2", 0)}}, event.Violated, ": client 1 watches a znode of its own"},
		{"without servers", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 0, kind(event.TreeLost)}, {8000, 0, kind(event.TreeSynced)}, {9000, 2, acquired("/l/2", 0)}}, event.Holds, ""},
		{"a program that ends", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 2, event.Event{Kind: event.ProgramEnded, Why: "exit status 1", Effects: []event.Effect{event.EndsProcess}}}}, event.Violated, "client 2: exit status 1"},
		{"a program that ends with a trace", Live, []line{{4, 1, kind(event.LockReleased)}, {5, 2, wroteLine("Error: no such node")}, {5, 2, wroteLine("    at handleError (lib.js:7)")}, {5, 2, wroteLine("Node.js v20")}, {6, 2, event.Event{Kind: event.ProgramEnded, Why: "exit status 1", Effects: []event.Effect{event.EndsProcess}}}}, event.Violated, `"Error: no such node"`},
		{"a program that ends after an error of long ago", Live, []line{{1, 2, wroteLine("error: retrying")}, {4, 1, kind(event.LockReleased)}, {2000, 2, wroteLine("bye")}, {2001, 2, event.Event{Kind: event.ProgramEnded, Why: "exit status 1", Effects: []event.Effect{event.EndsProcess}}}}, event.Violated, `"bye"`},
		{"passed again and again", Fair, []line{{4, 2, kind(event.LockWaiting)}, {5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {10, 1, acquired("/l/1", 0)}}, event.Violated, "client 2 waited"},
		{"expired while it waited", Fair, []line{{4, 2, kind(event.LockWaiting)}, {5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {9, 2, gone("/l/2", "expiry")}, {9, 2, kind(event.LockEnqueued)}, {10, 1, acquired("/l/1", 0)}}, event.Undecided, "too few"},
		{"ended while it waited", Fair, []line{{4, 2, kind(event.LockWaiting)}, {5, 2, event.Event{Kind: event.ProgramEnded, Effects: []event.Effect{event.EndsProcess}}}, {5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {10, 1, acquired("/l/1", 0)}}, event.Undecided, "too few"},
		{"tries again and again", Fair, []line{{4, 2, event.Event{Kind: event.WireReceived, Op: event.OpCreate, Err: "ZNODEEXISTS"}}, {5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {10, 1, acquired("/l/1", 0)}}, event.Violated, "client 2 waited"},
		{"slow to queue up, with a znode that says that it lives", Fair, []line{{4, 2, made("/l/live-2", "0x2")}, {4, 2, event.Event{Kind: event.LockEnqueued, Path: "/l/live-2"}}, {5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {10, 1, acquired("/l/1", 0)}, {11, 1, kind(event.LockReleased)}, {12, 2, event.Event{Kind: event.LockEnqueued, Path: "/l/2"}}, {13, 2, acquired("/l/2", 0)}, {14, 2, kind(event.LockReleased)}, {15, 2, gone("/l/2", "client")}, {2000, 0, kind(event.TreeSynced)}}, event.Undecided, "too few"},
		{"slow to queue up", Fair, []line{{5, 1, kind(event.LockReleased)}, {6, 1, acquired("/l/1", 0)}, {7, 1, kind(event.LockReleased)}, {8, 1, acquired("/l/1", 0)}, {9, 1, kind(event.LockReleased)}, {10, 1, acquired("/l/1", 0)}, {11, 2, kind(event.LockWaiting)}}, event.Undecided, "too few"},
		{"two znodes", Clean, []line{{5, 1, kind(event.LockReleased)}, {6, 1, made("/l/3", "0x1")}, {6000, 1, acquired("/l/3", 0)}}, event.Violated, "it had two"},
		{"two znodes after an outage", Clean, []line{{5, 1, kind(event.LockReleased)}, {6, 1, made("/l/3", "0x1")}, {7, 0, kind(event.TreeLost)}, {2000, 0, kind(event.TreeSynced)}, {7000, 1, acquired("/l/3", 0)}}, event.Violated, "it had two"},
		{"two znodes during an outage", Clean, []line{{5, 1, kind(event.LockReleased)}, {6, 1, made("/l/3", "0x1")}, {7, 0, kind(event.TreeLost)}, {6000, 0, kind(event.TreeSynced)}, {7000, 1, acquired("/l/3", 0)}}, event.Holds, ""},
		{"a znode that says that it lives", Clean, []line{{5, 1, made("/l/live-1", "0x1")}, {6000, 1, kind(event.LockReleased)}}, event.Holds, ""},
		{"a directory and a znode in it", Clean, []line{{5, 1, made("/l/d", "")}, {6, 1, made("/l/d/1", "0x1")}, {6000, 1, kind(event.LockReleased)}}, event.Holds, ""},
		{"two znodes of different ids", Clean, []line{{5, 1, made("/l/_c_0af3-97bc-lock-0000000003", "0x1")}, {6, 1, made("/l/_c_bbcf-1de0-lock-0000000004", "0x1")}, {6000, 1, kind(event.LockReleased)}}, event.Violated, "it had two"},
		{"an old znode that goes", Clean, []line{{5, 1, kind(event.LockReleased)}, {6, 1, made("/l/3", "0x1")}, {2000, 1, gone("/l/1", "expiry")}, {6000, 1, acquired("/l/3", 0)}}, event.Holds, ""},
		{"readers together", Shared, []line{{4, 1, kind(event.LockReleased)}, {5, 1, reading("/l/1")}, {6, 2, reading("/l/2")}, {300, 1, kind(event.LockReleased)}}, event.Holds, "read together"},
		{"readers one by one", Shared, []line{{4, 1, kind(event.LockReleased)}, {5, 1, reading("/l/1")}, {6, 1, kind(event.LockReleased)}, {7, 2, reading("/l/2")}, {8, 2, kind(event.LockReleased)}, {9, 1, reading("/l/1")}, {10, 1, kind(event.LockReleased)}, {11, 2, reading("/l/2")}}, event.Violated, "never two of them at once"},
		{"few readers", Shared, []line{{4, 1, kind(event.LockReleased)}, {5, 1, reading("/l/1")}}, event.Undecided, "too few"},
		{"gives up in time", Timely, []line{{4, 2, kind(event.LockWaiting)}, {350, 2, kind(event.LockGaveUp)}, {400, 2, kind(event.LockEnqueued)}, {900, 2, kind(event.LockGaveUp)}}, event.Holds, "each ended"},
		{"gives up too late", Timely, []line{{4, 2, kind(event.LockWaiting)}, {3500, 2, kind(event.LockGaveUp)}}, event.Violated, "to give up after 300ms"},
		{"waits past the end", Timely, []line{{4, 2, kind(event.LockWaiting)}, {4000, 1, kind(event.LockReleased)}}, event.Violated, "and waited from"},
		{"no token", Fenced, []line{{10, 1, kind(event.LockReleased)}, {11, 2, acquired("/l/2", 7)}}, event.Violated, "without a token"},
	} {
		t.Run(test.name, func(t *testing.T) {
			trial := Trial{Name: "test", Scenario: withImpatient(plan(2, steady), 2), Faults: []Fault{fault("pause", 0, time.Second)}}
			h := newHistory(trial, check.Summary{}, logOf(append(append([]line(nil), begin...), test.lines...)))
			if f := h.find(test.property); f.Verdict != test.verdict || !strings.Contains(f.Why, test.why) {
				t.Errorf("%s: %s, want %s: %q", f.Verdict, f.Why, test.verdict, test.why)
			}
		})
	}
}

// TestCheap: what a release costs is told apart from what those cost who join.
func TestCheap(t *testing.T) {
	for _, test := range []struct {
		lane    check.Lane
		verdict event.Verdict
		why     string
	}{
		{check.Lane{WastedWakeups: 470, Rounds: check.Rounds{Complete: 100, WastedWakeups: 280}}, event.Violated, "each release woke 2.8 clients"},
		{check.Lane{WastedWakeups: 100, Rounds: check.Rounds{Complete: 100, WastedWakeups: 20}}, event.Violated, "for each acquisition, 1.0 clients"},
		{check.Lane{Requests: 600}, event.Holds, "6.0 requests"},
		{check.Lane{Requests: 1600}, event.Violated, "16.0 requests"},
	} {
		test.lane.Releases, test.lane.Acquisitions = 100, 100
		f := (&history{summary: check.Summary{Lanes: []check.Lane{test.lane}}}).find(Cheap)
		if f.Verdict != test.verdict || !strings.Contains(f.Why, test.why) {
			t.Errorf("%+v: %s: %s", test.lane, f.Verdict, f.Why)
		}
	}
}

// TestFaultThatWaits: a trial whose fault waits for what no client does has tried nothing.
func TestFaultThatWaits(t *testing.T) {
	turns := []line{{1, 1, acquired("/l/1", 0)}, {2, 1, kind(event.LockReleased)}, {3, 2, acquired("/l/2", 0)}, {4, 2, kind(event.LockReleased)}}
	loses := event.Event{Kind: event.FaultInjected, Fault: "lose-reply"}
	for _, test := range []struct {
		name    string
		lines   []line
		verdict event.Verdict
	}{
		{"a reply is lost", []line{{5, 1, loses}, {6, 1, event.Event{Kind: event.WireDropped, Dir: event.In}}}, event.Holds},
		{"no reply is lost", []line{{5, 1, loses}, {6, 2, event.Event{Kind: event.WireDropped, Dir: event.In}}}, event.Undecided},
	} {
		t.Run(test.name, func(t *testing.T) {
			h := newHistory(Trial{Scenario: plan(2, steady)}, check.Summary{}, logOf(append(append([]line(nil), turns...), test.lines...)))
			h.missed = h.unmet()
			for _, p := range []Property{Safe, Live, Clean} {
				if f := h.find(p); f.Verdict != test.verdict {
					t.Errorf("%s: %s, want %s: %s", p, f.Verdict, test.verdict, f.Why)
				}
			}
		})
	}
}

// TestInTheMiddle: who has lost its session is not in the queue, until it stands there anew.
func TestInTheMiddle(t *testing.T) {
	c := &conductor{trial: Trial{Scenario: plan(3, steady)}, clients: make([]conducted, 3)}
	for i, e := range []event.Event{{Client: 2, Kind: event.LockEnqueued}, {Client: 3, Kind: event.LockEnqueued}, {Client: 2, Kind: event.SessionRefused}} {
		e.Seq = int64(i + 1)
		c.take(&e, &c.clients[e.Client-1])
	}
	if got := c.inTheMiddle(); got != 0 {
		t.Errorf("client %d, but only client 3 waits", got)
	}
	c.take(&event.Event{Seq: 4, Client: 2, Kind: event.LockEnqueued}, &c.clients[1])
	if got := c.inTheMiddle(); got != 3 {
		t.Errorf("client %d, want 3, which waits in front of client 2", got)
	}
	c = &conductor{trial: c.trial, clients: make([]conducted, 3)}
	c.take(&event.Event{Seq: 1, Client: 1, Kind: event.WireReceived, Op: event.OpCreate, Err: "NodeExists"}, &c.clients[0])
	c.take(&event.Event{Seq: 2, Client: 2, Kind: event.LockWaiting}, &c.clients[1])
	if got := c.inTheMiddle(); got != 1 {
		t.Errorf("client %d, want 1, which tries again and again", got)
	}
	c.clients = c.clients[:2] // one holds
	c.clients[0] = conducted{holds: true}
	if got := c.inTheMiddle(); got != 2 {
		t.Errorf("client %d of two, want 2, the only one that waits", got)
	}
}

// TestSlowBeginning: programs may take their time until one has a session, as on a busy
// machine, and then until one has the lock; the trial waits for that as well.
func TestSlowBeginning(t *testing.T) {
	for _, test := range []struct {
		name    string
		lines   []line
		verdict event.Verdict
	}{
		{"the lock soon after the session", []line{{19_000, 1, granted("0x1")}, {30_000, 1, acquired("/l/1", 0)}}, event.Holds},
		{"no lock", []line{{1, 1, granted("0x1")}, {30_000, 0, kind(event.TreeSynced)}}, event.Violated},
		{"no session", []line{{30_000, 0, kind(event.TreeSynced)}}, event.Violated},
	} {
		t.Run(test.name, func(t *testing.T) {
			events := logOf(test.lines)
			c := &conductor{trial: Trial{Scenario: plan(1, steady)}, clients: make([]conducted, 1)}
			for i := range events {
				c.take(&events[i], &c.clients[0])
			}
			c.held = false // as it was just before
			if ended, want := c.enough(29_000_000, false), test.verdict != event.Holds; ended != want {
				t.Errorf("the trial ends after 29 s: %v, want %v", ended, want)
			}
			if f := newHistory(c.trial, check.Summary{}, events).find(Live); f.Verdict != test.verdict {
				t.Errorf("%s: %s, want %s", f.Verdict, f.Why, test.verdict)
			}
		})
	}
}

// TestEnough: a trial ends when everybody has held, but not while it is open for how long
// two hold at once.
func TestEnough(t *testing.T) {
	const begun, now = 1, 10_000_000
	for _, test := range []struct {
		name     string
		disputed int64
		turns    int
		want     bool
	}{
		{"all have held", 0, 2, true},
		{"not yet", 0, 1, false},
		{"two hold since just now", now - 50_000, 2, false},
		{"two hold for long", now - 3_000_000, 2, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			one := conducted{connected: true, holds: true, turns: test.turns}
			c := &conductor{trial: Trial{Scenario: plan(2, steady)}, clients: []conducted{one, one}, begun: begun, held: true, moved: now, disputed: test.disputed}
			if got := c.enough(now, false); got != test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}
