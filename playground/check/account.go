package check

import (
	"maps"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "fenced-account", Title: "No lost update", order: 7,
	Sentence: "No write to the account overwrites another that its writer had not read; judged by the balances that the account accepted.",
	Violated: "A write to the account is lost",
	judges:   func(l event.Lane) bool { return l.Account != "" },
	start:    func(event.Lane) fold { return newAccount() },
})

// account judges the resource that the lock protects: no write may be based on
// a balance that another write is based on already. It follows whose deposits a
// balance is made of, and so knows what is lost. static/js/model/account.js
// counts the same.
type account struct {
	now        *balance
	read       map[int]*balance // by client, until it has written
	deposits   map[int]int64    // by client: all that were accepted
	accepted   int64
	refused    int64
	last       event.Event // the refusal that was told last
	violations             // which write overwrote which
}

// A balance is what the account has, from one write to the next.
type balance struct {
	amount int64
	from   map[int]int64 // by client: its deposits in it
	next   write         // the first that is based on it
	ahead  bool          // what that made was read before it was told
}

// A write is who wrote, and where the log says so.
type write struct {
	client int
	seq    int64
}

// openingBalance is what every account begins with.
const openingBalance = 100

func newAccount() *account {
	return &account{now: &balance{amount: openingBalance, from: make(map[int]int64)},
		read: make(map[int]*balance), deposits: make(map[int]int64)}
}

func (a *account) apply(e *event.Event) {
	switch e.Kind {
	case event.ResourceRead:
		if a.now.amount != e.Balance {
			a.now.ahead = true
			a.now = &balance{amount: e.Balance, from: maps.Clone(a.now.from)}
		}
		a.read[e.Client] = a.now
	case event.ResourceAccepted:
		a.accept(e)
		delete(a.read, e.Client)
	case event.ResourceRefused:
		a.refused++
		a.last = *e
		delete(a.read, e.Client)
	}
}

func (a *account) accept(e *event.Event) {
	deposit := e.Balance - e.Read
	a.accepted++
	a.deposits[e.Client] += deposit
	base, ok := a.read[e.Client]
	if !ok {
		base = a.now
	}
	switch {
	case base.next.client == 0:
		base.next = write{e.Client, e.Seq}
		if base.ahead { // others work on it already
			a.now.from[e.Client] += deposit
			return
		}
	default:
		a.violate(overwrote.With(e.Client, e.Balance, e.Seq, e.Read, base.next.client, base.next.seq))
	}
	a.now = &balance{amount: e.Balance, from: maps.Clone(base.from)}
	a.now.from[e.Client] += deposit
}

func (a *account) verdict() event.Verdict {
	return judged(a.broken != nil, a.accepted > 0)
}

var (
	overwrote   = event.NewCode("overwrote", "{client} wrote {balance}[ at event {event}], having read {read} before {client other} changed that[ at event {then}]")
	lacks       = event.NewCode("account-lacks", "the account should be {should}, is {is}: {lost} of {clients} lost")
	nobodyWrote = event.NewCode("nobody-wrote", "nobody has written to the account yet")
	noneRefused = event.NewCode("none-refused", "{count} write, each based on the one before, and none had to be refused|{count} writes, each based on the one before, and none had to be refused")
	someRefused = event.NewCode("some-refused", "{count} write, each based on the one before, and {refused} refused, the last that of {client}[ at event {event}]: {reason}|{count} writes, each based on the one before, and {refused} refused, the last that of {client}[ at event {event}]: {reason}")
)

func (a *account) why() *event.Reason {
	switch {
	case a.broken != nil:
		return event.Several(a.broken, a.loss())
	case a.accepted == 0:
		return nobodyWrote.With()
	case a.refused == 0:
		return noneRefused.With(a.accepted)
	default:
		return someRefused.With(a.accepted, a.refused, a.last.Client, a.last.Seq, a.last.Because())
	}
}

// loss says what is missing in the account, and whose deposits that are.
func (a *account) loss() *event.Reason {
	var lost int64
	var clients []int
	for _, client := range slices.Sorted(maps.Keys(a.deposits)) {
		if missing := a.deposits[client] - a.now.from[client]; missing > 0 {
			lost += missing
			clients = append(clients, client)
		}
	}
	return lacks.With(a.now.amount+lost, a.now.amount, lost, clients)
}
