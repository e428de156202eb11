package state_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/state"
)

const directory = "/l"

func node(client int) string { return fmt.Sprintf("%s/lock-%010d", directory, client) }

// A story is a lane that is told event by event.
type story struct {
	state  *state.State
	seq    int64
	rounds map[int64]event.Round
	order  []int64
	cost   event.Cost
}

func tell() *story {
	lane := event.Lane{Name: "l", Recipe: "herd", Path: directory, Clients: 9}
	return &story{state: state.New(event.Run{Lanes: []event.Lane{lane}}), rounds: make(map[int64]event.Round)}
}

func (s *story) event(e event.Event) *story {
	s.seq++
	e.Seq, e.At = s.seq, s.seq
	if e.Kind != event.TreeSynced && e.Kind != event.TreeLost && e.Kind != event.NoteStopping {
		e.Lane = "l"
	} else if e.Sent == 0 {
		e.Sent = s.seq - 1
	}
	for _, fact := range s.state.Apply(e) {
		if fact.Kind != event.CostChanged {
			continue
		}
		s.cost = *fact.Cost
		if round := fact.Cost.Round; round != nil {
			if _, known := s.rounds[round.Change]; !known {
				s.order = append(s.order, round.Change)
			}
			s.rounds[round.Change] = *round
		}
	}
	return s
}

// joined tells that clients came into the queue, each with the znode of its number, made
// by the transaction of ten times that.
func (s *story) joined(clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.TreeCreated, Client: client, Path: node(client), Cause: "client"})
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "create", Path: node(client), Zxid: int64(client) * 10})
	}
	return s
}

// herd tells that clients list the directory, and wait for a change of it.
func (s *story) herd(zxid int64, children int, clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getChildren", Path: directory, Watch: true, Zxid: zxid, Children: children})
		s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: node(client), Predecessor: directory})
	}
	return s
}

// listed is herd of clients that do not tell whether they wait.
func (s *story) listed(zxid int64, children int, clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getChildren", Path: directory, Watch: true, Zxid: zxid, Children: children})
		s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: node(client), Predecessor: directory, Derived: true})
	}
	return s
}

// behind tells that a client waits for another one's znode to go.
func (s *story) behind(client, ahead int, zxid int64) *story {
	s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getData", Path: node(ahead), Watch: true, Zxid: zxid})
	return s.event(event.Event{Kind: event.LockWaiting, Client: client, Path: node(client), Predecessor: node(ahead)})
}

func (s *story) woken(clients ...int) *story {
	for _, client := range clients {
		s.event(event.Event{Kind: event.LockWoken, Client: client})
	}
	return s
}

func (s *story) acquired(client int) *story {
	return s.event(event.Event{Kind: event.LockAcquired, Client: client, Path: node(client)})
}

func (s *story) released(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.LockReleased, Client: client, Path: node(client)})
	return s.deleted(client, "client").event(event.Event{Kind: event.WireHeld, Client: client, Op: "delete", Path: node(client), Dir: event.In, Zxid: zxid})
}

func (s *story) gaveUp(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.LockGaveUp, Client: client, Path: node(client)})
	return s.deleted(client, "client").event(event.Event{Kind: event.WireReceived, Client: client, Op: "delete", Path: node(client), Zxid: zxid})
}

func (s *story) deleted(client int, cause string) *story {
	return s.event(event.Event{Kind: event.TreeDeleted, Client: client, Path: node(client), Cause: cause})
}

func (s *story) expired(client int) *story { return s.deleted(client, "expiry") }

func (s *story) crashed(client int) *story {
	return s.event(event.Event{Kind: event.FaultInjected, Fault: "crash", Effects: []event.Effect{event.EndsProcess, event.LeavesSession}, Client: client})
}

// synced tells that the server had come to a transaction by the event sent, or by the last.
func (s *story) synced(zxid, sent int64) *story {
	return s.event(event.Event{Kind: event.TreeSynced, Zxid: zxid, Sent: sent})
}

func (s *story) lost() *story { return s.event(event.Event{Kind: event.TreeLost}) }

// reads and writes are those of a lock that is a flag.
func (s *story) readsFlag(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "getData", Path: "/l/flag", Watch: true, Zxid: zxid})
	return s.event(event.Event{Kind: event.LockWaiting, Client: client, Predecessor: "/l/flag"})
}

func (s *story) writesFlag(client int, zxid int64) *story {
	s.event(event.Event{Kind: event.TreeChanged, Path: "/l/flag"})
	return s.event(event.Event{Kind: event.WireReceived, Client: client, Op: "setData", Path: "/l/flag", Zxid: zxid})
}

func (s *story) flag(kind event.Kind, client int) *story {
	return s.event(event.Event{Kind: kind, Client: client, Path: "/l/flag"})
}

