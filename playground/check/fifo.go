package check

import (
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
)

var _ = register(Check{
	Name: "fifo", Title: "First come, first served", order: 3,
	Sentence: "Clients that exclude each other acquire the lock in the order of their znodes' sequence numbers; judged by the znode of each acquisition, where one may hold at a time.",
	Violated: "A client has overtaken another one in the queue",
	// Who has a permit may be late to notice it. That nobody gets one before its turn is
	// what mutual exclusion says of permits.
	judges: func(l event.Lane) bool { return l.MostHolders() == 1 },
	start:  func(event.Lane) fold { return newFifo() },
})

// fifo judges the order: a client that acquires must not come after one that
// it excludes and that stands behind it in the queue.
type fifo struct {
	acquired highWaterMark
	count    int64
	broken   string
}

func newFifo() *fifo { return &fifo{acquired: newHighWaterMark()} }

func (f *fifo) apply(e *event.Event) {
	if e.Kind != event.LockAcquired {
		return
	}
	s, ok := entryOf(e)
	if !ok {
		return
	}
	f.count++
	if past, bad := f.acquired.passed(s.place); bad && f.broken == "" {
		f.broken = fmt.Sprintf("client %d with number %d acquired at event %d, after client %d with number %d at event %d",
			s.client, s.number, s.seq, past.client, past.number, past.seq)
	}
	f.acquired.advance(s)
}

func (f *fifo) verdict() event.Verdict {
	return judged(f.broken != "", f.count > 1)
}

func (f *fifo) why() string {
	switch f.verdict() {
	case event.Violated:
		return f.broken
	case event.Holds:
		return times(f.count, "acquisition") + " in the order of their znodes"
	default:
		return "an order needs two acquisitions"
	}
}
