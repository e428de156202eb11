package link

import (
	"math"
	"net"
	"os"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// maxQueued is how many bytes may wait in one direction of a connection.
const maxQueued = 64 << 20

const forever = time.Duration(math.MaxInt64)

// An item is what a queue carries: a frame, or the end of the stream.
type item struct {
	frame     *wire.Frame
	raw       []byte // the frame's bytes with the length in front
	due       int64  // on the link's clock
	since     int64  // when it entered the queue
	waited    bool   // the frame did not cross at once
	delivered bool   // by hand
	dropped   bool   // the server was gone when the frame left the queue
	end       error  // the reader's error when no more comes
}

// A queue is one direction of one connection. One goroutine takes from it.
type queue struct {
	*direction // and its lock, for all that follows

	items  []item
	bytes  int   // in items
	last   int64 // due of the newest item, which no other may overtake
	closed bool  // the end is in the queue, or was
	ended  error // nothing can be taken any more, for this reason
	// serverGone says that what leaves now does not reach the server.
	serverGone bool
	deadline   time.Time // for take to give up waiting

	asleep bool
	wake   chan struct{}
	timer  *time.Timer
}

func newQueue(d *direction) *queue {
	q := &queue{direction: d, wake: make(chan struct{}, 1), timer: time.NewTimer(forever)}
	q.timer.Stop()
	return q
}

// push adds a frame. It fails when the queue has ended, or is full.
func (q *queue) push(f *wire.Frame, raw []byte) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case q.ended != nil:
		return q.refuse(f)
	case q.closed:
		return net.ErrClosed
	case q.bytes+len(raw) > maxQueued:
		return ErrOverflow
	}
	q.number(f)
	q.add(item{frame: f, raw: raw})
	return nil
}

// add gives an item its due time and its place at the end of the queue.
func (q *queue) add(p item) {
	now := q.clock()
	p.since, p.due = now, max(now+q.drawDelay(), q.last)
	p.waited = q.indefinite(&p) || p.due > now
	q.last = p.due
	q.bytes += len(p.raw)
	q.items = append(q.items, p)
	if p.frame != nil {
		q.announce(&p)
		q.arrived(&p)
	}
	q.signal()
}

// announce sets the due time that the frame's next report shows.
func (q *queue) announce(p *item) {
	p.frame.Due = 0
	if p.waited && !q.indefinite(p) {
		p.frame.Due = p.due
	}
}

// arrived reports a frame that has entered the queue.
func (q *queue) arrived(p *item) {
	if q.way == event.Out {
		q.observer.Sent(p.frame)
	}
	if q.indefinite(p) || p.waited && q.way == event.In {
		q.observer.Held(p.frame)
	}
}

// next waits for the next frame that is due.
func (q *queue) next() (item, error) {
	for {
		p, wait, err := q.take()
		if p.frame != nil || err != nil {
			return p, err
		}
		q.sleep(wait)
	}
}

// take removes the first item that may leave if it is due. Otherwise it says
// how long there is to wait. A frame that is due comes before a deadline that
// has passed, as it does when a process wakes up late.
func (q *queue) take() (p item, wait time.Duration, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended != nil && !q.unaware() {
		return item{}, 0, q.ended
	}
	i := q.first()
	if wait = q.wait(i); wait <= 0 {
		p = q.pop(i)
		return p, 0, p.end
	}
	if !q.deadline.IsZero() && !q.paused {
		wait = min(wait, time.Until(q.deadline))
	}
	if wait <= 0 {
		return item{}, 0, os.ErrDeadlineExceeded
	}
	q.asleep = true
	return item{}, wait, nil
}

// setDeadline bounds how long next waits; the zero time is no bound.
func (q *queue) setDeadline(t time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.deadline = t
	q.signal()
}

// unaware says whether the client stands still, and so cannot see that the
// queue has ended, unless it closed the connection itself.
func (q *queue) unaware() bool { return q.paused && q.ended != net.ErrClosed }

// wait says how long an item has to wait as things are.
func (q *queue) wait(i int) time.Duration {
	if i < 0 {
		return forever
	}
	p := &q.items[i]
	if !p.waited {
		return 0
	}
	return time.Duration(p.due-q.clock()) * time.Microsecond
}

func (q *queue) pop(i int) item {
	p := q.remove(i)
	q.bytes -= len(p.raw)
	switch {
	case p.end != nil:
		q.ended = p.end
	case q.serverGone:
		q.observer.Dropped(p.frame)
		p.dropped = true
		q.endIfEmpty()
	default:
		q.reportLeft(p)
	}
	return p
}

// signal wakes the goroutine that sleeps until something changes.
func (q *queue) signal() {
	if !q.asleep {
		return
	}
	q.asleep = false
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

func (q *queue) sleep(wait time.Duration) {
	if wait == forever {
		<-q.wake
		return
	}
	q.timer.Reset(wait)
	defer q.timer.Stop()
	select {
	case <-q.wake:
	case <-q.timer.C:
	}
}

// suspend reports each frame that is blocked now, as its due time is not
// known any more.
func (q *queue) suspend() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.items {
		if p := &q.items[i]; q.indefinite(p) {
			p.waited = true
			q.retell(p)
		}
	}
}

// resume lets the queue go on, and reports the frames that are still under way.
func (q *queue) resume() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock()
	for i := range q.items {
		if q.items[i].due > now {
			q.retell(&q.items[i])
		}
	}
	q.signal()
}

// retell reports a waiting frame again, with the due time that it has now.
func (q *queue) retell(p *item) {
	if p.frame != nil {
		q.announce(p)
		q.observer.Held(p.frame)
	}
}

// clearDelay makes what is under way due now.
func (q *queue) clearDelay() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock()
	for i := range q.items {
		q.items[i].due = min(q.items[i].due, now)
	}
	q.last = min(q.last, now)
	q.signal()
}
