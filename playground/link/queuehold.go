package link

// restrain tells of each frame that is blocked now that its due time is not
// known any more.
func (q *queue) restrain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	for i := range q.parcels {
		if p := &q.parcels[i]; q.blocked(p) {
			p.waited = true
			q.retell(p)
		}
	}
}

// release lets the queue go on, and tells which frames still have a way to go.
func (q *queue) release() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock()
	for i := range q.parcels {
		if q.parcels[i].due > now {
			q.retell(&q.parcels[i])
		}
	}
	q.signal()
}

// retell reports a waiting frame again, with the due time that it has now.
func (q *queue) retell(p *parcel) {
	if p.frame != nil {
		q.announce(p)
		q.observer.Held(p.frame)
	}
}

// hurry makes what is under way due now.
func (q *queue) hurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := q.clock()
	for i := range q.parcels {
		q.parcels[i].due = min(q.parcels[i].due, now)
	}
	q.last = min(q.last, now)
	q.signal()
}
