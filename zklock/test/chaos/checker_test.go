package chaos_test

import (
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/test/chaos"
)

const (
	ms    = time.Millisecond
	read  = zklock.ModeRead
	write = zklock.ModeWrite
)

// had is an acquisition that went well: the lock was asked for 5 ms before, had
// from the one time to the other, and the znode deleted 2 ms later.
func had(client int, mode zklock.Mode, token zklock.Token, from, to time.Duration) chaos.Acquisition {
	return chaos.Acquisition{
		Client: client, Lock: "lock", Mode: mode, Node: "/lock/" + string(rune('a'+token)), Token: token, Created: int(token),
		Called: from - 5*ms, Returned: from, Held: to, Ended: to, Freed: to + 3*ms, Deleted: to + 2*ms,
	}
}

// but changes an acquisition.
func but(a chaos.Acquisition, change func(*chaos.Acquisition)) chaos.Acquisition {
	change(&a)
	return a
}

func acquisitions(all ...chaos.Acquisition) chaos.Record { return chaos.Record{Acquisitions: all} }

func writes(all ...chaos.Write) chaos.Record {
	for i := range all {
		all[i].Lock = "lock"
	}
	return chaos.Record{Writes: all}
}

// late is a client who believes 5 ms longer than its znode exists.
func late() chaos.Acquisition {
	return but(had(1, write, 1, 10*ms, 25*ms), func(a *chaos.Acquisition) { a.Deleted = 20 * ms })
}

// Histories made by hand: each rule is seen to be broken where it is, and not
// where it is not.
func TestCheck(t *testing.T) {
	first, second := had(1, write, 1, 10*ms, 20*ms), had(2, write, 2, 30*ms, 40*ms)
	overlapping := had(2, write, 2, 15*ms, 40*ms)
	undeleted := func(a *chaos.Acquisition) { a.Deleted = 0 }
	for _, test := range []struct {
		name    string
		holders int
		record  chaos.Record
		want    []chaos.Rule
	}{
		{"nothing", 1, chaos.Record{}, nil},
		{"one after the other", 1, acquisitions(first, second), nil},
		{"in any order of the entries", 1, acquisitions(second, first), nil},
		{"two writers", 1, acquisitions(first, overlapping), []chaos.Rule{chaos.Exclusion}},
		{"two at one moment", 1, acquisitions(first, had(2, write, 2, 20*ms, 30*ms)), []chaos.Rule{chaos.Exclusion}},
		{"two writers, another lock's", 1,
			acquisitions(first, but(overlapping, func(a *chaos.Acquisition) { a.Lock = "other" })), nil},
		{"two of two", 2, acquisitions(first, overlapping), nil},
		{"three of two", 2, acquisitions(first, overlapping, had(3, write, 3, 16*ms, 40*ms)), []chaos.Rule{chaos.Exclusion}},
		{"two readers", 1, acquisitions(had(1, read, 1, 10*ms, 20*ms), had(2, read, 2, 15*ms, 40*ms)), nil},
		{"readers as they come", 1, acquisitions(had(1, read, 2, 10*ms, 20*ms), had(2, read, 1, 15*ms, 40*ms)), nil},
		{"a reader under a writer", 1, acquisitions(first, had(2, read, 2, 15*ms, 40*ms)), []chaos.Rule{chaos.Exclusion}},
		{"a writer under the first of two readers", 1,
			acquisitions(had(1, read, 1, 10*ms, 50*ms), had(2, read, 2, 15*ms, 20*ms), had(3, write, 3, 30*ms, 40*ms)),
			[]chaos.Rule{chaos.Exclusion}},
		{"ended before Lock returned", 1,
			acquisitions(first, but(overlapping, func(a *chaos.Acquisition) { a.Held = -1 })), nil},
		{"overtaken", 1, acquisitions(had(1, write, 2, 10*ms, 20*ms), had(2, write, 1, 30*ms, 40*ms)),
			[]chaos.Rule{chaos.Order}},
		{"a reader overtakes a reader and the writer between", 1,
			acquisitions(had(1, read, 3, 10*ms, 20*ms), had(2, write, 2, 30*ms, 40*ms)), []chaos.Rule{chaos.Order}},
		{"overtaken by the server's order", 1,
			acquisitions(but(first, func(a *chaos.Acquisition) { a.Created = 3 }), second), []chaos.Rule{chaos.Order, chaos.Tokens}},
		{"one token twice", 1,
			acquisitions(first, but(second, func(a *chaos.Acquisition) { a.Token = 1 })), []chaos.Rule{chaos.Order, chaos.Tokens}},
		{"creation not seen", 1,
			acquisitions(first, but(second, func(a *chaos.Acquisition) { a.Created = 0 })), nil},
		{"a late announcement", 1, acquisitions(late()), []chaos.Rule{chaos.Announcement}},
		{"deletion not seen", 1, acquisitions(but(late(), undeleted)), nil},
		{"a register that rises", 1, writes(chaos.Write{Zxid: 5, Token: 1}, chaos.Write{Zxid: 7, Token: 2}, chaos.Write{Zxid: 6, Token: 1}), nil},
		{"a register that goes back", 1, writes(chaos.Write{Zxid: 5, Token: 2}, chaos.Write{Zxid: 6, Token: 1}), []chaos.Rule{chaos.Fence}},
		{"a register seen twice", 1, writes(chaos.Write{Zxid: 5, Token: 2}, chaos.Write{Zxid: 5, Token: 2}), nil},
		{"a register read as it was before", 1, writes(chaos.Write{Zxid: 6, Token: 2, Read: true}, chaos.Write{Zxid: 5, Token: 1, Read: true}), []chaos.Rule{chaos.Durability}},
		{"a register torn under a reader", 1, writes(chaos.Write{Zxid: 5, Token: 2, Torn: true}), []chaos.Rule{chaos.Fence}},
	} {
		t.Run(test.name, func(t *testing.T) {
			kinds := []chaos.Kind{{Name: "lock", Holders: test.holders}}
			if got := rules(chaos.Check(test.record, kinds)); !slices.Equal(got, test.want) {
				t.Errorf("violations of %v, want %v", got, test.want)
			}
		})
	}
}

