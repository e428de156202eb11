package check

import "github.com/zkplayground/zkplayground/playground/event"

var _ = register(Check{
	Name: "decoded", Title: "Every message read", order: 5,
	Sentence: "Every message between client and server could be decoded, so that no other check misses one; judged by all that passed the connections.",
	Violated: "A message could not be read",
	start:    func(event.Lane) fold { return &decoded{} },
})

// decoded judges the tap: a frame that nobody could read might have been the
// one that matters.
type decoded struct {
	frames int64
	failed int64
	first  int64 // Seq of the first failure
}

func (d *decoded) apply(e *event.Event) {
	switch e.Kind {
	case event.WireSent, event.WireReceived:
		d.frames++
	case event.WireUndecoded:
		if d.failed++; d.failed == 1 {
			d.first = e.Seq
		}
	}
}

func (d *decoded) verdict() event.Verdict {
	return judged(d.failed > 0, d.frames > 0)
}

var (
	unread         = event.NewCode("unread", "{count} frame could not be read[, see event {event} first]|{count} frames could not be read[, see event {event} first]")
	everyFrameRead = event.NewCode("every-frame-read", "{count} frame passed, and every one was read|{count} frames passed, and every one was read")
	noFrame        = event.NewCode("no-frame", "no frame has passed yet")
)

func (d *decoded) why() *event.Reason {
	switch d.verdict() {
	case event.Violated:
		return unread.With(d.failed, d.first)
	case event.Holds:
		return everyFrameRead.With(d.frames)
	default:
		return noFrame.With()
	}
}
