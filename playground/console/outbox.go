package console

import (
	"fmt"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// The bounds of what a console says.
const (
	// longestText is how many bytes one text may have.
	longestText = 32 << 10
	// textPerSecond is how many bytes of text there may be in a second, and textAtOnce
	// how many at once. The reader gets no more, however much the commands print.
	textPerSecond = 64 << 10
	textAtOnce    = 256 << 10
	// mostWaiting is how many bytes of text may wait for a reader that does not read.
	mostWaiting = 256 << 10
)

// An Outbox is the unread output of a console. It never makes the
// console wait: what is too much is left out, and a line says so. Its methods are safe for
// concurrent use.
type Outbox struct {
	budget *rate.Limiter
	now    func() time.Time
	news   chan struct{} // has an element while there may be frames

	mu      sync.Mutex
	frames  []Frame
	waiting int // bytes of text in frames
	left    int // texts that were left out since the last that was not
}

// NewOutbox returns an empty one; now is its clock.
func NewOutbox(now func() time.Time) *Outbox {
	return &Outbox{budget: rate.NewLimiter(textPerSecond, textAtOnce), now: now, news: make(chan struct{}, 1)}
}

// Put adds a frame that is not left out.
func (o *Outbox) Put(f Frame) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.add(f)
}

// Write adds some text, unless there is too much.
func (o *Outbox) Write(stream, text string) {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) > longestText {
		rest := len(text) - longestText
		text = strings.ToValidUTF8(text[:longestText], "") + fmt.Sprintf("\n… %d bytes more\n", rest)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.waiting+len(text) > mostWaiting || !o.budget.AllowN(o.now(), len(text)) {
		o.left++
		return
	}
	o.reportLeft()
	o.waiting += len(text)
	if last := o.last(); last != nil && stream != "watch" && last.Stream == stream {
		last.Text += text
		return
	}
	o.add(Frame{Output: &Output{Stream: stream, Text: text}})
}

// reportLeft adds how much was left out. The caller holds the mutex.
func (o *Outbox) reportLeft() {
	if o.left > 0 {
		o.add(Frame{Output: &Output{Stream: "err", Text: fmt.Sprintf("… %d texts were left out: too much at once\n", o.left)}})
		o.left = 0
	}
}

// last is the output to which more can be added. The caller holds the mutex.
func (o *Outbox) last() *Output {
	if len(o.frames) == 0 {
		return nil
	}
	return o.frames[len(o.frames)-1].Output
}

func (o *Outbox) add(f Frame) {
	o.frames = append(o.frames, f)
	select {
	case o.news <- struct{}{}:
	default:
	}
}

// News has an element when there may be something to take.
func (o *Outbox) News() <-chan struct{} { return o.news }

// Take takes what there is.
func (o *Outbox) Take() []Frame {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.frames) > 0 || o.left > 0 {
		o.reportLeft()
	}
	frames := o.frames
	o.frames, o.waiting = nil, 0
	return frames
}
