package run

import (
	"context"
	"errors"
	"sort"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/observer"
	"github.com/zkplayground/zkplayground/playground/state"
)

// A recorder is the only writer of a run's log. It lets each event pass the
// readers that must not lag behind (who did what, the checks) and adds the
// verdicts that changed right after the event that changed them.
// Its methods are safe for concurrent use.
type recorder struct {
	log *event.Log

	mu          sync.Mutex
	state       *state.State
	checker     *check.Checker
	keeper      *state.Keeper
	wholes      []whole // the events that have the whole state, in order
	attribution *observer.Attribution
	roles       *roles
	armed       armedFaults
	zxid        int64 // the newest that a client was answered with
	failed      error // why the log could not be kept
	stopping    bool  // set once full or failed
	census      census
	pace        *pace
	full        chan struct{} // closed when the run must stop by itself
}

func newRecorder(log *event.Log, run event.Run, limits Limits) *recorder {
	return &recorder{log: log, state: state.New(run), checker: check.New(run), keeper: state.NewKeeper(run), attribution: observer.NewAttribution(), roles: newRoles(run.Lanes),
		census: census{most: limits.Znodes}, pace: newPace(limits.EventsPerSecond), full: make(chan struct{})}
}

// Record appends e and whatever follows from it.
func (r *recorder) Record(e event.Event) { r.RecordIf(func() bool { return true }, e) }

// RecordIf appends e if still says so at the instant at which it would be
// appended.
func (r *recorder) RecordIf(still func() bool, e event.Event) bool {
	note, tell := r.pace.wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	if tell {
		r.append(note)
	}
	if !still() {
		return false
	}
	r.append(r.attribution.Apply(e))
	return true
}

var (
	logIsFull = event.NewCode("log-is-full", "the log reached its size limit, so the run stops; -log-limit of serve sets it")
	notKept   = event.NewCode("log-not-kept", "{error}; the run stops, and what happens from here on is not told")
)

func (r *recorder) append(e event.Event) {
	e, err := r.log.Append(e)
	if err != nil {
		r.end(err)
		return
	}
	r.read(e, r.append)
	crowded := r.census.apply(e)
	switch {
	case r.stopping:
	case r.log.Full():
		r.stop()
		r.append(event.Event{Kind: event.NoteTruncated, Reason: logIsFull.With()})
	case crowded:
		r.stop()
		r.append(limited(tooMany.With(r.census.most)))
	}
}

// read shows e to the readers and lets add append what follows from it: facts, the verdicts
// that it changed, the whole state when that is due, and the armed faults that it triggers.
func (r *recorder) read(e event.Event, add func(event.Event)) {
	r.keeper.Apply(e)
	r.roles.apply(e)
	if e.Kind == event.WireReceived {
		r.zxid = max(r.zxid, e.Zxid)
	}
	for _, fact := range r.state.Apply(e) {
		add(fact)
	}
	for _, changed := range r.checker.Apply(e) {
		add(changed)
	}
	if e.Kind == event.StateWhole {
		r.wholes = append(r.wholes, whole{seq: e.Seq, at: e.At})
	}
	if !e.Kind.Follows() {
		if whole, due := r.keeper.Due(); due {
			add(whole)
		}
	}
	r.trigger(e, add)
}

// A whole is an event that has the whole state.
type whole struct{ seq, at int64 }

// stateAt is the number of the newest event with the whole state that is not after an
// instant; 0 if there is none.
func (r *recorder) stateAt(at int64) int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	after := sort.Search(len(r.wholes), func(i int) bool { return r.wholes[i].at > at })
	if after == 0 {
		return 0
	}
	return r.wholes[after-1].seq
}

// end says in a log that cannot be kept why it ends, and ends it and the run.
func (r *recorder) end(err error) {
	if !errors.Is(err, event.ErrNotKept) {
		return // it has ended, as it should
	}
	r.failed = err
	r.stop()
	r.appendLast(event.Event{Kind: event.NoteTruncated, Err: err.Error(),
		Reason: notKept.With(err.Error())})
	r.log.Seal()
}

func (r *recorder) appendLast(e event.Event) {
	if e, err := r.log.AppendLast(e); err == nil {
		r.read(e, r.appendLast)
	}
}

// diskEvery is the pause between two looks at the log's disk.
const diskEvery = time.Second

// watchDisk ends the log and the run once the disk is full: without it there is
// nobody who appends when ZooKeeper was the first to fail. It returns then, or
// when ctx ends.
func (r *recorder) watchDisk(ctx context.Context) {
	for {
		if err := r.log.CheckDisk(); err != nil {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.end(err)
			return
		}
		if !clock.Sleep(ctx, diskEvery) {
			return
		}
	}
}

// stop asks the run to end, because nothing more can be written down.
func (r *recorder) stop() {
	if !r.stopping {
		r.stopping = true
		close(r.full)
	}
}

// err is why the log could not be kept, if so.
func (r *recorder) err() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.failed
}

// summary is the checker's, so far.
func (r *recorder) summary() check.Summary {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.checker.Summary()
}

// Now is the run's clock, in microseconds.
func (r *recorder) Now() int64 { return r.log.Now().Microseconds() }

// Len is how many events the log has.
func (r *recorder) Len() int64 { return r.log.Len() }

// Zxid is the newest transaction that a client was answered with.
func (r *recorder) Zxid() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.zxid
}
