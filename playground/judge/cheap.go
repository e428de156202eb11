package judge

import (
	"math"

	"github.com/zkplayground/zkplayground/playground/event"
)

// What a textbook lock takes for an acquisition and its release: a create, a listing, a
// read of the znode ahead with a watch, another listing when that is gone, and a delete.
// Libraries need some more, and a crowd many more.
const (
	textbookRequests = 5
	mostRequests     = 3 * textbookRequests
	mostWasted       = 0.5 // wake-ups for nothing by a release, or for an acquisition, on average
)

func judgeCheap(h *history) Finding {
	l := h.summary.Lanes[0]
	if l.Releases < 5 {
		return undecided(Cheap, fewReleases.With(l.Releases))
	}
	wasted := float64(l.WastedWakeups) / float64(l.Releases)
	requests := float64(l.Requests) / float64(l.Acquisitions)
	released := float64(l.Rounds.WastedWakeups) / float64(max(l.Rounds.Complete, 1)) // and not also by who joins
	switch {
	case released > mostWasted:
		return violated(Cheap, h.stopped.seq, wakesMany.With(tenths(released)))
	case wasted > mostWasted:
		return violated(Cheap, h.stopped.seq, wokenOften.With(tenths(wasted)))
	case requests > mostRequests:
		return violated(Cheap, h.stopped.seq, asksMuch.With(tenths(requests), textbookRequests))
	}
	return holds(Cheap, wakesFew.With(tenths(wasted), tenths(requests)))
}

// tenths is a number in tenths, as reasons have it.
func tenths(x float64) int64 { return int64(math.Round(10 * x)) }

var (
	fewReleases = event.NewCode("few-releases", "{count} release is too few to tell|{count} releases are too few to tell")
	wakesMany   = event.NewCode("wakes-many", "each release woke {tenths wasted} clients for nothing, in a textbook lock 0")
	wokenOften  = event.NewCode("woken-often", "for each acquisition, {tenths wasted} clients were woken for nothing, in a textbook lock 0")
	asksMuch    = event.NewCode("asks-much", "{tenths requests} requests for each acquisition, in a textbook lock {textbook}")
	wakesFew    = event.NewCode("wakes-few", "{tenths wasted} clients woken for nothing in each release, and {tenths requests} requests for each acquisition")
)
