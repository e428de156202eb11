package check

import (
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "fenced-account", Title: "No lost update", order: 7,
	Sentence: "No write to the account overwrites another that its writer had not read; judged by the balances that the account accepted.",
	Violated: "A write to the account is lost",
	judges:   func(l event.Lane) bool { return l.Account != "" },
	start:    func() fold { return newAccount() },
})

// account judges the resource that the lock protects: no write may be based on
// a balance that somebody else has changed since it was read. Each write turns
// the balance that it read into a higher one, so an update was lost exactly when
// two accepted writes are based on the same balance. That does not depend on
// the order in which their writers were told.
type account struct {
	writes  map[int64]write // accepted, by the balance that they are based on
	balance int64           // after the last accepted write, as they were told
	refused int64
	last    event.Event // the refusal that was told last
	broken  string      // why, once violated
}

// A write is who wrote, and where the log says so.
type write struct {
	client int
	seq    int64
}

func newAccount() *account { return &account{writes: make(map[int64]write)} }

func (a *account) apply(e *event.Event) {
	switch e.Kind {
	case event.ResourceAccepted:
		a.accept(e)
	case event.ResourceRefused:
		a.refused++
		a.last = *e
	}
}

func (a *account) accept(e *event.Event) {
	if other, lost := a.writes[e.Read]; lost && a.broken == "" {
		a.broken = fmt.Sprintf("client %d wrote %d at event %d, having read %d before client %d changed that at event %d: "+
			"the account was at %d, and should now be at %d",
			e.Client, e.Balance, e.Seq, e.Read, other.client, other.seq, a.balance, a.balance+e.Balance-e.Read)
	}
	a.writes[e.Read] = write{e.Client, e.Seq}
	a.balance = e.Balance
}

func (a *account) verdict() event.Verdict {
	return judged(a.broken != "", len(a.writes) > 0)
}

func (a *account) why() string {
	switch {
	case a.broken != "":
		return a.broken
	case len(a.writes) == 0:
		return "nobody has written to the account yet"
	case a.refused == 0:
		return times(int64(len(a.writes)), "write") + ", each based on the one before, and none had to be refused"
	default:
		return fmt.Sprintf("%s, each based on the one before, and %d refused, the last that of client %d at event %d: %s",
			times(int64(len(a.writes)), "write"), a.refused, a.last.Client, a.last.Seq, a.last.Why)
	}
}