// rules are those broken, each once.
func rules(violations []chaos.Violation) (broken []chaos.Rule) {
	for _, v := range violations {
		if !slices.Contains(broken, v.Rule) {
			broken = append(broken, v.Rule)
		}
	}
	slices.Sort(broken)
	return broken
}

// Who cannot know is excused from what it believes, and nobody else is.
func TestExcuses(t *testing.T) {
	overlapped := acquisitions(late(), had(2, write, 2, 22*ms, 40*ms))
	broken := []chaos.Rule{chaos.Announcement, chaos.Exclusion}
	fault := func(kind chaos.FaultKind, client int, from, to time.Duration) chaos.Record {
		r := overlapped
		r.Faults = []chaos.Fault{{Kind: kind, Client: client, Span: chaos.Span{From: from, To: to}}}
		return r
	}
	stall := func(from, to time.Duration) chaos.Record {
		r := overlapped
		r.Stalls = []chaos.Span{{From: from, To: to}}
		return r
	}
	endless := stall(15*ms, 27*ms)
	endless.Acquisitions = slices.Clone(endless.Acquisitions)
	endless.Acquisitions[0].Ended = 300 * ms
	for _, test := range []struct {
		name   string
		record chaos.Record
		want   []chaos.Rule
	}{
		{"no fault", overlapped, broken},
		{"expired", fault(chaos.Expire, 1, 19*ms, 21*ms), nil},
		{"another expired", fault(chaos.Expire, 2, 19*ms, 21*ms), broken},
		{"expired later", fault(chaos.Expire, 1, 26*ms, 30*ms), broken},
		{"partitioned", fault(chaos.Partition, 1, 11*ms, 21*ms), broken},
		{"paused, but not its clock", fault(chaos.Pause, 1, 11*ms, 21*ms), broken},
		{"stalled", stall(15*ms, 27*ms), nil},
		{"stalled, and later than that", endless, broken},
		{"stalled later", stall(26*ms, 40*ms), broken},
	} {
		t.Run(test.name, func(t *testing.T) {
			kinds := []chaos.Kind{{Name: "lock", Holders: 1}}
			if got := rules(chaos.Check(test.record, kinds)); !slices.Equal(got, test.want) {
				t.Errorf("violations of %v, want %v", got, test.want)
			}
		})
	}
}

// Nothing excuses the fence.
func TestFenceHasNoExcuse(t *testing.T) {
	r := writes(chaos.Write{Zxid: 5, Token: 2}, chaos.Write{Zxid: 6, Token: 1})
	r.Faults = []chaos.Fault{{Kind: chaos.Expire, Client: 1, Span: chaos.Span{To: time.Hour}}}
	r.Stalls = []chaos.Span{{To: time.Hour}}
	got := rules(chaos.Check(r, []chaos.Kind{{Name: "lock", Holders: 1}}))
	if want := []chaos.Rule{chaos.Fence}; !slices.Equal(got, want) {
		t.Errorf("violations of %v, want %v", got, want)
	}
}
