package zklock

import "fmt"

// A queueModel is a moment of the world around a lock: a server, and clients
// that wait by the real turn. Places in the queue are numbered as they come, so
// a place's index is its znode's number.
//
// Nothing is assumed of how fast anything is. A request is served at any later
// time, and answered by what is there then; its reply is taken in at any time
// after that. Events may be taken in any order, by clients that are behind by
// any time: that is more than a connection allows, where they come in order,
// and it is enough. Only that the end of the own znode is told before what
// came later is kept, for the check of it rests on it. A server that lags
// behind is, to its clients, one with slow links.
type queueModel struct {
	scene  *scene
	places [maxPlaces]modelPlace
	came   int // places taken so far
	budget budget
	mark   int8 // the place that was released with the last mark
}

const maxPlaces = 4

// A budget bounds what the world does besides clients that come and leave.
type budget struct{ reconnects, writes, evictions int }

// A scene is what a model starts from.
type scene struct {
	queue    string // the places in their order: L locks, R reads, W writes
	textbook bool
	fast     bool // a create may find that it is alone
	guesses  bool // who is just ahead may be guessed first
	sure     bool // and is, and guessed right
	marks    bool // a release may set a mark, and who guessed right read it
	heirs    bool // who guessed right waits for an heir instead of looking ahead
	numbers  bool // a client that comes again may find by its number that it is first
	budget   budget
	broken   flaw

	kinds      []kind // of the places
	contenders map[znode]contender
	znodes     map[string]znode // by name
	next       queueModel       // the state that is being tried
}

// A znode stands for a name: a place, and which of the names at its number.
type znode byte

const (
	noZnode  = iota
	asMade   // by the create
	asReader // by a downgrade
	misnamed // by a wrong guess; there never is one
	spellings
)

func znodeOf(place, spelling int) znode { return znode(place*spellings + spelling) }

func (z znode) place() int { return int(z) / spellings }

// prepare makes up the names.
func (s *scene) prepare() {
	s.kinds, s.contenders, s.znodes = nil, make(map[znode]contender), make(map[string]znode)
	for i, letter := range s.queue {
		k := kindOf(string(letter))
		s.kinds = append(s.kinds, k)
		for spelling, marker := range map[int]string{asMade: k.marker, asReader: readMarker, misnamed: k.marker} {
			z := znodeOf(i, spelling)
			name := fmt.Sprintf("%s%010d", protectedName(fmt.Sprintf("%032x", z), marker), i)
			s.contenders[z] = contender{name, marker, int32(i)}
			s.znodes[name] = z
		}
	}
}

// exists reports whether z is at the server.
func (m *queueModel) exists(z znode) bool { return z != noZnode && m.places[z.place()].znode == z }

// fire sends the event of each watch on z.
func (m *queueModel) fire(z znode, news watchState) {
	for i := range m.came {
		p := &m.places[i]
		p.own.fire(z, news, p.own.state == deleted)
		for w := range p.watched {
			p.watched[w].fire(z, news, p.own.state == deleted)
			p.spares[w].fire(z, news, false)
		}
	}
}

func (w *modelWatched) fire(z znode, news watchState, late bool) {
	if w.znode == z && w.state == armed {
		w.state, w.late = news, late
	}
}

// serveList answers a listing.
func (m *queueModel) serveList(i int) {
	p := &m.places[i]
	p.does = gotList
	for other := range m.places {
		p.shown[other] = m.places[other].znode
	}
}

// serveWatch answers a request for a watch. There is none on what is gone.
func (m *queueModel) serveWatch(i int, w *modelWatched) {
	w.state = missing
	if m.exists(w.znode) {
		w.state = armed
	}
	w.late = m.places[i].own.state == deleted
}

// remove deletes the znode of a client that has left: by its request, by that
// of its clean-up, or because its session has ended.
func (m *queueModel) remove(i int) {
	p := &m.places[i]
	z := p.znode
	p.followed = (m.scene.heirs || m.scene.numbers) && (p.released || m.scene.broken == heirOfWaiter)
	p.phase, p.znode, p.held, p.released = gone, noZnode, false, false
	m.fire(z, deleted)
}

// downgrade puts a reader's znode in the place of a writer's. The request may
// be served after its client has left.
func (m *queueModel) downgrade(i int) {
	p := &m.places[i]
	z := p.znode
	p.znode = znodeOf(i, asReader)
	m.fire(z, deleted)
}

// write changes the data of a place's znode, as Revoke does.
func (m *queueModel) write(i int) {
	m.budget.writes--
	m.fire(m.places[i].znode, changed)
}

// evict deletes a waiter's znode without its doing.
func (m *queueModel) evict(i int) {
	m.budget.evictions--
	p := &m.places[i]
	z := p.znode
	p.znode = noZnode
	p.warned = p.own.state == armed && m.blocked(i)
	m.fire(z, deleted)
}

// reconnect gives a waiter another connection. A reply under way may be lost,
// and the request be repeated; and the watches may be set again or not.
func (m *queueModel) reconnect(i int, heard, kept bool) {
	m.budget.reconnects--
	p := &m.places[i]
	p.resumed = true
	if p.does == gotList || p.does == gotMark {
		p.does, p.read = askedList, 0
	}
	for _, w := range []*modelWatched{&p.own, &p.watched[0], &p.watched[1]} {
		switch {
		case w.znode == noZnode || w.state == asked:
		case p.does == askedWatches && w.fresh && !heard:
			w.state = asked
		case !kept && w.state != missing:
			w.state = dead
		}
	}
}

// blocked reports whether the number of place i has a znode ahead of it that
// it must wait for.
func (m *queueModel) blocked(i int) bool {
	for other := range i {
		if z := m.places[other].znode; z != noZnode && m.conflict(other, i) {
			return true
		}
	}
	return false
}

// conflict reports whether two places exclude each other.
func (m *queueModel) conflict(i, j int) bool { return !(m.reads(i) && m.reads(j)) }

func (m *queueModel) reads(i int) bool {
	return m.scene.kinds[i].mode == ModeRead || m.places[i].znode == znodeOf(i, asReader)
}
