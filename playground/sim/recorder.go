package sim

import (
	"sync"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// A recorder is the only writer of a run's log. It lets each event pass the
// readers that must not lag behind (who did what, the checks) and adds the
// verdicts that changed right after the event that changed them.
// Its methods are safe for concurrent use.
type recorder struct {
	log *event.Log

	mu       sync.Mutex
	checker  *check.Checker
	authors  *authors
	holders  *holders
	failed   error         // the first failure to append
	stopping bool          // set once full or failed
	full     chan struct{} // closed when the run must stop by itself
}

func newRecorder(log *event.Log, run event.Run) *recorder {
	return &recorder{log: log, checker: check.New(run), authors: newAuthors(),
		holders: newHolders(), full: make(chan struct{})}
}

// record appends e and whatever follows from it.
func (r *recorder) record(e event.Event) { r.recordIf(func() bool { return true }, e) }

// recordIf appends e if still says so at the instant at which it would be
// appended.
func (r *recorder) recordIf(still func() bool, e event.Event) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !still() {
		return false
	}
	r.append(r.authors.attribute(e))
	return true
}

func (r *recorder) append(e event.Event) {
	e, err := r.log.Append(e)
	if err != nil {
		r.fail(err)
		return
	}
	r.holders.apply(e)
	for _, changed := range r.checker.Apply(e) {
		r.append(changed)
	}
	if r.log.Full() && !r.stopping {
		r.stop(nil)
		r.append(event.Event{Kind: event.NoteTruncated, Why: "the log reached its size limit, so the run stops"})
	}
}

// fail ends the run because an event could not be kept, and tries to say so.
func (r *recorder) fail(err error) {
	first := r.failed == nil
	r.stop(err)
	if first {
		why := "an event could not be kept, so the run stops: " + err.Error()
		_, _ = r.log.Append(event.Event{Kind: event.NoteTruncated, Why: why}) // the first error is the one to tell
	}
}

// stop asks the run to end, because nothing more can be written down.
func (r *recorder) stop(err error) {
	if r.failed == nil {
		r.failed = err
	}
	if !r.stopping {
		r.stopping = true
		close(r.full)
	}
}

// err is why events could not be appended, if so.
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

// now is the run's clock, in microseconds.
func (r *recorder) now() int64 { return r.log.Now().Microseconds() }