// told is everything that is known of the rounds: what began each, whom it woke, who
// acquired, was woken for nothing, or was woken since by a client that joined.
func (s *story) told() string {
	var told []string
	for _, change := range s.order {
		r := s.rounds[change]
		text := fmt.Sprintf("%s %d: %d %d %d +%d", r.Cause, r.Client, r.Woken, r.Acquired, r.Wasted, r.Joined)
		if !r.Complete {
			text += " ..."
		}
		told = append(told, text)
	}
	return strings.Join(told, ", ")
}

// held has three clients in the queue, the first of which holds.
func held() *story { return tell().joined(1, 2, 3).acquired(1) }

// TestCost: each wake-up is put to the change that caused it, a round is complete when
// everybody that it woke has decided, and only complete rounds are summed up.
func TestCost(t *testing.T) {
	type sums struct{ wakeups, wasted, joining, unexplained, rounds, roundWakeups, roundWasted int64 }
	for name, test := range map[string]struct {
		story  *story
		rounds string
		sums   sums
	}{
		"those that watch are to be woken yet": {held().herd(30, 3, 2, 3).released(1, 40), "release 1: 0 0 0 +0 ...", sums{}},
		"one has not heard yet":                {held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2), "release 1: 1 1 0 +0 ...", sums{wakeups: 1}},
		"one has not decided yet":              {held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2).woken(3), "release 1: 2 1 0 +0 ...", sums{wakeups: 2}},
		"everybody has decided": {held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2).woken(3).herd(40, 2, 3),
			"release 1: 2 1 1 +0", sums{2, 1, 0, 0, 1, 2, 1}},
		"who lists again and is the first holds": {held().listed(30, 3, 2, 3).released(1, 40).woken(2, 3).listed(40, 2, 2, 3),
			"release 1: 2 1 1 +0", sums{2, 1, 0, 0, 1, 2, 1}},
		"also before the log tells that it is": {held().listed(30, 3, 2, 3).woken(2, 3).listed(40, 2, 2, 3).released(1, 40),
			"release 1: 2 1 1 +0", sums{2, 1, 0, 0, 1, 2, 1}},
		"or if it says so": {held().listed(30, 3, 2, 3).woken(2, 3).listed(40, 2, 2, 3).acquired(2).released(1, 40),
			"release 1: 2 1 1 +0", sums{2, 1, 0, 0, 1, 2, 1}},
		"clients that join wake the herd too, and that is no release's cost": {
			held().herd(30, 3, 2, 3).released(1, 35).woken(2, 3).acquired(2).herd(35, 2, 3).joined(4).woken(3).herd(40, 3, 3, 4).joined(5).woken(3, 4),
			"release 1: 2 1 1 +3", sums{5, 2, 3, 0, 1, 2, 1}},
		"of two changes the first has woken": {held().herd(30, 3, 2, 3).joined(4).released(1, 45).woken(2, 3).acquired(2),
			"release 1: 0 0 0 +0", sums{wakeups: 2, joining: 2, rounds: 1}},
		"the next round is under way": {held().herd(30, 3, 2, 3).released(1, 40).woken(2, 3).acquired(2).herd(40, 2, 3).released(2, 41),
			"release 1: 2 1 1 +0, release 2: 0 0 0 +0 ...", sums{2, 1, 0, 0, 1, 2, 1}},
		"nothing counts after the stop": {held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2).event(event.Event{Kind: event.NoteStopping}).woken(3).herd(40, 2, 3),
			"release 1: 1 1 0 +0 ...", sums{wakeups: 1}},
		"a wake-up before its cause, which is not told yet": {held().behind(2, 1, 30).woken(2).acquired(2), "", sums{wakeups: 1, unexplained: 1}},
		"and once that is told":                             {held().behind(2, 1, 30).woken(2).acquired(2).released(1, 40), "release 1: 1 1 0 +0", sums{wakeups: 1, rounds: 1, roundWakeups: 1}},
		"the end of a waiter's session is no round":         {held().behind(2, 1, 30).behind(3, 2, 30).expired(2).synced(50, 0).woken(3), "", sums{wakeups: 1}},
		"that of a holder is": {held().behind(2, 1, 30).behind(3, 2, 30).expired(2).synced(50, 0).woken(3).behind(3, 1, 50).expired(1).synced(60, 0).woken(3),
			"end 1: 1 0 0 +0 ...", sums{wakeups: 2, wasted: 1}},
		"and that of the first": {held().behind(3, 1, 30).expired(2).expired(1).synced(60, 0).woken(3).crashed(3).expired(3).synced(70, 0),
			"end 1: 1 0 0 +0, end 3: 0 0 0 +0", sums{wakeups: 1, rounds: 2, roundWakeups: 1}},
		"nobody waits for a dead client to be woken": {held().herd(30, 3, 2, 3).expired(3).synced(31, 0).woken(2).herd(31, 2, 2).released(1, 40).woken(2).acquired(2),
			"release 1: 1 1 0 +0", sums{2, 1, 0, 0, 1, 1, 0}},
		"a flag is released by writing": {
			tell().event(event.Event{Kind: event.TreeCreated, Client: 1, Path: "/l/flag", Cause: "client", Zxid: 10}).
				writesFlag(1, 20).flag(event.LockAcquired, 1).readsFlag(2, 20).readsFlag(3, 20).flag(event.LockReleased, 1).writesFlag(1, 30).woken(2, 3).
				readsFlag(3, 30).writesFlag(2, 40).flag(event.LockAcquired, 2).woken(3),
			"release 1: 2 1 1 +0", sums{3, 1, 0, 0, 1, 2, 1}},
		"an operator deletes the holder's znode": {held().behind(2, 1, 30).deleted(1, "outsider").synced(31, 0).woken(2).acquired(2),
			"removed 1: 1 1 0 +0", sums{wakeups: 1, rounds: 1, roundWakeups: 1}},
		"a client that gives up its place releases nothing": {held().behind(2, 1, 30).behind(3, 2, 30).gaveUp(2, 40).woken(3).behind(3, 1, 40),
			"", sums{wakeups: 1, wasted: 1}},
		"a crash leaves no round open": {held().herd(30, 3, 2, 3).released(1, 40).woken(2).acquired(2).crashed(3),
			"release 1: 1 1 0 +0", sums{wakeups: 1, rounds: 1, roundWakeups: 1}},
		// The zxid of the end may be 31 to 39.
		"three children: it had not gone yet": {held().expired(1).joined(4).herd(35, 3, 3).woken(3), "end 1: 1 0 0 +0 ...", sums{wakeups: 1}},
		"two children: it had":                {held().expired(1).joined(4).herd(35, 2, 3).woken(3), "end 1: 0 0 0 +1", sums{wakeups: 1, joining: 1, rounds: 1}},
		"what is told after the server was asked may be newer": {held().expired(1).synced(30, 1).herd(30, 3, 2, 3).joined(4).woken(2, 3),
			"end 1: 2 0 0 +0 ...", sums{wakeups: 2}},
		"the directory may have changed more than once": {
			held().herd(30, 3, 2, 3).lost().event(event.Event{Kind: event.TreeCreated, Client: 4, Path: node(4), Cause: "unseen"}).synced(60, 0).released(1, 70).woken(2, 3).acquired(2),
			"release 1: 0 0 0 +0", sums{wakeups: 2, unexplained: 2, rounds: 1}},
		"but a znode with a number comes only once": {held().behind(2, 1, 30).lost().synced(60, 0).released(1, 70).woken(2).acquired(2),
			"release 1: 1 1 0 +0", sums{wakeups: 1, rounds: 1, roundWakeups: 1}},
		"the log does not tell the watch": {held().event(event.Event{Kind: event.LockWaiting, Client: 2, Path: node(2), Predecessor: node(1)}).released(1, 40).woken(2).acquired(2),
			"release 1: 0 0 0 +0", sums{wakeups: 1, unexplained: 1, rounds: 1}},
		"a client watches its own znode too": {
			held().event(event.Event{Kind: event.WireReceived, Client: 2, Op: "getData", Watch: true, Path: node(1), Zxid: 35}).
				event(event.Event{Kind: event.WireReceived, Client: 2, Op: "getData", Watch: true, Path: node(2), Zxid: 35}).
				event(event.Event{Kind: event.LockWaiting, Client: 2, Path: node(2), Predecessor: node(1)}).released(1, 40).woken(2).acquired(2),
			"release 1: 1 1 0 +0", sums{wakeups: 1, rounds: 1, roundWakeups: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := test.story.told(); got != test.rounds {
				t.Errorf("rounds %q, want %q", got, test.rounds)
			}
			c := test.story.cost
			got := sums{c.Wakeups, c.Wasted, c.Joining, c.Unexplained, c.Rounds, c.RoundWakeups, c.RoundWasted}
			if diff := cmp.Diff(test.sums, got, cmp.AllowUnexported(sums{})); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// TestLongQueue: a release has woken the client behind it, however many have come since that
// has set its watch.
func TestLongQueue(t *testing.T) {
	s := tell().joined(1, 2).acquired(1).behind(2, 1, 20)
	for client := 3; client < 203; client++ {
		s.joined(client)
	}
	s.released(1, 2030).woken(2).acquired(2)
	got := s.rounds[s.order[0]]
	if got.Woken != 1 || got.Acquired != 1 || !got.Complete || s.cost.RoundWakeups != 1 || s.cost.Unexplained != 0 {
		t.Errorf("the release has cost %+v, and all %+v", got, s.cost)
	}
}
