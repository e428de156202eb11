package queue

import "github.com/zkplayground/zkplayground/zklock/test/explore"

// after visits the world after one step, if that can happen.
func (m *turnWorld) after(visit explore.Visitor, can bool, i int, what string, do func(*turnWorld)) {
	if can {
		next := *m
		do(&next)
		visit(&next, i, what)
	}
}

// steps are what servers and clients do by themselves.
func (m *turnWorld) Steps(visit explore.Visitor) {
	for i := range m.came {
		p := &m.places[i]
		m.after(visit, p.does == listAsked && p.phase == waiting, i, "is listed by the server", func(m *turnWorld) { m.serveList(i) })
		m.after(visit, p.does == listShown, i, "takes the listing in", func(m *turnWorld) { m.takeList(i) })
		unserved := false
		for at, w := range p.watches {
			asked := p.does == watchesAsked && w.znode != 0 && w.state == watchAsked
			unserved = unserved || asked
			m.after(visit, asked, i, []string{"gets the watch ahead", "gets the watch before that"}[at], func(m *turnWorld) { m.serveWatch(i, at) })
			m.after(visit, p.does == sleeping && w.state >= watchChanged, i, []string{"hears of the one ahead", "hears of the one before that"}[at],
				func(m *turnWorld) { m.wake(i, at) })
		}
		m.after(visit, p.does == watchesAsked && !unserved, i, "takes the watches in", func(m *turnWorld) { m.takeWatches(i) })
		m.after(visit, p.does == sleeping && p.resumed, i, "sees that it is reconnected", func(m *turnWorld) { m.drive(i) })
		m.after(visit, p.phase == leaving, i, "is deleted", func(m *turnWorld) { m.remove(i) })
	}
}

// events are what may happen to them.
func (m *turnWorld) Events(visit explore.Visitor) {
	m.after(visit, m.came < len(m.kinds), m.came, "comes", (*turnWorld).arrive)
	for i := range m.came {
		p := &m.places[i]
		m.after(visit, p.phase == waiting || p.phase == holding, i, "leaves", func(m *turnWorld) { m.leave(i) })
		m.after(visit, p.wrote, i, "becomes a reader", func(m *turnWorld) { m.downgrade(i) })
		m.after(visit, p.znode != 0 && m.writes > 0, i, "is written to", func(m *turnWorld) { m.write(i) })
		reconnects := p.phase == waiting && m.reconnects > 0
		m.after(visit, reconnects, i, "is reconnected, with its watches", func(m *turnWorld) { m.reconnect(i, true) })
		m.after(visit, reconnects, i, "is reconnected, without its watches", func(m *turnWorld) { m.reconnect(i, false) })
	}
}
