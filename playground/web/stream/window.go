package stream

import (
	"errors"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// ErrTooSlow is why a viewer is let go that does not take what it is sent.
var ErrTooSlow = errors.New("the viewer does not read")

// ErrGone is why nothing more is sent to a viewer that has gone, or is to go.
var ErrGone = errors.New("the viewer has gone")

const (
	// windowBytes is how much may be under way to a viewer, as text: with compression
	// some 200 KB on the wire, which the connection's buffers hold. So a viewer that
	// stops reading holds up no write, and still gets to know at last why it was closed.
	windowBytes = 1 << 20
	// askBytes is after how much it is asked what it has read.
	askBytes = windowBytes / 4
	// lagTime is how old what a viewer sees may be before it lags behind.
	lagTime = 2 * time.Second
)

// A Window bounds what is under way to a viewer, so that one that does not read costs
// little memory. A viewer answers pings in their turn among the frames: each carries
// how much was sent before it, and so does the answer.
//
// One goroutine sends: it alone calls Wait, Add, Ask and News.
type Window struct {
	timeout time.Duration   // how long a viewer may read nothing while the window is full
	gone    <-chan struct{} // closed when it is not worth waiting any more

	sent  int64         // bytes; the writer's
	asked int64         // of them with the last ping
	read  atomic.Int64  // of them that the viewer has answered for
	moved chan struct{} // says that read has changed

	mu   sync.Mutex
	asks []ask     // the pings without an answer, oldest first
	full time.Time // since when there is no room; zero while there is
}

// An ask is a ping, and what was sent before it.
type ask struct {
	sent int64
	at   time.Time
}

// NewWindow returns one through which nothing was sent. A viewer may read nothing for
// timeout while it is full; when gone is closed it is not worth waiting any more.
func NewWindow(timeout time.Duration, gone <-chan struct{}) *Window {
	return &Window{timeout: timeout, gone: gone, moved: make(chan struct{}, 1)}
}

// Wait returns when there is room, or with ErrTooSlow or ErrGone.
func (w *Window) Wait() error {
	for w.isFull(w.sent - w.read.Load()) {
		timer := time.NewTimer(w.timeout)
		select {
		case <-w.moved:
			timer.Stop()
		case <-timer.C:
			return ErrTooSlow
		case <-w.gone:
			timer.Stop()
			return ErrGone
		}
	}
	return nil
}

// isFull says whether so much under way leaves no room. A window counts as full until half
// of it is free: a viewer that reads too slowly frees a little again and again.
func (w *Window) isFull(underWay int64) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case underWay < windowBytes/2:
		w.full = time.Time{}
	case underWay >= windowBytes && w.full.IsZero():
		w.full = time.Now()
	}
	return underWay >= windowBytes
}

// Lags says whether the viewer has for long not answered a ping, or left no room: what it
// sees is that old, or older.
func (w *Window) Lags(now time.Time) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.full.IsZero() && now.Sub(w.full) > lagTime || len(w.asks) > 0 && now.Sub(w.asks[0].at) > lagTime
}

// Add counts what was sent, and says whether it is time for a ping.
func (w *Window) Add(size int) (ask bool) {
	w.sent += int64(size)
	return w.sent-w.asked >= askBytes
}

// Ask is what the next ping says.
func (w *Window) Ask() []byte {
	w.asked = w.sent
	w.mu.Lock()
	w.asks = append(w.asks, ask{sent: w.sent, at: time.Now()})
	w.mu.Unlock()
	return strconv.AppendInt(nil, w.sent, 10)
}

// News says whether anything was sent after the last ping.
func (w *Window) News() bool { return w.sent > w.asked }

// Answer takes the viewer's answer. One that was made up can only harm itself.
func (w *Window) Answer(text string) {
	read, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return
	}
	w.mu.Lock()
	w.asks = slices.DeleteFunc(w.asks, func(a ask) bool { return a.sent <= read })
	w.mu.Unlock()
	if read <= w.read.Load() {
		return
	}
	w.read.Store(read)
	select {
	case w.moved <- struct{}{}:
	default:
	}
}
