package run

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
)

// endTimeout is the EndTimeout of a run that is not given one. It bounds
// everything between the end of the work and the end of the run.
const endTimeout = 3 * time.Second

// The parts of it, which begin at the same time: in turnTimeout clients may finish
// a turn, in healTimeout servers that the run broke may come back. The rest is for
// the sessions and the znodes.
const (
	turnTimeout = 1500 * time.Millisecond
	healTimeout = 1500 * time.Millisecond
)

var (
	toldToStop      = event.NewCode("told-to-stop", "the clients are told to stop; counting ends here")
	allStopped      = event.NewCode("all-stopped", "every client has stopped")
	hasFinished     = event.NewCode("finished", "the run has finished")
	notAllCleanedUp = event.NewCode("not-all-cleaned-up", "the run has finished, but not everything was cleaned up")
)

// execute is the life of the run: it owns every goroutine of it.
func (r *Run) execute(work context.Context) {
	defer close(r.done)
	defer r.stop()
	defer r.endGrace()
	observing, stopObserving := context.WithCancel(context.WithoutCancel(work))
	var observer sync.WaitGroup
	observer.Go(func() { r.observer.Run(observing) })
	r.observeStores(observing, &observer)

	// The clients end later than the work, so that nothing they do because of
	// the end is counted.
	lives, endLives := context.WithCancel(context.WithoutCancel(work))
	defer endLives()
	clients := r.work(work, lives)

	ending, cancel := context.WithTimeout(context.WithoutCancel(work), r.config.EndTimeout)
	defer cancel()
	r.recorder.pace.lift() // the end is not to take longer for it
	r.setState(event.Stopping)
	why := r.endReason()
	r.recorder.Record(event.Event{Kind: event.NoteStopping, Reason: cmp.Or(why, toldToStop.With())})
	endLives()
	err := r.drain(ending, clients)

	stopObserving()
	observer.Wait()
	r.err = errors.Join(err, r.removeDirectories(ending), r.closeStores(ending), r.recorder.err())
	r.recorder.Record(finished(r.err, why))
	r.log.Seal()
	r.setState(event.Finished)
}

// work lets the clients and the scheduled faults go until they are to stop, and
// returns the clients' group, which may still have some work to finish.
func (r *Run) work(ctx, lives context.Context) *sync.WaitGroup {
	ctx, cancel := context.WithCancel(ctx)
	var schedule sync.WaitGroup
	defer schedule.Wait()
	defer cancel()
	schedule.Go(func() { defer cancel(); r.recorder.watchDisk(ctx) })
	schedule.Go(func() { r.recorder.watchStalls(ctx) })
	if r.observer.Sync(ctx) != nil {
		return new(sync.WaitGroup) // stopped before it began
	}
	r.startSchedule(ctx, &schedule)
	clients := r.startClients(lives)
	r.injection.begin(ctx)
	defer r.injection.end()
	defer cancel()
	if r.stepper.HasScript() {
		schedule.Go(func() { r.stepper.PlayScript(ctx) })
	}
	up, stopTimer := r.config.Limits.timeIsUp()
	defer stopTimer()
	select {
	case <-ctx.Done():
	case <-r.recorder.full:
	case <-up:
		r.recorder.Record(limited(tooLong.With(r.config.Limits.Duration)))
	}
	return clients
}

func (r *Run) startClients(ctx context.Context) *sync.WaitGroup {
	clients := new(sync.WaitGroup)
	for _, c := range r.clients {
		clients.Go(func() { c.Run(ctx) })
	}
	return clients
}

// drain waits until every client has released what it had, looks for what was
// left behind, and ends the sessions.
func (r *Run) drain(ctx context.Context, clients *sync.WaitGroup) error {
	r.stepper.End()
	r.freeClients()
	r.guests.end()
	r.endArmed()
	defer time.AfterFunc(turnTimeout, r.endGrace).Stop() // also while the servers heal
	healed := r.outages.end(ctx)
	clients.Wait()
	r.guests.wait()
	for _, c := range r.clients {
		c.AwaitDeletions(ctx)
	}
	r.recorder.Record(event.Event{Kind: event.NoteDrained, Reason: allStopped.With()})
	unsettled := r.observer.Sync(ctx)
	r.syncStores(ctx)

	var closing sync.WaitGroup
	for _, c := range r.clients {
		closing.Go(func() { c.Close(ctx) })
	}
	closing.Wait()
	return errors.Join(healed, unsettled, r.endCrashed(ctx), r.observer.Sync(ctx))
}

// freeClients ends whatever holds the clients up, and tells that the delay has ended
// with it.
func (r *Run) freeClients() {
	r.slowing.Lock()
	defer r.slowing.Unlock()
	for _, c := range r.clients {
		c.Free()
	}
	if r.delayNow() != 0 {
		r.noteDelay(0, client.RunEnds.With())
	}
}

// endCrashed ends the sessions that crashed clients left behind.
func (r *Run) endCrashed(ctx context.Context) error {
	var errs []error
	for _, c := range r.clients {
		errs = append(errs, c.EndSessions(ctx))
	}
	return errors.Join(errs...)
}

// finished is the last note. An error in it says that something may be left; why is
// the reason for the end, if that is to be told.
func finished(err error, why *event.Reason) event.Event {
	e := event.Event{Kind: event.NoteFinished, Reason: cmp.Or(why, hasFinished.With())}
	if err != nil {
		e.Err, e.Reason = err.Error(), notAllCleanedUp.With()
	}
	return e
}
