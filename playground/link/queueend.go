package link

import (
	"errors"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// errGone ends a queue whose other end has gone, unknown to who writes into it.
var errGone = errors.New("link: the server has closed the connection")

// finish puts the end of the stream behind what is in the queue. It travels as
// a frame does.
func (q *queue) finish(reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil && !q.closed {
		q.closed = true
		q.add(parcel{end: reason})
	}
}

// cut discards what is in the queue and ends it now.
func (q *queue) cut(reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.over == nil {
		q.end(reason)
	}
}

// cutAt is cut as a frame arrives, which is discarded last.
func (q *queue) cutAt(f *wire.Frame, reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.number(f)
	if q.over != nil {
		q.observer.Dropped(f)
		return
	}
	q.parcels = append(q.parcels, parcel{frame: f})
	q.end(reason)
}

func (q *queue) end(reason error) {
	q.over = reason
	q.discard()
	q.signal()
}

func (q *queue) discard() {
	for _, p := range q.parcels {
		if p.frame != nil {
			q.observer.Dropped(p.frame)
		}
	}
	q.parcels, q.bytes = nil, 0
}

// lose says that the other end has gone: what leaves the queue is dropped then.
func (q *queue) lose() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.lost = true
	q.endLost()
	q.signal()
}

// endLost ends a lost queue once it is empty.
func (q *queue) endLost() {
	if q.lost && len(q.parcels) == 0 && q.over == nil {
		q.over = errGone
	}
}

// drop tells that a frame which has left the queue did not get through.
func (q *queue) drop(f *wire.Frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.observer.Dropped(f)
}

// refuse handles a frame for a queue that has ended. A client that cannot know
// this yet sends without an error, as into a socket.
func (q *queue) refuse(f *wire.Frame) error {
	if q.way == event.Out && q.over != errGone {
		return q.over
	}
	q.number(f)
	if q.way == event.Out {
		q.observer.Sent(f)
	}
	q.observer.Dropped(f)
	if q.over == errGone {
		return nil
	}
	return q.over
}
