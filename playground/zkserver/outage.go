package zkserver

import (
	"context"
	"slices"
	"time"
)

// An outage keeps a server down until its timer, if it has one, or Heal ends it.
type outage struct{ cancel context.CancelFunc }

// keepsDown says that a server is down and will not come back at once.
func (e *Ensemble) keepsDown() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.ContainsFunc(e.outages, func(o *outage) bool { return o != nil })
}

// takeDown halts a server that runs, for length if that is not 0.
func (e *Ensemble) takeDown(i int, length time.Duration) {
	e.servers[i].Halt()
	if length == 0 {
		e.setOutage(i, &outage{cancel: func() {}})
		return
	}
	timed, cancel := context.WithTimeout(e.life, length)
	mine := &outage{cancel: cancel}
	e.setOutage(i, mine)
	e.timers.Go(func() {
		<-timed.Done()
		e.timeUp(i, mine)
	})
}

// setOutage replaces the outage of a server, nil for none, and ends the timer of
// the one before.
func (e *Ensemble) setOutage(i int, o *outage) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if before := e.outages[i]; before != nil {
		before.cancel()
	}
	e.outages[i] = o
}

// timeUp revives a server whose outage is still the one that ended.
func (e *Ensemble) timeUp(i int, ended *outage) {
	ended.cancel()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.outages[i] == ended {
		e.outages[i] = nil
		e.servers[i].Revive()
	}
}

// Heal starts every server that is down, and returns when there is a leader
// again, which serves clients, or with the cause of ctx's end. Servers that
// the leader does not need may come later. They come also if no caller waits.
func (e *Ensemble) Heal(ctx context.Context) error {
	e.reviveAll()
	ctx, cancel := e.whileAlive(ctx)
	defer cancel()
	_, err := e.Leader(ctx)
	return err
}

func (e *Ensemble) reviveAll() {
	e.faults.Lock()
	defer e.faults.Unlock()
	for i, server := range e.servers {
		e.setOutage(i, nil)
		server.Revive()
	}
}

// whileAlive is ctx, but ends with Stop.
func (e *Ensemble) whileAlive(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	forget := context.AfterFunc(e.life, cancel)
	return ctx, func() { forget(); cancel() }
}
