package zklock

// The heir of a place: it may be made once the place has held the lock and is
// gone, or not, and its news may come at any later time.

// heirs are the news of the heir of the place two ahead of i, while that waits
// for it, whatever else it waits for.
func (m *queueModel) heirs(i int, visit visitor) {
	p := &m.places[i]
	of := i - lookAhead
	if m.scene.broken == heirOfAnother {
		of--
	}
	if !p.heir || of < 0 || p.does == askedWatches {
		return
	}
	made := m.places[of].followed || m.scene.broken == heirEarly && m.places[of].phase == holding
	m.after(visit, made && !p.resumed, "hears of the heir", i, func(m *queueModel) { m.takeHeir(i) })
}

// takeHeir is vigil.tookHeir. A listing under way is of no interest any more.
func (m *queueModel) takeHeir(i int) {
	p := &m.places[i]
	p.heir, p.does, p.shown = false, sleeping, [maxPlaces]znode{}
	if !p.turn.released(int32(i-lookAhead), int32(i)) {
		p.turn.doubt()
	}
	m.drive(i, false)
}
