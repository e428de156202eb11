package judge

import "fmt"

// What a textbook lock takes for an acquisition and its release: a create, a listing, a
// read of the znode ahead with a watch, another listing when that is gone, and a delete.
// Libraries need some more, and a crowd many more.
const (
	textbookRequests = 5
	mostRequests     = 3 * textbookRequests
	mostWasted       = 0.5 // wake-ups for nothing in a release, on average
)

func judgeCheap(h *history) Finding {
	l := h.summary.Lanes[0]
	if l.Releases < 5 {
		return undecided(Cheap, fmt.Sprintf("%d releases are too few to tell", l.Releases))
	}
	wasted := float64(l.WastedWakeups) / float64(l.Releases)
	requests := float64(l.Requests) / float64(l.Acquisitions)
	switch {
	case wasted > mostWasted:
		return violated(Cheap, h.stopped.seq, fmt.Sprintf("each release woke %.1f clients for nothing, in a textbook lock 0", wasted))
	case requests > mostRequests:
		return violated(Cheap, h.stopped.seq, fmt.Sprintf("%.1f requests for each acquisition, in a textbook lock %d", requests, textbookRequests))
	}
	return holds(Cheap, fmt.Sprintf("%.1f clients woken for nothing in each release, and %.1f requests for each acquisition", wasted, requests))
}
