package link

// Pause makes the client's process stand still: what it reads, writes and dials
// waits until Resume, and no deadline passes for it. The network goes on: frames
// that were sent travel on, and what arrives waits for the client to read it.
// The client's own code is not stopped: the caller stops that, too. A
// link that is paused, killed or closed is not changed.
//
// While a link is paused, closing a connection, Kill and Close end the waits.
func (l *Link) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life.Err() != nil || !l.process.Shut() {
		return
	}
	l.in.setPaused(true)
	l.each(func(c *conn) { c.in.suspend() })
}

// Resume lets the client's process go on: what has arrived is read first, even
// when a deadline has passed. A link that is not paused is not changed.
func (l *Link) Resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.process.Open() {
		return
	}
	l.in.setPaused(false)
	l.each(func(c *conn) { c.in.resume() })
}

func (d *direction) setPaused(paused bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.paused = paused
}
