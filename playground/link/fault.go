package link

import (
	"context"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// SetDelay makes every frame from now on take this long to the server (out) and
// to the client (in), on connections old and new. Frames under way keep the
// time they have, and are not overtaken. Negative is 0. Dials are not delayed.
func (l *Link) SetDelay(out, in time.Duration) {
	l.out.setDelay(out)
	l.in.setDelay(in)
}

// Slow makes every frame from now on take at least delay in both directions, also
// where SetDelay says less, and up to jitter more, as Config.Random draws. Frames
// still do not overtake each other, so one that takes long holds up those behind it.
// Slow(0, 0) ends that.
func (l *Link) Slow(delay, jitter time.Duration) {
	l.out.slow(delay, jitter)
	l.in.slow(delay, jitter)
}

// Block makes all frames of the given directions, both if none is given, wait
// until Unblock: a partition. As with TCP nothing is lost: what waits arrives
// late. The end of a connection waits too, so the other end does not learn that
// one side has closed. Dials wait as long as anything is blocked, up to their
// timeout. The name says whose block it is: a direction is open again when it is
// unblocked under each name under which it was blocked.
func (l *Link) Block(name string, directions ...event.Direction) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, way := range ways(directions) {
		if l.direction(way).block(name) {
			l.each(func(c *conn) { c.queue(way).suspend() })
		}
	}
	l.update()
}

// Unblock ends the block of that name in the given directions, both if none is
// given. Frames whose time has come meanwhile leave at once.
func (l *Link) Unblock(name string, directions ...event.Direction) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, way := range ways(directions) {
		if l.direction(way).unblock(name) {
			l.each(func(c *conn) { c.queue(way).resume() })
		}
	}
	l.update()
}

// Blocked says whether a direction is blocked under another name than this one.
func (l *Link) Blocked(besides string) bool {
	return l.out.blocked(besides) || l.in.blocked(besides)
}

// Cut drops the client's connections now, at both ends, blocked or not. What waits
// in them is lost. The client may dial again.
func (l *Link) Cut() { l.cut(ErrCut) }

// Kill drops the client's connections and refuses all dials with ErrKilled, for
// ever: what the server sees of a crash. Dials fail at once, so stop the client
// library, or it will try for as long as it can.
func (l *Link) Kill() { l.finish(ErrKilled) }

// finish ends the link for the first reason that is given.
func (l *Link) finish(reason error) {
	l.end(reason)
	l.cut(context.Cause(l.life))
	l.Resume()
}

func (l *Link) cut(reason error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.each(func(c *conn) { c.cut(reason) }) // each leaves when nobody uses it, so a paused client is woken by Resume
}

func ways(directions []event.Direction) []event.Direction {
	if len(directions) == 0 {
		return []event.Direction{event.Out, event.In}
	}
	return directions
}

func (l *Link) direction(way event.Direction) *direction {
	if way == event.Out {
		return l.out
	}
	return l.in
}

// update opens or shuts the way for dials; the caller has l.mu.
func (l *Link) update() {
	shut := l.out.isBlocked() || l.in.isBlocked()
	select {
	case <-l.open:
		if shut {
			l.open = make(chan struct{})
		}
	default:
		if !shut {
			close(l.open)
		}
	}
}

// ClearDelay lifts what SetDelay and Slow set, also for the frames under way.
func (l *Link) ClearDelay() {
	l.SetDelay(0, 0)
	l.Slow(0, 0)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.each(func(c *conn) { c.out.clearDelay(); c.in.clearDelay() })
}

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
