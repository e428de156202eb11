package link

import "sync"

// Pause makes the client's process stand still: what it reads, writes and dials
// waits until Resume, and no deadline passes for it. The network goes on: frames
// that were sent travel on, and what arrives waits for the client to read it.
// The client's own code is not stopped; who pauses a link stops that, too. A
// link that is paused, killed or closed is not changed.
//
// While a link is paused, closing a connection, Kill and Close let go who waits.
func (l *Link) Pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life.Err() != nil || !l.process.stop() {
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
	if !l.process.resume() {
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

// A process is what a pause stops. Its methods may be called concurrently.
type process struct {
	acts    sync.RWMutex  // read-locked by what must not be cut in two by a stop
	resumed chan struct{} // closed when the process goes on; nil while it runs
}

// stop returns when nothing acts any more. It reports whether it changed that.
func (p *process) stop() bool {
	p.acts.Lock()
	defer p.acts.Unlock()
	if p.resumed != nil {
		return false
	}
	p.resumed = make(chan struct{})
	return true
}

// resume reports whether the process stood still.
func (p *process) resume() bool {
	p.acts.Lock()
	defer p.acts.Unlock()
	if p.resumed == nil {
		return false
	}
	close(p.resumed)
	p.resumed = nil
	return true
}

// enter waits until the process runs, or freed is closed, and keeps it from
// being stopped until exit.
func (p *process) enter(freed <-chan struct{}) {
	for {
		p.acts.RLock()
		resumed := p.resumed
		if resumed == nil {
			return
		}
		p.acts.RUnlock()
		select {
		case <-resumed:
		case <-freed:
			p.acts.RLock()
			return
		}
	}
}

func (p *process) exit() { p.acts.RUnlock() }

// wait returns once the process runs, or freed is closed.
func (p *process) wait(freed <-chan struct{}) {
	p.enter(freed)
	p.exit()
}
