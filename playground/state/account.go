package state

import (
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// account follows the resource that a lane's lock protects. A write is stale when another is
// based on the balance that its writer had read. It follows whose deposits a balance is made
// of, and so knows what is lost. What has changed is told by [event.AccountChanged].
type account struct {
	now               *balance
	read              map[int]*balance // by client, until it has written
	deposits          map[int]int64    // by client: all that were accepted
	accepted, refused int64
	underWay          []event.Write // sent, and not arrived
}

// A balance is what the account has, from one write to the next.
type balance struct {
	amount int64
	from   map[int]int64 // by client: its deposits in it
	client int           // who wrote first based on it, and which event tells that
	seq    int64
	ahead  bool // what that made was read before it was told
}

// openingBalance is what every account begins with.
const openingBalance = 100

func newAccount() *account {
	return &account{now: &balance{amount: openingBalance, from: make(map[int]int64)},
		read: make(map[int]*balance), deposits: make(map[int]int64)}
}

// apply takes the next event and adds to facts how the account has changed.
func (a *account) apply(facts []event.Event, e *event.Event, lane string) []event.Event {
	var write *event.Write
	switch e.Kind {
	case event.ResourceRead:
		changed := a.now.amount != e.Balance
		if changed {
			a.now.ahead = true
			a.now = &balance{amount: e.Balance, from: maps.Clone(a.now.from)}
		}
		a.read[e.Client] = a.now
		if !changed {
			return facts
		}
	case event.ResourceSent:
		a.underWay = append(a.underWay, event.Write{Client: e.Client, Token: e.Token, Read: e.Read, Balance: e.Balance, Event: e.Seq})
	case event.ResourceAccepted:
		write = a.accept(e)
	case event.ResourceRefused:
		a.refused++
		write = &event.Write{Client: e.Client, Token: e.Token, Read: e.Read, Balance: e.Read, Over: a.now.amount, Event: e.Seq}
		delete(a.read, e.Client)
	default:
		return facts
	}
	if write != nil {
		a.underWay = slices.DeleteFunc(slices.Clone(a.underWay), func(w event.Write) bool { return w.Client == e.Client && w.Token == e.Token })
	}
	fact := event.Event{Kind: event.AccountChanged, Lane: lane, Client: e.Client, Account: a.told(write)}
	if e.Kind == event.ResourceRefused {
		fact.Reason, fact.Why = e.Reason, e.Why
	}
	return append(facts, fact)
}

func (a *account) accept(e *event.Event) *event.Write {
	write := &event.Write{Client: e.Client, Token: e.Token, Read: e.Read, Balance: e.Balance, Over: a.now.amount, Accepted: true, Event: e.Seq}
	deposit := e.Balance - e.Read
	a.accepted++
	a.deposits[e.Client] += deposit
	base, ok := a.read[e.Client]
	delete(a.read, e.Client)
	if !ok {
		base = a.now
	}
	if base.client == 0 {
		base.client, base.seq = e.Client, e.Seq
		if base.ahead { // others work on it already
			a.now.from[e.Client] += deposit
			return write
		}
	} else {
		write.OverClient, write.OverEvent = base.client, base.seq
	}
	a.now = &balance{amount: e.Balance, from: maps.Clone(base.from)}
	a.now.from[e.Client] += deposit
	return write
}

func (a *account) told(write *event.Write) *event.Account {
	told := &event.Account{Amount: a.now.amount, Should: a.now.amount, Accepted: a.accepted, Refused: a.refused, UnderWay: slices.Clone(a.underWay), Write: write}
	for _, client := range slices.Sorted(maps.Keys(a.deposits)) {
		if missing := a.deposits[client] - a.now.from[client]; missing > 0 {
			told.Should += missing
			told.Losers = append(told.Losers, client)
		}
	}
	return told
}
