package queue

import "github.com/zkplayground/zkplayground/zklock/test/explore"

// A turnWorld is a server with the queue of one lock, and clients that wait there by
// the real Turn. Places in the queue are numbered as they come.
//
// Nothing is assumed of how fast anything is. A request is served at any later time,
// and its reply taken in at any time after that, so a listing may be of any age.
// Events may be taken in in any order. A server that lags behind is, to its clients,
// one with slow links.
type turnWorld struct {
	*scene
	places     [maxPlaces]turnPlace
	came       int // places taken so far
	reconnects int // that may still happen
	writes     int
}

const maxPlaces = 4

// A turnPlace is a client's place in the queue.
type turnPlace struct {
	phase phase
	znode int8 // its number, 0 before the create and after the deletion
	wrote bool // it holds, or held, as a writer, and may become a reader

	turn    Turn
	does    doing
	shown   [maxPlaces]int8 // znodes in the listing under way
	watches [MaxWatches]turnWatch
	resumed bool // the connection has changed, and the client has not looked yet
}

type phase byte

const (
	away phase = iota
	waiting
	holding
	leaving // released, given up or crashed: the znode will be deleted
	left
)

// doing is what a client waits for.
type doing byte

const (
	sleeping doing = iota
	listAsked
	listShown // the reply is under way
	watchesAsked
)

// A turnWatch is a watch from its request until its event is taken in.
type turnWatch struct {
	znode int8
	state watchState
}

type watchState byte

const (
	watchAsked watchState = iota
	watchMissing
	watchSet
	watchLost // set on a connection that is no more, as the client does not know
	watchChanged
	watchDeleted
)

func znodeOf(place int) int8  { return int8(1 + 2*place) }
func readerOf(place int) int8 { return int8(2 + 2*place) }

// arrive creates the znode of the next place.
func (m *turnWorld) arrive() {
	i := m.came
	m.came++
	p := &m.places[i]
	*p = turnPlace{phase: waiting, znode: znodeOf(i), does: listAsked}
	p.turn = *NewTurn(m.kinds[i], m.znodes[p.znode].Name, m.recipe)
	if m.flaw == listEarlier {
		m.serveList(i)
		p.shown[i] = p.znode
		if i > 0 {
			p.shown[i-1] = 0
		}
	}
	alone := true
	for _, other := range m.places[:i] {
		alone = alone && other.znode == 0
	}
	if m.recipe.OneTransaction && (alone || m.flaw == alwaysAlone) {
		m.hold(i)
	}
}

// serveList answers a listing.
func (m *turnWorld) serveList(i int) {
	p := &m.places[i]
	p.does = listShown
	for other := range p.shown {
		p.shown[other] = m.places[other].znode
	}
}

// takeList takes a listing in.
func (m *turnWorld) takeList(i int) {
	p := &m.places[i]
	var contenders []Contender
	for _, z := range p.shown[:i+1] {
		if z != 0 {
			contenders = append(contenders, m.znodes[z])
		}
	}
	p.shown = [maxPlaces]int8{}
	p.turn.Listed(contenders)
	m.drive(i)
}

// drive does what the client does until it has to wait for something.
func (m *turnWorld) drive(i int) {
	p := &m.places[i]
	p.does = sleeping
	if p.resumed {
		p.resumed = false
		if m.flaw != keepWatches {
			p.watches = [MaxWatches]turnWatch{}
		}
		p.turn.Doubt()
	}
	switch {
	case p.turn.MustList():
		p.does = listAsked
	case p.turn.Holds():
		m.hold(i)
	default:
		m.watch(i)
	}
}

// watch asks for the watches that are missing.
func (m *turnWorld) watch(i int) {
	p := &m.places[i]
	had := p.watches
	p.watches = [MaxWatches]turnWatch{}
	for at, name := range p.turn.Watches() {
		w := turnWatch{znode: m.number[name]}
		for _, old := range had {
			if old.znode == w.znode && (old.state == watchSet || old.state == watchLost) {
				w = old
			}
		}
		if w.state == watchAsked {
			p.does = watchesAsked
		}
		p.watches[at] = w
	}
}

// serveWatch answers the request for a watch.
func (m *turnWorld) serveWatch(i, at int) {
	w := &m.places[i].watches[at]
	w.state = watchSet
	if m.places[(w.znode-1)/2].znode != w.znode {
		w.state = watchMissing
	}
}

// takeWatches takes the answers in.
func (m *turnWorld) takeWatches(i int) {
	p := &m.places[i]
	complete := true
	for at, w := range p.watches {
		if w.state != watchMissing || w.znode == 0 || m.flaw == sleepOnMissing {
			continue
		}
		complete = false
		p.watches[at] = turnWatch{}
		if m.flaw != askForMissing {
			p.turn.Gone(m.znodes[w.znode].Name)
		}
	}
	p.does = sleeping
	if !complete {
		m.drive(i)
	}
}

