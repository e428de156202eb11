package check

import "github.com/zkplayground/zkplayground/playground/event"

var _ = register(Check{
	Name: "fenced-account", Title: "No lost update", order: 7,
	Sentence: "No write to the account overwrites another that its writer had not read; judged by the balances that the account accepted.",
	Violated: "A write to the account is lost",
	facts:    true,
	judges:   func(l event.Lane) bool { return l.Account != "" },
	start:    func(event.Lane) fold { return newAccount() },
})

// account judges the resource that the lock protects: no write may be based on
// a balance that another write is based on already. The log has what follows from the
// writes as account.changed.
type account struct {
	now        event.Account
	refusal    event.Account // as the last refusal left it
	because    *event.Reason // of that
	violations               // which write overwrote which
}

func newAccount() *account { return &account{} }

func (a *account) apply(e *event.Event) {
	if e.Kind != event.AccountChanged {
		return
	}
	a.now = *e.Account
	w := a.now.Write
	switch {
	case w == nil:
	case !w.Accepted:
		a.refusal, a.because = a.now, e.Because()
	case w.OverClient > 0:
		a.violate(overwrote.With(w.Client, w.Balance, w.Event, w.Read, w.OverClient, w.OverEvent))
	}
}

func (a *account) verdict() event.Verdict {
	return judged(a.broken != nil, a.now.Accepted > 0)
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
		return event.Several(a.broken, lacks.With(a.now.Should, a.now.Amount, a.now.Should-a.now.Amount, a.now.Losers))
	case a.now.Accepted == 0:
		return nobodyWrote.With()
	case a.now.Refused == 0:
		return noneRefused.With(a.now.Accepted)
	default:
		return someRefused.With(a.now.Accepted, a.now.Refused, a.refusal.Write.Client, a.refusal.Write.Event, a.because)
	}
}
