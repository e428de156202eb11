package link

import (
	"cmp"
	"errors"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A Waiting is a frame that waits to be delivered by hand.
type Waiting struct {
	Dir   event.Direction
	Frame int64 // its number in that direction
	At    int64 // when the link got it, in microseconds on the link's clock
	Op    string
	Path  string
	First bool // no other is ahead of it on its connection
}

// SetStepping makes all frames, both ways, wait until they are delivered by
// hand, or lets them go on. Two kinds pass all the same, or no session would
// live long: the handshakes of connections, and heartbeats, which overtake what
// waits. The end of a connection waits behind its frames. A partition is
// stronger: what is delivered while it lasts arrives when it ends.
func (l *Link) SetStepping(on bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, way := range ways(nil) {
		l.step(way, on)
	}
}

// step sets one direction; the caller has l.mu.
func (l *Link) step(way event.Direction, on bool) {
	change := (*queue).resume
	if on {
		change = (*queue).suspend
	}
	if l.direction(way).setStepping(on) {
		l.each(func(c *conn) { change(c.queue(way)) })
	}
}

// Waiting lists the frames that wait to be delivered, first those to the server,
// then those to the client, each oldest first. It is empty while the link does
// not step.
func (l *Link) Waiting() []Waiting {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []Waiting
	for _, way := range ways(nil) {
		all = append(all, l.waiting(way)...)
	}
	return all
}

func (l *Link) waiting(way event.Direction) []Waiting {
	var all []Waiting
	l.each(func(c *conn) { all = append(all, c.queue(way).waiting()...) })
	slices.SortFunc(all, func(a, b Waiting) int { return cmp.Compare(a.Frame, b.Frame) })
	return all
}

// Deliver lets one frame go on, with what its delay still has to run. It fails
// with ErrNotStepping, ErrNoFrame if no such frame waits, and ErrOutOfOrder if
// another is ahead of it on its connection: TCP delivers in order.
func (l *Link) Deliver(way event.Direction, frame int64) error {
	return l.pick(way, frame, func(_ *conn, q *queue) error { return q.deliver(frame) })
}

// Break drops a frame and cuts its connection, for TCP loses no single frame.
// What else waits on that connection is lost, too. It fails with ErrNotStepping,
// and with ErrNoFrame if no such frame waits.
func (l *Link) Break(way event.Direction, frame int64) error {
	return l.pick(way, frame, func(c *conn, q *queue) error {
		if !q.waitsByHand(frame) {
			return ErrNoFrame
		}
		c.cut(ErrCut)
		return nil
	})
}

// pick tries each connection until one has the frame.
func (l *Link) pick(way event.Direction, frame int64, do func(*conn, *queue) error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.direction(way).isStepping() {
		return ErrNotStepping
	}
	for c := range l.conns {
		if err := do(c, c.queue(way)); !errors.Is(err, ErrNoFrame) {
			return err
		}
	}
	return ErrNoFrame
}
