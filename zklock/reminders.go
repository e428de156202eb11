package zklock

import (
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Reminders are calls to be made after a while. Nearly all are taken back
// before that, as most leases and waits are over in a moment. So one timer, set
// once in a while, serves all of a session: a timer for each costs some hundredths
// of a whole acquisition.
type reminders struct {
	mu    sync.Mutex
	queue []*reminder // the first due first; those taken back leave it late
	timer *time.Timer // nil before the first
	over  bool
}

// A reminder is one such call.
type reminder struct {
	at        time.Time
	call      func()
	takenBack atomic.Bool
}

// takeBack sees to it that the call is not made, unless it begins just now.
func (m *reminder) takeBack() { m.takenBack.Store(true) }

// add has call called on the timer's goroutine, after those that are due before
// it. It must not block.
func (r *reminders) add(delay time.Duration, call func()) *reminder {
	m := &reminder{at: time.Now().Add(delay), call: call}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return m
	}
	at := len(r.queue) // where most have the same delay
	for at > 0 && m.at.Before(r.queue[at-1].at) {
		at--
	}
	r.queue = slices.Insert(r.queue, at, m)
	if at == 0 {
		r.set(delay)
	}
	return m
}

// set has the timer fire for the first in the queue. The caller holds r.mu.
func (r *reminders) set(delay time.Duration) {
	if r.timer == nil {
		r.timer = time.AfterFunc(delay, r.tick)
		return
	}
	r.timer.Reset(delay)
}

func (r *reminders) tick() {
	for _, m := range r.due(time.Now()) {
		m.call()
	}
}

// due takes those whose time has come out of the queue, with those before the
// next that have been taken back.
func (r *reminders) due(now time.Time) (due []*reminder) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := 0
	for ; next < len(r.queue); next++ {
		m := r.queue[next]
		if m.takenBack.Load() {
			continue
		}
		if m.at.After(now) {
			break
		}
		due = append(due, m)
	}
	r.queue = slices.Delete(r.queue, 0, next)
	if len(r.queue) > 0 && !r.over {
		r.set(r.queue[0].at.Sub(now))
	}
	return due
}

// stop ends all.
func (r *reminders) stop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over, r.queue = true, nil
	halt(r.timer)
}
