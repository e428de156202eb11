package zklock

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A survey visits every state that a model can reach, those first that take
// the fewest moves.
type survey struct {
	seen  map[string]int32 // by the state's key: its index in moves
	moves []taken
	steps [][]int32     // by state: those that follow by themselves
	todo  []*queueModel // the states from index done on
	done  int
	holds int // states in which somebody holds
	// unaware counts states in which somebody holds whose znode was deleted.
	unaware int
}

// A taken move is how a state was first reached.
type taken struct {
	from int // index of the state before
	what string
	who  int
}

// explore visits all that can follow m, and returns the first thing wrong, with
// the moves that lead to it.
func (s *survey) explore(m *queueModel) error {
	s.seen = make(map[string]int32)
	s.reach(m, taken{from: -1, what: "begins", who: 0})
	for ; s.done < len(s.moves); s.done++ {
		m := s.todo[0]
		s.todo[0], s.todo = nil, s.todo[1:]
		s.count(m)
		if err := s.leave(m); err != nil {
			return fmt.Errorf("%w:%s", err, s.trace(s.done))
		}
	}
	if busy := s.busy(); busy >= 0 {
		return fmt.Errorf("%w:%s", errBusy, s.trace(busy))
	}
	return nil
}

// leave judges a state, and reaches those that follow.
func (s *survey) leave(m *queueModel) error {
	if err := m.unsafe(); err != nil {
		return err
	}
	var steps []int32
	m.steps(func(next *queueModel, what string, who int) {
		steps = append(steps, s.reach(next, taken{s.done, what, who}))
	})
	s.steps = append(s.steps, steps)
	if steps == nil {
		if err := m.stuck(); err != nil {
			return err
		}
	}
	m.events(func(next *queueModel, what string, who int) { s.reach(next, taken{s.done, what, who}) })
	return nil
}

// reach returns the index of the state m.
func (s *survey) reach(m *queueModel, by taken) int32 {
	key := m.key()
	if at, seen := s.seen[key]; seen {
		return at
	}
	at := int32(len(s.moves))
	s.seen[key] = at
	s.moves = append(s.moves, by)
	kept := *m
	s.todo = append(s.todo, &kept)
	return at
}

// busy returns a state that follows from itself without anything happening to
// it, or from one that does; -1 when there is none. It takes away those that
// follow from none, until no more can be.
func (s *survey) busy() int {
	before := make([]int32, len(s.steps))
	for _, steps := range s.steps {
		for _, at := range steps {
			before[at]++
		}
	}
	var free []int32
	for at, n := range before {
		if n == 0 {
			free = append(free, int32(at))
		}
	}
	for len(free) > 0 {
		at := free[len(free)-1]
		free = free[:len(free)-1]
		for _, next := range s.steps[at] {
			if before[next]--; before[next] == 0 {
				free = append(free, next)
			}
		}
	}
	return slices.IndexFunc(before, func(n int32) bool { return n > 0 })
}

func (s *survey) count(m *queueModel) {
	holding := func(p modelPlace) bool { return p.phase == holding }
	if slices.ContainsFunc(m.places[:], holding) {
		s.holds++
	}
	if slices.ContainsFunc(m.places[:], func(p modelPlace) bool { return holding(p) && p.znode == noZnode }) {
		s.unaware++
	}
}

// trace tells the moves that lead to the state at.
func (s *survey) trace(at int) string {
	var lines []string
	for ; at > 0; at = s.moves[at].from {
		lines = append(lines, fmt.Sprintf("\n  %d %s", s.moves[at].who, s.moves[at].what))
	}
	slices.Reverse(lines)
	return strings.Join(lines, "")
}

var (
	errTwoHold   = errors.New("two hold that exclude each other")
	errOvertook  = errors.New("one holds before another that is ahead of it")
	errUnnoticed = errors.New("one holds that was deleted while it watched its znode")
	errAsleep    = errors.New("one waits though nobody is ahead of it")
)

// unsafe says what must never be. It is judged of those whose znodes exist: a
// client may believe for longer that it holds.
func (m *queueModel) unsafe() error {
	for i, p := range m.places[:m.came] {
		switch {
		case p.phase != holding:
		case p.znode == noZnode && p.warned:
			return errUnnoticed
		case p.znode != noZnode && m.holdsToo(i):
			return errTwoHold
		case p.znode != noZnode && m.blocked(i):
			return errOvertook
		}
	}
	return nil
}

// holdsToo reports whether another place holds what place i must not share.
func (m *queueModel) holdsToo(i int) bool {
	for other, p := range m.places {
		if other != i && p.phase == holding && p.znode != noZnode && m.conflict(other, i) {
			return true
		}
	}
	return false
}

// stuck says who sleeps for ever though it is its turn, when nothing is under
// way.
func (m *queueModel) stuck() error {
	for i, p := range m.places {
		if p.phase == waiting && p.znode != noZnode && !m.blocked(i) {
			return errAsleep
		}
	}
	return nil
}

// key tells states apart.
func (m *queueModel) key() string {
	b := make([]byte, 0, 128)
	b = digits(b, m.came, m.budget.reconnects, m.budget.writes, m.budget.evictions)
	b = append(b, byte(m.mark))
	for i := range m.came {
		b = m.placeKey(append(b, ' '), &m.places[i])
	}
	return string(b)
}

func (m *queueModel) placeKey(b []byte, p *modelPlace) []byte {
	b = digits(b, int(p.phase), int(p.znode), int(p.does), p.lists)
	b = flags(b, p.held, p.turn.doubtful, p.guessed, p.resumed, p.warned)
	b = append(flags(b, p.guessing, p.settled, p.hasRead, p.marks), byte(p.read))
	b = flags(b, p.heir, p.turn.heir, p.released, p.followed)
	for _, c := range p.turn.ahead {
		b = append(b, byte(m.scene.znodes[c.name]))
	}
	if p.does == gotList {
		for _, z := range p.shown {
			b = append(b, byte(z))
		}
	}
	for _, w := range []modelWatched{p.watched[0], p.watched[1], p.own, p.spares[0], p.spares[1]} {
		b = append(b, '|')
		if w.znode != noZnode {
			b = flags(append(b, byte(w.znode), byte(w.state)), w.late, w.fresh)
		}
	}
	return b
}
