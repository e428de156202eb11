package state

import "github.com/zkplayground/zkplayground/playground/event"

// queue follows how the lock of one directory goes from hand to hand. What has come of it is
// told by [event.QueueChanged].
type queue struct {
	most     int // so many may hold at once
	clients  int // who has a higher number is a guest
	waiting  map[int]bool
	holders  map[int]string  // the znode that each holds by
	guests   map[string]bool // the guests' znodes: one of them may hold, and does not tell
	released int64           // when a release let somebody else hold, or 0
	stands   bool            // nobody holds though clients wait
	since    int64           // from when on
	told     event.Queue
}

func newQueue(l event.Lane) *queue {
	return &queue{most: l.MostHolders(), clients: l.Clients, waiting: make(map[int]bool), holders: make(map[int]string), guests: make(map[string]bool)}
}

// apply takes the next event that tells of no frame and adds to facts what has come of the queue.
func (q *queue) apply(facts []event.Event, e *event.Event, lane, directory string) []event.Event {
	now := event.Queue{HandedOver: q.follow(e), Together: max(q.told.Together, len(q.holders)), StoodStill: q.told.StoodStill}
	stands := len(q.holders) == 0 && len(q.waiting) > 0 && len(q.guests) == 0
	switch {
	case stands && !q.stands:
		q.since = e.At
	case q.stands && !stands:
		now.StoodStill = max(now.StoodStill, e.At-q.since)
	}
	q.stands = stands
	changed := now.HandedOver > 0 || now.Together != q.told.Together || now.StoodStill != q.told.StoodStill
	q.told = now
	if !changed {
		return facts
	}
	return append(facts, event.Event{Kind: event.QueueChanged, Lane: lane, Path: directory, Queue: &now})
}

// follow returns how long a hand-over has taken that ends with e, in microseconds, or 0.
func (q *queue) follow(e *event.Event) (handedOver int64) {
	switch e.Kind {
	case event.TreeCreated:
		if e.Client > q.clients && Numbered(e.Path) {
			q.guests[e.Path] = true // the time to the next acquisition is no hand-over then
			q.released = 0
		}
	case event.TreeDeleted:
		delete(q.guests, e.Path)
		if e.Client > q.clients {
			delete(q.waiting, e.Client)
		}
	case event.LockWaiting:
		q.waiting[e.Client] = true
	case event.LockAcquired:
		if q.waiting[e.Client] && q.released > 0 {
			handedOver = max(e.At-q.released, 1)
		}
		q.released = 0
		delete(q.waiting, e.Client)
		q.holders[e.Client] = e.Path
	case event.LockReleased:
		q.left(e.Client)
		if len(q.holders) < q.most && len(q.guests) == 0 {
			q.released = e.At
		}
	case event.LockLost, event.ProgramSilent:
		if e.Path == "" || q.holders[e.Client] == e.Path { // else it is told late, of a former znode
			q.left(e.Client)
		}
	case event.LockGaveUp:
		q.left(e.Client)
	default:
		if EndsBelief(e) {
			q.left(e.Client)
		}
	}
	return handedOver
}

// left notes that the client neither waits nor holds any more.
func (q *queue) left(client int) {
	delete(q.waiting, client)
	delete(q.holders, client)
}
