package zklock

// The mark of a long queue: whoever releases may write its number, in the
// transaction that deletes its znode, or not; and who has guessed right may
// read it instead of its first listing, or not. Which of them do depends on
// parity, on versions and on what a client remembers, and does not matter.
//
// The places of a model are not the first of their directory: it begins with
// the mark of the one before them.

// firstMark is the number before the first place's.
const firstMark = -1

// noOwn is in place of a mark where the own znode was found missing.
const noOwn = -2

// markFirst begins with a mark.
func (m *queueModel) markFirst() {
	m.mark = firstMark
	if m.scene.broken == markForeign {
		m.mark = int8(len(m.scene.kinds) - 2)
	}
}

// removals are the deletions of the znode of place i, which has left.
func (m *queueModel) removals(i int, visit visitor) {
	p := &m.places[i]
	leaving := p.phase == leaving
	m.after(visit, leaving, "is deleted", i, func(m *queueModel) { m.remove(i) })
	m.after(visit, leaving && p.marks, "is deleted, and marks", i, func(m *queueModel) {
		m.mark = int8(i)
		m.remove(i)
	})
}

// mayMark reports whether place i, which leaves, may write a mark.
func (m *queueModel) mayMark(i int) bool {
	p := &m.places[i]
	return m.scene.marks && p.znode != noZnode && (p.phase == holding || m.scene.broken == markOfWaiter)
}

// goesByMark mirrors the conditions of vigil.readMark.
func (m *queueModel) goesByMark(i int) bool {
	p := &m.places[i]
	settled := p.settled || p.guessed && m.scene.broken == markUnsettled
	return m.scene.marks && p.does == askedList && settled && p.lists == 0 && !p.hasRead
}

// serveMark answers the read of the mark and of the own znode.
func (m *queueModel) serveMark(i int) {
	p := &m.places[i]
	p.does, p.read = gotMark, m.mark
	if p.znode == noZnode {
		p.read = noOwn
	}
}

// takeMark is the rest of vigil.readMark.
func (m *queueModel) takeMark(i int) {
	p := &m.places[i]
	read := p.read
	p.does, p.read, p.hasRead = sleeping, 0, true
	if read == noOwn {
		m.vanish(i)
		return
	}
	if m.scene.broken == markFar {
		p.turn.position = 0
	}
	if p.turn.released(int32(read), int32(i)) {
		p.lists = min(p.lists+1, 2)
	}
	m.drive(i, false)
}
