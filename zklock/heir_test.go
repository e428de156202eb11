package zklock_test

import "testing"

// Where four come back at once, each time, an acquisition is a create, a set of
// watches and a delete: that the heir is made, and that the one just ahead goes,
// is all that the waiter is told.
func TestHeirSavesTheListing(t *testing.T) {
	s := newSuccession(t)
	const enough = 3 // one after the other: each teaches the next
	good := 0
	for range patientRounds {
		s.awaits()
		told := s.told()
		if n := asked(s.cost.counts); !told || s.cost.lists() > 0 || n != 3 || s.cost.news != 2 {
			t.Logf("told by an heir: %v, %v", told, s.cost)
			good = 0
		} else if good++; good == enough {
			break
		}
	}
	if good < enough {
		t.Error("no heirs")
	}
	s.endsUnwatched()
}

// Who gives up and comes back has not held: neither its going nor its new znode
// says anything of those before it. So if the one just ahead goes as well, the
// holder is still there.
func TestNoHeirOfOneThatGaveUp(t *testing.T) {
	for name, back := range map[string]bool{"comes back": true, "stays away": false} {
		t.Run(name, func(t *testing.T) {
			s := newSuccession(t)
			heir := s.awaits()
			gone := s.lockOf(1)
			s.giveUp(1)
			if back {
				s.takeNumbers(1) // that of the holder's heir
				s.queue = append(s.queue, s.startLock(gone))
				if s.numbered(numberOf(heir)) == "" {
					t.Fatal("its new znode has not the number of the heir")
				}
			}
			s.giveUp(1)
			s.standsBehind(s.queue[0])
			s.endsUnwatched()
		})
	}
}

// standsBehind finds that the waiter, which has lost those ahead, waits for the
// holder.
func (s *succession) standsBehind(holder *attempt) {
	s.Helper()
	eventually(s, "the waiter lists", func() bool {
		return s.waiter.count("wait-start "+holder.lease.Node())+s.waiter.count("acquired") > 0
	})
	if s.waiter.count("acquired") > 0 {
		s.Error("holds beside another")
	}
}

// The watch for an heir that is not made, or not waited for, is taken back: it
// would stay for as long as the connection.
func TestHeirIsTakenBack(t *testing.T) {
	for name, do := range map[string]func(*succession){
		"not made": func(s *succession) {
			s.holds()
			if n := s.network.expense().since(s.before).lists(); n != 1 {
				s.Errorf("%d listings", n)
			}
		},
		"given up":       func(s *succession) { s.giveUp(len(s.queue) - 1) },
		"another number": func(s *succession) { s.goesAround(); s.takeNumbers(1); s.waiter = s.comes(); s.holds() },
		"one has gone":   func(s *succession) { s.goesAround(); s.giveUp(len(s.queue) - 1); s.comes() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSuccession(t)
			s.takesBack(func() { do(s) })
			s.endsUnwatched()
		})
	}
}

// A stranger has taken the number just ahead, where another was guessed. All
// this is heard at once: that the guess was wrong, and that the heir was made.
func TestNoHeirBehindAStranger(t *testing.T) {
	s := newSuccession(t)
	stranger := s.careful()
	s.awaits()
	second := s.lockOf(1)
	s.turns()
	s.turns()
	s.goes()
	s.queue = append(s.queue, s.startLock(stranger))
	s.goes()
	s.comesUnheard()
	for range 2 {
		s.unlock(s.queue[0].held(t)) // of the old ones, of whom the second comes back
		s.queue = s.queue[1:]
	}
	holder := s.queue[0]
	holder.held(t)
	s.takeNumbers(1)
	s.queue = append(s.queue, s.waiter, s.startLock(second))
	s.network.heal()
	s.standsBehind(holder)
	s.endsUnwatched()
}

// comesUnheard has the waiter ask for its place and its watches; the answers are
// held back.
func (s *succession) comesUnheard() {
	s.Helper()
	sets := s.network.requests(opWatchSet)
	s.network.holdReplies()
	s.waiter = s.beginLock(s.locks[0])
	s.next++
	eventually(s, "it has asked", func() bool { return s.network.requests(opWatchSet) > sets })
}

// Heirs that are not made in time are rested from ever longer.
func TestHeirsThatAreNotMade(t *testing.T) {
	s := newSuccession(t)
	for range 6 { // some are of a wrong number, which is another matter
		s.awaits()
		s.turns()
		s.holds()
		for len(s.queue) < len(s.locks) {
			s.comes() // too late
		}
	}
	before := s.next
	s.awaits()
	if rounds := (s.next - before) / len(s.locks); rounds < 7 {
		t.Errorf("one is awaited after %d rounds", rounds)
	}
	s.endsUnwatched()
}
