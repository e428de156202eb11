package zklock

import (
	"slices"

	"github.com/go-zookeeper/zk"
)

// A modelPlace is a client's place in the queue: its znode, and what vigil
// knows while it waits there.
//
// It decides by the real turn. What vigil does besides is mirrored, and each
// function names what it mirrors. Left out are traces and the limits of a wait:
// a client that tries, or whose context ends, is one that leaves. Time is left
// out too: ownDelay passes whenever it likes.
type modelPlace struct {
	phase phase
	znode znode // noZnode before the create and after the deletion
	held  bool  // it may have asked for a downgrade

	turn     turn
	does     doing
	shown    [maxPlaces]znode // by the listing under way
	watched  [lookAhead]modelWatched
	own      modelWatched
	lists    int // 2 stands for more
	guessed  bool
	guessing bool // and their watches are under way
	settled  bool // the guess was right
	hasRead  bool // a mark
	read     int8 // the mark under way
	marks    bool // it may mark its release
	heir     bool // waits for it
	released bool // it leaves, and has held the lock
	followed bool // it has held the lock and is gone, so that it may be followed
	resumed  bool // the connection has changed, and vigil has not looked yet
	warned   bool // evicted while it waited and watched its znode

	// spares are the watches that it left, for the next place of the session.
	spares [lookAhead]modelWatched
}

// doing is what vigil waits for.
type doing byte

const (
	sleeping doing = iota
	askedList
	gotList // the reply is under way
	gotMark
	askedWatches
)

// A modelWatched is a watch, from its request until its event is taken in.
type modelWatched struct {
	znode znode
	state watchState
	late  bool // the news came after that of the own znode's end
	fresh bool // asked for by the requests under way
}

type watchState byte

const (
	asked watchState = iota
	missing
	armed
	changed
	deleted
	dead // set on a connection that is no more
)

// drive is vigil.step, until it has to wait. late says that the own znode's
// end, if there was one, has been told.
func (m *queueModel) drive(i int, late bool) {
	p := &m.places[i]
	if p.resumed {
		p.begin(m.scene.broken)
	}
	switch wish := p.turn.wishes(); {
	case wish == wishListing:
		p.does = askedList
	case wish == wishNews:
		m.watch(i, false)
	case late && p.own.state == deleted && m.scene.broken != ignoreOwn:
		m.vanish(i)
	default:
		m.hold(i)
	}
}

func (p *modelPlace) begin(broken flaw) {
	p.resumed = false
	if broken == ignoreReconnect {
		return
	}
	if broken != keepWatches {
		p.watched, p.own = [lookAhead]modelWatched{}, modelWatched{}
	}
	p.spares = [lookAhead]modelWatched{}
	p.heir = false
	p.turn.doubt()
}

// takeList is vigil.list.
func (m *queueModel) takeList(i int) {
	p := &m.places[i]
	var queue []contender
	for _, z := range p.shown[:i+1] {
		if z != noZnode {
			queue = append(queue, m.scene.contenders[z])
		}
	}
	p.does, p.shown, p.heir = sleeping, [maxPlaces]znode{}, false
	if !p.turn.listed(queue) {
		m.vanish(i)
		return
	}
	p.lists = min(p.lists+1, 2)
	m.drive(i, false)
}

// watch is the first half of vigil.watch: it asks for what is missing. patient
// says that ownDelay has passed.
func (m *queueModel) watch(i int, patient bool) {
	p := &m.places[i]
	var watched [lookAhead]modelWatched
	for at, name := range p.turn.watches() {
		watched[at] = p.watching(m.scene.znodes[name])
	}
	p.watched = watched
	if m.wantsOwn(i) && (patient || p.lists <= 1 && !p.guessed) {
		p.own = modelWatched{znode: znodeOf(i, asMade), fresh: true}
	}
	p.does = sleeping
	if p.own.fresh || watched[0].fresh || watched[1].fresh {
		p.does = askedWatches
	}
}

