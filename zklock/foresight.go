package zklock

import "github.com/zkplayground/zkplayground/zklock/internal/mechanism"

// A foresight is the guess of one place, and the watches that went with its
// create, if the own number could be told before the server did. The requests
// of one packet are carried out in their order: so watches that were foreseen
// are as good as those that are asked for when the number is known.
type foresight struct {
	guess      *guess
	connection <-chan struct{} // closed when there is another
	watches    []*watchRequest // nil when there are none
	heir       *watchRequest   // that is sent with them, nil without one
}

// foresee guesses who will be just ahead. It does so only where a wrong guess
// does no more harm than to be wrong.
func (a *acquisition) foresee() {
	a.forget()
	if a.config.without.Has(mechanism.Guess) || !a.steady || a.try || a.config.textbook || a.config.maxWaiters > 0 {
		return
	}
	if g := a.habit.guess(); g != nil {
		a.foresight = &foresight{guess: g}
	}
}

// forget leaves what was foreseen, and is not needed, to other waiters.
func (a *acquisition) forget() {
	if a.foresight == nil {
		return
	}
	for _, w := range a.foresight.watches {
		w.leave()
	}
	if a.foresight.heir != nil {
		a.foresight.heir.leave()
	}
	a.foresight = nil
}

// sendForeseeing sends a create together with the watches that are foreseen.
func (a *acquisition) sendForeseeing(create request[creation]) *call[creation] {
	if f := a.foresight; f != nil && f.guess.sequence != 0 {
		made := newCall(create)
		f.connection = a.session.nextConnection()
		watches, out := a.foreseen()
		if a.session.exchange(append([]outgoing{{frame: create.frame, errand: made}}, out...)) {
			f.watches = watches
			return made
		}
		f.heir = nil
	}
	return send(a.session, create)
}

func (a *acquisition) foreseen() (watches []*watchRequest, out []outgoing) {
	f := a.foresight
	names := f.guess.names(a.marker, f.guess.sequence)
	if a.awaitsHeir() {
		f.heir = a.heirRequest()
		names = names[:1]
	}
	for _, name := range names {
		w := a.watchOf(name, f.connection)
		w.readable = f.guess.readable == f.connection
		watches = append(watches, w)
	}
	if f.heir != nil {
		return watches, outgoingOf(append(watches[:1:1], f.heir))
	}
	return watches, outgoingOf(watches)
}
