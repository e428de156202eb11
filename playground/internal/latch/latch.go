// Package latch makes goroutines wait as long as something is shut.
package latch

import (
	"context"
	"sync"
)

// A Latch is open or shut. What is done between Enter and Exit is done before it shuts or
// after it opens, never meanwhile, so it must not take long. The zero Latch is open. Its
// methods are safe for concurrent use.
type Latch struct {
	acts sync.RWMutex  // read-locked between Enter and Exit
	shut chan struct{} // closed when the latch opens again; nil while it is open
}

// Shut returns when nobody is between Enter and Exit. It says whether the latch was open.
func (l *Latch) Shut() (changed bool) {
	l.acts.Lock()
	defer l.acts.Unlock()
	if l.shut != nil {
		return false
	}
	l.shut = make(chan struct{})
	return true
}

// Open says whether the latch was shut.
func (l *Latch) Open() (changed bool) {
	l.acts.Lock()
	defer l.acts.Unlock()
	if l.shut == nil {
		return false
	}
	close(l.shut)
	l.shut = nil
	return true
}

// Enter waits until the latch is open, or freed is closed, and says whether it had to
// wait. The latch does not shut before Exit, so nobody enters twice.
func (l *Latch) Enter(freed <-chan struct{}) (waited bool) {
	for {
		l.acts.RLock()
		shut := l.shut
		if shut == nil {
			return waited
		}
		l.acts.RUnlock()
		waited = true
		select {
		case <-shut:
		case <-freed:
			l.acts.RLock()
			return waited
		}
	}
}

// Exit follows Enter.
func (l *Latch) Exit() { l.acts.RUnlock() }

// Pass is Enter and Exit.
func (l *Latch) Pass(freed <-chan struct{}) (waited bool) {
	defer l.Exit()
	return l.Enter(freed)
}

// Wait returns when the latch is open, or with ctx's error.
func (l *Latch) Wait(ctx context.Context) error {
	l.Pass(ctx.Done())
	return context.Cause(ctx)
}