// wake takes the event of a watch in.
func (m *turnWorld) wake(i, at int) {
	p := &m.places[i]
	w, doubtful := p.watches[at], p.turn.doubtful
	p.watches[at] = turnWatch{}
	if w.state == watchDeleted || m.flaw == trustChange {
		p.turn.Gone(m.znodes[w.znode].Name)
	}
	switch {
	case m.flaw == trustPredecessor && at == 0:
		p.turn.ahead, p.turn.nearest, p.turn.doubtful = 0, nil, false
	case m.flaw == trustLookAhead && at == 1:
		p.turn.doubtful = doubtful
	}
	m.drive(i)
}

func (m *turnWorld) hold(i int) {
	m.places[i] = turnPlace{phase: holding, znode: m.places[i].znode, wrote: m.kinds[i].Marker == WriteMarker}
}

// leave is a release, a give-up or a crash: the client does no more.
func (m *turnWorld) leave(i int) {
	m.places[i] = turnPlace{phase: leaving, znode: m.places[i].znode, wrote: m.places[i].wrote}
}

func (m *turnWorld) remove(i int) {
	m.fire(m.places[i].znode, watchDeleted)
	m.places[i] = turnPlace{phase: left}
}

// downgrade makes a writer a reader in its place. Its reply may be long under way,
// and the writer may have left already.
func (m *turnWorld) downgrade(i int) {
	m.fire(m.places[i].znode, watchDeleted)
	m.places[i].znode, m.places[i].wrote = readerOf(i), false
}

func (m *turnWorld) write(i int) {
	m.writes--
	m.fire(m.places[i].znode, watchChanged)
}

// fire sends the event of each watch on a znode.
func (m *turnWorld) fire(znode int8, news watchState) {
	for i := range m.places {
		for at := range m.places[i].watches {
			if w := &m.places[i].watches[at]; w.znode == znode && w.state == watchSet {
				w.state = news
			}
		}
	}
}

// reconnect gives the client another connection. Requests under way are repeated.
// kept says that go-zookeeper has set the watches again.
func (m *turnWorld) reconnect(i int, kept bool) {
	p := &m.places[i]
	m.reconnects--
	for at, w := range p.watches {
		if w.state == watchSet && !kept {
			p.watches[at].state = watchLost
		}
	}
	if p.does == listShown {
		p.does, p.shown = listAsked, [maxPlaces]int8{}
	}
	p.resumed = m.flaw != ignoreReconnect
}

func (m *turnWorld) reads(i int) bool {
	return m.kinds[i].Marker == ReadMarker || m.places[i].znode == readerOf(i)
}

// blocked reports whether a place must wait for one ahead of it.
func (m *turnWorld) blocked(i int) bool {
	for other := range i {
		if m.places[other].znode != 0 && !(m.reads(i) && m.reads(other)) {
			return true
		}
	}
	return false
}

// unsafe also finds who holds before another that is ahead of it: that one may hold
// at any moment.
func (m *turnWorld) Unsafe() error {
	for i := range m.came {
		if m.places[i].phase == holding && m.blocked(i) {
			return explore.ErrTwoHold
		}
	}
	return nil
}

func (m *turnWorld) Asleep() error {
	for i, p := range m.places {
		if p.phase == waiting && !m.blocked(i) {
			return explore.ErrAsleep
		}
	}
	return nil
}

func (m *turnWorld) Holds() bool {
	for _, p := range m.places {
		if p.phase == holding {
			return true
		}
	}
	return false
}

func (m *turnWorld) Key() string {
	b := []byte{byte(m.came), byte(m.reconnects), byte(m.writes)}
	for i := range m.came {
		p := &m.places[i]
		b = flags(append(b, byte(p.phase), byte(p.znode), byte(p.does)), p.wrote, p.turn.doubtful, p.resumed)
		b = append(b, byte(p.turn.ahead))
		for _, c := range p.turn.nearest {
			b = append(b, byte(m.number[c.Name]))
		}
		b = append(b, '|')
		for _, w := range p.watches {
			b = append(b, byte(w.znode), byte(w.state))
		}
		if p.does == listShown {
			for _, z := range p.shown {
				b = append(b, byte(z))
			}
		}
	}
	return string(b)
}

func flags(b []byte, all ...bool) []byte {
	for _, f := range all {
		if f {
			b = append(b, '+')
		} else {
			b = append(b, '-')
		}
	}
	return b
}
