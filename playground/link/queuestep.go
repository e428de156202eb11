package link

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// hello is the handshake of Redis, as in wire.Frame.Op.
const hello = "HELLO"

// setStepping reports whether it changed something.
func (d *direction) setStepping(on bool) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	changed := d.stepping != on
	d.stepping = on
	return changed
}

func (d *direction) isStepping() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.stepping
}

// passes says whether a frame is not for stepping. A heartbeat may overtake others
// unnoticed: the client library ignores what its reply says of transactions.
func passes(f *wire.Frame) bool {
	return f.Op == event.OpConnect || f.Op == hello || f.Op == event.OpPing
}

// byHand says whether an item waits to be delivered by hand. What nobody would
// get does not wait for that.
func (q *queue) byHand(p *item) bool {
	return q.stepping && !q.serverGone && p.frame != nil && !p.delivered && !passes(p.frame)
}

// indefinite says whether an item waits for something else than its time.
func (q *queue) indefinite(p *item) bool {
	return len(q.blocks) > 0 || q.paused || q.byHand(p)
}

// first is the index of the next item that may leave, -1 if there is none.
func (q *queue) first() int {
	switch {
	case len(q.items) == 0, len(q.blocks) > 0, q.paused:
		return -1
	case !q.stepping:
		return 0
	}
	for i := range q.items {
		if p := &q.items[i]; !q.byHand(p) && (i == 0 || p.end == nil) {
			return i
		}
	}
	return -1
}

// remove takes an item out of the queue.
func (q *queue) remove(i int) item {
	p := q.items[i]
	if i == 0 {
		q.items[0] = item{}
		q.items = q.items[1:]
		return p
	}
	q.items = slices.Delete(q.items, i, i+1)
	return p
}

// waiting lists what waits to be delivered by hand, oldest first.
func (q *queue) waiting() []Waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []Waiting
	for i := range q.items {
		if p := &q.items[i]; q.byHand(p) {
			all = append(all, Waiting{Dir: q.way, Frame: p.frame.Number, At: p.since,
				Op: p.frame.Op, Path: p.frame.Path, First: len(all) == 0})
		}
	}
	return all
}

func (q *queue) waitsByHand(frame int64) bool {
	return slices.ContainsFunc(q.waiting(), func(w Waiting) bool { return w.Frame == frame })
}

// deliver delivers a frame by hand.
func (q *queue) deliver(frame int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	ahead := false
	for i := range q.items {
		p := &q.items[i]
		switch {
		case !q.byHand(p):
		case p.frame.Number != frame:
			ahead = true
		case ahead:
			return ErrOutOfOrder
		default:
			q.markDelivered(p)
			return nil
		}
	}
	return ErrNoFrame
}

// markDelivered marks an item as delivered, and reports when it will be if not now.
func (q *queue) markDelivered(p *item) {
	p.delivered = true
	if p.due > q.clock() {
		q.retell(p)
	}
	q.signal()
}
