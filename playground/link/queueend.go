package link

import (
	"errors"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// errServerGone ends the queue to a server that has closed the connection. The client
// cannot know that yet, and sends on.
var errServerGone = errors.New("link: the server has closed the connection")

// finish puts the end of the stream behind what is in the queue. It travels as
// a frame does.
func (q *queue) finish(reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended == nil && !q.closed {
		q.closed = true
		q.add(item{end: reason})
	}
}

// cut discards what is in the queue and ends it now.
func (q *queue) cut(reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.ended == nil {
		q.end(reason)
	}
}

// cutAt is cut as a frame arrives, which is discarded last.
func (q *queue) cutAt(f *wire.Frame, reason error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.number(f)
	if q.way == event.Out {
		q.observer.Sent(f)
	}
	if q.ended != nil {
		q.observer.Dropped(f)
		return
	}
	q.items = append(q.items, item{frame: f})
	q.end(reason)
}

func (q *queue) end(reason error) {
	q.ended = reason
	q.discard()
	q.signal()
}

func (q *queue) discard() {
	for _, p := range q.items {
		if p.frame != nil {
			q.observer.Dropped(p.frame)
		}
	}
	q.items, q.bytes = nil, 0
}

// serverLeft says that the server has gone: what leaves the queue is dropped then.
func (q *queue) serverLeft() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.serverGone = true
	q.endIfEmpty()
	q.signal()
}

// endIfEmpty ends the queue to a server that has gone once nothing is left in it.
func (q *queue) endIfEmpty() {
	if q.serverGone && len(q.items) == 0 && q.ended == nil {
		q.ended = errServerGone
	}
}

// drop reports that a frame which has left the queue did not get through.
func (q *queue) drop(f *wire.Frame) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.observer.Dropped(f)
}

// refuse handles a frame for a queue that has ended. A client that cannot know
// this yet sends without an error, as into a socket.
func (q *queue) refuse(f *wire.Frame) error {
	if q.way == event.Out && q.ended != errServerGone {
		return q.ended
	}
	q.number(f)
	if q.way == event.Out {
		q.observer.Sent(f)
	}
	q.observer.Dropped(f)
	if q.ended == errServerGone {
		return nil
	}
	return q.ended
}
