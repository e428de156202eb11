package zklock

// arrival is how a place begins.
type arrival byte

const (
	byListing    arrival = iota
	atOnce               // by the transaction that counts
	inSuccession         // by the number after that of the place before
	guessRight
	guessNearWrong
	guessFarWrong
)

// maxClients is how many live at a time. A place beyond is another round of
// one that has left.
const maxClients = 3

func (m *queueModel) arrivals(visit visitor) {
	i, living := m.came, 0
	for _, p := range m.places {
		if p.phase == waiting || p.phase == holding {
			living++
		}
	}
	if i == len(m.scene.kinds) || living == maxClients {
		return
	}
	if m.scene.sure && i >= lookAhead {
		m.after(visit, true, "comes, and guesses", i, func(m *queueModel) { m.arrive(-1, guessRight) })
		return
	}
	m.after(visit, true, "comes", i, func(m *queueModel) { m.arrive(-1, byListing) })
	m.after(visit, m.scene.fast, "comes by a transaction", i, func(m *queueModel) { m.arrive(-1, atOnce) })
	m.after(visit, m.succeeds(), "comes again", i, func(m *queueModel) { m.arrive(-1, inSuccession) })
	for from := range i {
		left := m.places[from].spares != [lookAhead]modelWatched{}
		m.after(visit, left, "comes, with watches of a round before", i, func(m *queueModel) { m.arrive(from, byListing) })
	}
	guesses := m.scene.guesses && i >= lookAhead && m.scene.kinds[i].steady
	for how := guessRight; how <= guessFarWrong; how++ {
		m.after(visit, guesses, "comes, and guesses", i, func(m *queueModel) { m.arrive(-1, how) })
	}
}

// arrive takes the next place. Its client is new, or another round of one that
// has left; then it finds the watches left by the place from, if not negative.
func (m *queueModel) arrive(from int, how arrival) {
	i := m.came
	m.came++
	p := &m.places[i]
	*p = modelPlace{phase: waiting, znode: znodeOf(i, asMade)}
	p.turn = *newTurn(m.scene.kindOf(i), m.scene.contenders[p.znode].name, m.scene.textbook)
	m.handDown(from, i)
	if how == atOnce && (m.alone() || m.scene.broken == takenForAlone) {
		m.hold(i)
		return
	}
	if how == inSuccession {
		m.hold(i)
		return
	}
	if how >= guessRight {
		m.guess(i, how)
	}
	m.drive(i, false)
}

// handDown gives the watches that the place from has left to place i. Behind
// the last place nobody wants any.
func (m *queueModel) handDown(from, i int) {
	if from >= 0 {
		m.places[i].spares = m.places[from].spares
	}
	if m.came == len(m.scene.kinds) {
		for left := range i {
			m.places[left].spares = [lookAhead]modelWatched{}
		}
	}
}

// kindOf returns the kind of place i.
func (s *scene) kindOf(i int) kind {
	k := s.kinds[i]
	switch {
	case k.mode == ModeRead:
	case s.broken == trustDeletion:
		k.final = always
	case s.broken == passReaders:
		k.blockers = writers
	}
	return k
}

// guess is vigil.guess, but for the requests, which drive sends.
func (m *queueModel) guess(i int, how arrival) {
	p := &m.places[i]
	far, near := znodeOf(i-2, asMade), znodeOf(i-1, asMade)
	switch how {
	case guessNearWrong:
		near = znodeOf(i-1, misnamed)
	case guessFarWrong:
		far = znodeOf(i-2, misnamed)
	}
	ahead := []contender{m.scene.contenders[far], m.scene.contenders[near]}
	if m.scene.broken == guessOne {
		ahead = ahead[1:]
	}
	p.guessed, p.guessing = true, m.scene.marks
	p.turn.guessed(ahead)
	p.heir, p.turn.heir = m.scene.heirs, m.scene.heirs
}

// succeeds is place.succeeds, of the next place: that with the number before it
// was its client's, has held the lock, and is gone.
func (m *queueModel) succeeds() bool {
	last := m.came - 1
	if m.scene.broken == successorOfAnother {
		last--
	}
	return m.scene.numbers && last >= 0 && m.places[last].followed
}

// alone reports whether the create that was served last left one child, which
// is what its transaction counts.
func (m *queueModel) alone() bool {
	n := 0
	for _, p := range m.places {
		if p.znode != noZnode {
			n++
		}
	}
	return n == 1
}
