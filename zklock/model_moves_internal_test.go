package zklock

// A visitor is given a state that may come next, and how. It must not keep it.
type visitor func(next *queueModel, what string, who int)

// after gives visit the state after do.
func (m *queueModel) after(visit visitor, can bool, what string, who int, do func(*queueModel)) {
	if can {
		next := &m.scene.next
		*next = *m
		do(next)
		visit(next, what, who)
	}
}

// steps are what happens by itself, sooner or later.
func (m *queueModel) steps(visit visitor) {
	for i := range m.came {
		p := &m.places[i]
		if p.phase == waiting {
			m.replies(i, visit)
			m.wakeUps(i, visit)
		}
		m.removals(i, visit)
	}
}

// replies are what brings the requests of place i to their end.
func (m *queueModel) replies(i int, visit visitor) {
	p := &m.places[i]
	m.after(visit, p.does == askedList, "is listed by the server", i, func(m *queueModel) { m.serveList(i) })
	m.after(visit, m.goesByMark(i), "reads the mark", i, func(m *queueModel) { m.serveMark(i) })
	m.after(visit, p.does == gotMark, "takes the mark in", i, func(m *queueModel) { m.takeMark(i) })
	m.after(visit, p.does == gotList, "takes the listing in", i, func(m *queueModel) { m.takeList(i) })
	if p.does != askedWatches {
		return
	}
	all := true
	for at, what := range []string{"gets the watch ahead", "gets the watch before that"} {
		can := p.watched[at].unserved()
		all = all && !can
		m.after(visit, can, what, i, func(m *queueModel) { m.serveWatch(i, &m.places[i].watched[at]) })
	}
	can := p.own.unserved()
	m.after(visit, can, "gets the watch on itself", i, func(m *queueModel) { m.serveWatch(i, &m.places[i].own) })
	m.after(visit, all && !can, "takes the watches in", i, func(m *queueModel) { m.takeWatches(i) })
}

func (w *modelWatched) unserved() bool { return w.znode != noZnode && w.state == asked }

func (w *modelWatched) fired() bool { return w.state == changed || w.state == deleted }

// wakeUps are what ends the sleep of place i. Of several, any may be first.
func (m *queueModel) wakeUps(i int, visit visitor) {
	p := &m.places[i]
	if p.does != sleeping {
		return
	}
	for at, what := range []string{"hears of the one ahead", "hears of the one before that"} {
		m.after(visit, p.watched[at].fired(), what, i, func(m *queueModel) { m.wake(i, at) })
	}
	m.after(visit, p.own.fired(), "hears of itself", i, func(m *queueModel) { m.wakeOwn(i) })
	m.after(visit, p.resumed && m.scene.broken != ignoreReconnect, "hears that it is reconnected", i,
		func(m *queueModel) { m.drive(i, false) })
}

// events are what the world may do, or not.
func (m *queueModel) events(visit visitor) {
	m.arrivals(visit)
	for i := range m.came {
		p := &m.places[i]
		busy := p.phase == waiting || p.phase == holding
		m.after(visit, busy, "leaves", i, func(m *queueModel) { m.leave(i) })
		m.after(visit, p.held && p.znode == znodeOf(i, asMade), "is downgraded", i,
			func(m *queueModel) { m.downgrade(i) })
		m.after(visit, p.znode != noZnode && m.budget.writes > 0, "is written to", i,
			func(m *queueModel) { m.write(i) })
		if p.phase == waiting {
			m.troubles(i, visit)
			m.heirs(i, visit)
		}
	}
}

// troubles are what may befall a waiter; that it has waited for long is one.
func (m *queueModel) troubles(i int, visit visitor) {
	p := &m.places[i]
	m.after(visit, p.znode != noZnode && m.budget.evictions > 0, "is deleted by an operator", i,
		func(m *queueModel) { m.evict(i) })
	m.after(visit, p.does == sleeping && !p.resumed && m.wantsOwn(i), "has slept for ownDelay", i,
		func(m *queueModel) { m.watch(i, true) })
	if m.budget.reconnects == 0 {
		return
	}
	m.after(visit, true, "is reconnected, with its watches", i, func(m *queueModel) { m.reconnect(i, true, true) })
	m.after(visit, true, "is reconnected, without its watches", i, func(m *queueModel) { m.reconnect(i, true, false) })
	m.after(visit, p.does == askedWatches, "is reconnected, without its replies", i,
		func(m *queueModel) { m.reconnect(i, false, false) })
}
