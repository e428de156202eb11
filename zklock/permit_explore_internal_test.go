package zklock

import (
	"errors"
	"fmt"
)

// An explorer visits every state that a model can reach.
type explorer struct {
	seen map[string]bool // false while the state is being left by the protocol's own steps
	todo []*permitModel  // states reached by what the world does
}

// explore visits all that can follow m, and returns the first thing wrong.
func (e *explorer) explore(m *permitModel) error {
	e.todo = append(e.todo, m)
	for len(e.todo) > 0 {
		last := len(e.todo) - 1
		m := e.todo[last]
		e.todo = e.todo[:last]
		key := m.key()
		if _, seen := e.seen[key]; seen {
			continue
		}
		if err := e.visit(m, key); err != nil {
			return err
		}
	}
	return nil
}

// visit follows the protocol's own steps from m until it comes to rest, and
// keeps for later what the world can do to it.
func (e *explorer) visit(m *permitModel, key string) error {
	e.seen[key] = false
	if err := m.unsafe(); err != nil {
		return err
	}
	atRest := true
	for next := range m.steps {
		atRest = false
		key := next.key()
		finished, seen := e.seen[key]
		if seen && !finished {
			return fmt.Errorf("%w: %s", errBusy, key)
		}
		if !seen {
			if err := e.visit(next, key); err != nil {
				return err
			}
		}
	}
	e.seen[key] = true
	if atRest {
		if err := m.stuck(); err != nil {
			return err
		}
	}
	for next := range m.events {
		e.todo = append(e.todo, next)
	}
	return nil
}

// steps are what the protocol does by itself, sooner or later.
func (m *permitModel) steps(yield func(*permitModel) bool) {
	for i, c := range m.clients {
		for _, s := range []struct {
			can bool
			do  func(*permitModel, int)
		}{
			{c.sent, (*permitModel).serve},
			{c.reply.sent, (*permitModel).deliver},
			{c.asleep() && c.watch >= firedQueue, (*permitModel).wake},
			{c.marking, (*permitModel).write},
			{c.phase == leaving, (*permitModel).remove},
		} {
			if s.can && !m.after(s.do, i, yield) {
				return
			}
		}
	}
}

// events are what the world may do, or not. Clients arrive in their order,
// because they are all alike.
func (m *permitModel) events(yield func(*permitModel) bool) {
	arrived := false
	for i, c := range m.clients {
		for _, s := range []struct {
			can bool
			do  func(*permitModel, int)
		}{
			{c.phase == away && !arrived, (*permitModel).arrive},
			{c.phase == waiting || c.phase == holding, (*permitModel).leave},
			{c.phase == waiting && m.reconnects > 0, (*permitModel).reconnect},
			{m.resize > 0 && i == 0, func(m *permitModel, _ int) { m.change() }},
		} {
			if s.can && !m.after(s.do, i, yield) {
				return
			}
		}
		arrived = arrived || c.phase == away
	}
}

func (m *permitModel) after(do func(*permitModel, int), i int, yield func(*permitModel) bool) bool {
	next := m.clone()
	do(next, i)
	return yield(next)
}

func (c modelClient) asleep() bool {
	return c.phase == waiting && !c.sent && !c.reply.sent
}

var (
	errTooMany = errors.New("too many hold")
	errBusy    = errors.New("the protocol never comes to rest")
	errStuck   = errors.New("a permit is free, and a waiter sleeps")
)

// unsafe says what must not be.
func (m *permitModel) unsafe() error {
	n := 0
	for _, c := range m.clients {
		if c.phase == holding {
			n++
		}
	}
	if n > m.greatest {
		return fmt.Errorf("%w: %d of %d: %s", errTooMany, n, m.greatest, m.key())
	}
	return nil
}

// stuck says who sleeps though a permit is free and nothing is under way.
func (m *permitModel) stuck() error {
	for position, i := range m.queue {
		if m.clients[i].phase == waiting && position < m.limit.max {
			return fmt.Errorf("%w: client %d: %s", errStuck, i, m.key())
		}
	}
	return nil
}

// key tells states apart.
func (m *permitModel) key() string {
	b := make([]byte, 0, 160)
	b = digits(b, m.limit.max, int(m.limit.at), m.reconnects, m.resize, m.greatest)
	b = digits(b, m.queue...)
	for i := range m.clients {
		b = m.clients[i].key(append(b, ' '))
	}
	return string(b)
}

func (c *modelClient) key(b []byte) []byte {
	p, r := &c.permit, &c.reply
	b = digits(b, int(c.phase), int(c.created), c.ahead, int(c.asked), int(c.watch))
	b = digits(b, p.limit.max, int(p.limit.at), p.seen.position, p.seen.behind, int(p.seen.at))
	b = flags(b, c.marking, c.marked, c.sent, c.resumed, p.head, p.known, p.watched, r.sent)
	if !r.sent {
		return b
	}
	b = digits(b, r.moment.position, r.moment.behind, int(r.moment.at), r.ahead, r.limit.max, int(r.limit.at), int(r.created))
	return flags(b, r.missing, r.marked)
}

func digits(b []byte, ns ...int) []byte {
	for _, n := range ns {
		b = append(b, byte('0'+n))
	}
	return b
}

func flags(b []byte, fs ...bool) []byte {
	for _, f := range fs {
		if f {
			b = append(b, '+')
		} else {
			b = append(b, '-')
		}
	}
	return b
}
