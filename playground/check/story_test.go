package check_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

const lockPath = "/lock"

// A story builds a log by hand: each call is one event of the lane "lane".
type story struct {
	state   *state.State
	checker *check.Checker
	seq     int64
	passed  int64 // microseconds that went by besides those of the events
	changes []event.Event
}

func tell() *story { return tellExpecting(nil) }

func tellExpecting(expect map[string]event.Verdict) *story {
	lane := event.Lane{Name: "lane", Recipe: "mutex", Path: lockPath, Clients: 9, Account: "token"}
	return tellOf(event.Run{Scenario: "told", Seed: 7, Lanes: []event.Lane{lane}, Expect: expect})
}

func tellOf(run event.Run) *story { return &story{state: state.New(run), checker: check.New(run)} }

func (s *story) event(e event.Event) *story {
	s.seq++
	e.Seq, e.At = s.seq, s.now()
	if e.Client > 0 {
		e.Lane = "lane"
	}
	for _, changed := range applyAll(s.state, s.checker, e) {
		changed.Why = changed.Reason.English() // as the log does
		s.changes = append(s.changes, changed)
	}
	return s
}

// applyAll has the checker read an event and what follows from it, and returns the
// verdicts that have changed.
func applyAll(state *state.State, checker *check.Checker, e event.Event) []event.Event {
	var changed []event.Event
	for _, fact := range state.Apply(e) {
		fact.At = e.At
		changed = append(changed, checker.Apply(fact)...)
	}
	return append(changed, checker.Apply(e)...)
}

// now is when the last event was; there are 10 microseconds between two.
func (s *story) now() int64 { return s.seq*10 + s.passed }

// pass lets microseconds go by in which nothing happens.
func (s *story) pass(microseconds int64) { s.passed += microseconds }

func node(number int, read bool) string {
	kind := "lock-"
	if read {
		kind = "__READ__"
	}
	return fmt.Sprintf("%s/_c_guid-%s%010d", lockPath, kind, number)
}

func (s *story) created(client, number int, read ...bool) *story {
	return s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: node(number, len(read) > 0)})
}

func (s *story) deleted(client, number int, read ...bool) *story {
	return s.event(event.Event{Kind: event.TreeDeleted, Client: client, Path: node(number, len(read) > 0)})
}

func (s *story) acquired(client, number int, read ...bool) *story {
	return s.event(event.Event{Kind: event.LockAcquired, Client: client, Path: node(number, len(read) > 0)})
}

func (s *story) lock(kind event.Kind, client int) *story {
	return s.event(event.Event{Kind: kind, Client: client})
}

// waitsBeside has a client wait that has no place in a queue, and inTurn has one hold.
func (s *story) waitsBeside(client int) *story { return s.lock(event.LockWaiting, client) }

func (s *story) inTurn(client int) *story {
	return s.event(event.Event{Kind: event.LockAcquired, Client: client, Path: lockPath + "/holder"}).lock(event.LockReleased, client)
}

// thread has one stand in the queue of its client's process.
func (s *story) thread(client, number int) *story {
	return s.event(event.Event{Kind: event.LockLocalQueued, Client: client, Thread: number})
}

func (s *story) deleteSent(client, number int) *story {
	return s.event(event.Event{Kind: event.WireSent, Client: client, Op: "delete", Xid: int32(number), Path: node(number, false)})
}

func (s *story) deleteAnswered(client, number int, err string) *story {
	return s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "delete", Xid: int32(number), Path: node(number, false), Err: err})
}

// synced says that the tree in the log is the server's of just now.
func (s *story) synced() *story {
	return s.event(event.Event{Kind: event.TreeSynced, Sent: s.now() + 10})
}

func (s *story) note(kind event.Kind) *story { return s.event(event.Event{Kind: kind}) }

func (s *story) crash(client int) *story {
	return s.event(event.Event{Kind: event.FaultInjected, Client: client, Fault: "crash", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}})
}

// startAgain is a new process of a client that is gone.
func (s *story) startAgain(client int) *story {
	return s.event(event.Event{Kind: event.FaultInjected, Client: client, Fault: "start-again", Effects: []event.Effect{event.StartsProcess}})
}

func (s *story) granted(client int, session string) *story {
	return s.event(event.Event{Kind: event.SessionGranted, Client: client, Session: session})
}

// createdIn is created, of a session.
func (s *story) createdIn(client, number int, session string) *story {
	return s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: node(number, false), Session: session})
}

func (s *story) verdict(t *testing.T, name string) check.Verdict {
	t.Helper()
	for _, v := range s.checker.Summary().Lanes[0].Verdicts {
		if v.Check == name {
			return v
		}
	}
	t.Fatalf("no check is called %q", name)
	return check.Verdict{}
}

// joined tells that clients came into the queue, each with the znode of its
// number, made by the transaction of ten times that.
func (s *story) joined(clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: node(client, false), Cause: "client"})
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "create", Path: node(client, false), Zxid: int64(client) * 10})
	}
	return s
}

// herd tells that clients list the directory, and wait for a change of it.
func (s *story) herd(zxid int64, children int, clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getChildren", Path: lockPath, Watch: true, Zxid: zxid, Children: children})
		s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: node(client, false), Predecessor: lockPath})
	}
	return s
}

func (s *story) woken(clients ...int) *story {
	for _, client := range clients {
		s.lock(event.LockWoken, client)
	}
	return s
}

// releases tells that a client releases, and by which transaction.
func (s *story) releases(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.LockReleased, Client: client, Path: node(client, false)})
	s.event(event.Event{Kind: event.TreeDeleted, Client: client, Path: node(client, false), Cause: "client"})
	return s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "delete", Path: node(client, false), Zxid: zxid})
}