// wantsOwn leaves out the watch on the own znode where nobody deletes it.
func (m *queueModel) wantsOwn(i int) bool {
	p := &m.places[i]
	return m.scene.budget.evictions > 0 && !m.scene.textbook && p.own.znode == noZnode && p.turn.next()
}

// watching is vigil.watching.
func (p *modelPlace) watching(z znode) modelWatched {
	for _, had := range []*[lookAhead]modelWatched{&p.watched, &p.spares} {
		if at := slices.IndexFunc(had[:], func(w modelWatched) bool { return w.znode == z }); at >= 0 {
			w := had[at]
			had[at] = modelWatched{}
			return w
		}
	}
	return modelWatched{znode: z, fresh: true}
}

// takeWatches is the second half of vigil.watch, when all replies are there.
func (m *queueModel) takeWatches(i int) {
	p := &m.places[i]
	complete, late := true, false
	var watched []modelWatched
	for _, w := range p.watched {
		late = late || w.fresh && w.late
		w.fresh = false
		switch {
		case w.znode == noZnode:
		case w.state == missing && m.scene.broken != sleepOnMissing:
			complete = false
			if m.scene.broken != askAgain {
				p.turn.gone(m.scene.contenders[w.znode].name)
			}
		default:
			watched = append(watched, w)
		}
	}
	p.watched = [lookAhead]modelWatched{}
	copy(p.watched[:], watched)
	p.own.fresh = false
	p.heir = p.heir && (complete || m.scene.broken == heirUnsettled)
	p.settled = m.scene.marks && (p.settled || p.guessing && complete)
	p.guessing = false
	p.does = sleeping
	switch {
	case p.own.state == missing && p.own.znode != noZnode:
		m.vanish(i)
	case !complete:
		m.drive(i, late)
	}
}

// wake is vigil.sleep and vigil.happened, for the watch at.
func (m *queueModel) wake(i, at int) {
	p := &m.places[i]
	w := p.watched[at]
	p.watched = [lookAhead]modelWatched{p.watched[1-at]}
	before := p.turn
	event := zk.EventNodeDataChanged
	if w.state == deleted || m.scene.broken == trustChange {
		event = zk.EventNodeDeleted
	}
	p.turn.heard(m.scene.contenders[w.znode].name, event)
	switch {
	case m.scene.broken == trustPredecessor && at == 0:
		p.turn.ahead, p.turn.doubtful = nil, false
	case m.scene.broken == trustLookAhead && at == 1:
		p.turn.doubtful = before.doubtful
	}
	m.drive(i, w.late)
}

// wakeOwn is vigil.sleep for the watch on the own znode.
func (m *queueModel) wakeOwn(i int) {
	p := &m.places[i]
	w := p.own
	p.own = modelWatched{}
	if w.state == deleted {
		m.vanish(i)
		return
	}
	p.turn.doubt()
	m.drive(i, false)
}

// vanish ends an attempt whose znode has gone. The next is another place.
func (m *queueModel) vanish(i int) { m.places[i] = modelPlace{phase: gone} }

func (m *queueModel) hold(i int) {
	p := &m.places[i]
	m.places[i] = modelPlace{phase: holding, znode: p.znode, held: p.turn.kind.marker == writeMarker, warned: p.warned}
}

// leave is a release, a give-up or a crash: the client does no more, and its
// znode is deleted some time. The watches of an old connection are not left.
func (m *queueModel) leave(i int) {
	p := &m.places[i]
	left := modelPlace{phase: leaving, znode: p.znode, held: p.held, marks: m.mayMark(i)}
	left.released = (m.scene.heirs || m.scene.numbers) && p.phase == holding
	if p.phase == holding && m.scene.broken == markEarly {
		m.mark = int8(i)
	}
	if p.znode == noZnode {
		left.phase = gone
	}
	if m.came < len(m.scene.kinds) && (!p.resumed || m.scene.broken == spareAnything) {
		left.spares = p.watched
	}
	for at, w := range left.spares {
		if w.fresh {
			left.spares[at] = modelWatched{}
		}
	}
	m.places[i] = left
}
