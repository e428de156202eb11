package link

import (
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// The operations that are not for stepping, as in wire.Frame.Op.
const (
	handshake = "connect"
	heartbeat = "ping"
)

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
func passes(f *wire.Frame) bool { return f.Op == handshake || f.Op == heartbeat }

// byHand says whether a parcel waits to be delivered by hand. What nobody would
// get does not wait for that.
func (q *queue) byHand(p *parcel) bool {
	return q.stepping && !q.lost && p.frame != nil && !p.let && !passes(p.frame)
}

// blocked says whether a parcel waits for something else than its time.
func (q *queue) blocked(p *parcel) bool {
	return len(q.blocks) > 0 || q.frozen || q.byHand(p)
}

// first is the index of the next parcel that may leave, -1 if there is none.
func (q *queue) first() int {
	switch {
	case len(q.parcels) == 0, len(q.blocks) > 0, q.frozen:
		return -1
	case !q.stepping:
		return 0
	}
	for i := range q.parcels {
		if p := &q.parcels[i]; !q.byHand(p) && (i == 0 || p.end == nil) {
			return i
		}
	}
	return -1
}

// remove takes a parcel out of the queue.
func (q *queue) remove(i int) parcel {
	p := q.parcels[i]
	if i == 0 {
		q.parcels[0] = parcel{}
		q.parcels = q.parcels[1:]
		return p
	}
	q.parcels = slices.Delete(q.parcels, i, i+1)
	return p
}

// waiting lists what waits to be delivered by hand, oldest first.
func (q *queue) waiting() []Waiting {
	q.mu.Lock()
	defer q.mu.Unlock()
	var all []Waiting
	for i := range q.parcels {
		if p := &q.parcels[i]; q.byHand(p) {
			all = append(all, Waiting{Dir: q.way, Frame: p.frame.Number, At: p.since,
				Op: p.frame.Op, Path: p.frame.Path, First: len(all) == 0})
		}
	}
	return all
}

func (q *queue) waits(frame int64) bool {
	return slices.ContainsFunc(q.waiting(), func(w Waiting) bool { return w.Frame == frame })
}

// letGo delivers a frame by hand.
func (q *queue) letGo(frame int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	ahead := false
	for i := range q.parcels {
		p := &q.parcels[i]
		switch {
		case !q.byHand(p):
		case p.frame.Number != frame:
			ahead = true
		case ahead:
			return ErrOutOfOrder
		default:
			q.let(p)
			return nil
		}
	}
	return ErrNoFrame
}

// let marks a parcel as delivered, and tells when it will be if not now.
func (q *queue) let(p *parcel) {
	p.let = true
	if p.due > q.clock() {
		q.retell(p)
	}
	q.signal()
}
