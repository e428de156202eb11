package protocol

import "time"

// setWatchesTimeout is how long replies wait for go-zookeeper to set its watches
// again. It does so within microseconds where the machine is not busy, unless all
// of them have fired: then it is waited for once, and not again before it sets one.
const setWatchesTimeout = 100 * time.Millisecond

// awaitSetWatches holds back the first replies in a resumed session until the
// request that sets the watches again has been sent. go-zookeeper v1.0.4 writes the
// zxid of the last reply into that request, and reads it without a lock
// (Conn.sendSetWatches): a reply that came too early would race with it, and have
// the server skip events.
func (c *Conn) awaitSetWatches() {
	c.mu.Lock()
	wait := c.answered && c.resumes
	c.mu.Unlock()
	if !wait {
		return
	}
	timer := time.NewTimer(setWatchesTimeout)
	defer timer.Stop()
	select {
	case <-c.watchesSet:
	case <-timer.C:
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.resumes {
		c.resumes = false
		c.history.watched.Store(false)
	}
}

// noteWatch takes note of a request that is about watches. The caller holds c.mu.
func (c *Conn) noteWatch(op int32, f frame) {
	switch op {
	case OpExists, OpGetData, opGetChildren, OpGetChildren2:
		if f.last != 0 { // they end with whether to set a watch
			c.history.watched.Store(true)
		}
	case opSetWatches, opSetWatches2:
		c.history.watched.Store(true)
		if c.resumes {
			c.resumes = false
			close(c.watchesSet)
		}
	}
}
