package check

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

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
		a.violate(fmt.Sprintf("client %d wrote %d at event %d, having read %d before client %d changed that at event %d",
			e.Client, e.Balance, e.Seq, e.Read, base.next.client, base.next.seq))
	}
	a.now = &balance{amount: e.Balance, from: maps.Clone(base.from)}
	a.now.from[e.Client] += deposit
}

func (a *account) verdict() event.Verdict {
	return judged(a.broken != "", a.accepted > 0)
}

func (a *account) why() string {
	switch {
	case a.broken != "":
		return a.broken + "; the account " + a.loss()
	case a.accepted == 0:
		return "nobody has written to the account yet"
	case a.refused == 0:
		return times(a.accepted, "write") + ", each based on the one before, and none had to be refused"
	default:
		return fmt.Sprintf("%s, each based on the one before, and %d refused, the last that of client %d at event %d: %s",
			times(a.accepted, "write"), a.refused, a.last.Client, a.last.Seq, a.last.Why)
	}
}

// loss says what is missing in the account, and whose deposits that are.
func (a *account) loss() string {
	var lost int64
	var clients []int
	for _, client := range slices.Sorted(maps.Keys(a.deposits)) {
		if missing := a.deposits[client] - a.now.from[client]; missing > 0 {
			lost += missing
			clients = append(clients, client)
		}
	}
	return fmt.Sprintf("should be %d, is %d: %d of %s lost", a.now.amount+lost, a.now.amount, lost, clientNames(clients))
}

// mostNamed is how many clients are named; more are counted.
const mostNamed = 4

// clientNames names clients: client 2; clients 2, 3 and 5; 7 clients.
func clientNames(clients []int) string {
	if len(clients) > mostNamed {
		return times(int64(len(clients)), "client")
	}
	names := make([]string, len(clients))
	for i, client := range clients {
		names[i] = strconv.Itoa(client)
	}
	if len(names) < 2 {
		return "client " + strings.Join(names, "")
	}
	last := len(names) - 1
	return "clients " + strings.Join(names[:last], ", ") + " and " + names[last]
}
