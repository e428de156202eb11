package main

import (
	"sync/atomic"
	"time"
)

// A lap is the turns until each contender has had one. It ends with an
// acquisition, at which what is measured begins. The mutex of its tally guards it.
type lap struct {
	measured bool // hand-overs are, after it
	waiting  int  // contenders that have not had a turn
	had      []bool
	ended    time.Time     // zero before
	counts   []int64       // of all acquisitions until then, by contender
	over     chan struct{} // closed by the acquisition after that
}

func newLap(contenders int, measured bool) *lap {
	return &lap{measured: measured, waiting: contenders, had: make([]bool, contenders), over: make(chan struct{})}
}

// acquired takes in that a contender has got its turn, which counts include.
func (l *lap) acquired(contender int, now time.Time, counts []atomic.Int64) {
	switch {
	case l.counts != nil:
		if !isClosed(l.over) {
			close(l.over)
		}
		return
	case !l.had[contender]:
		l.had[contender] = true
		l.waiting--
	}
	if l.waiting == 0 {
		l.ended, l.counts = now, values(counts)
	}
}

// cut has the lap end with the next acquisition, if it has not ended.
func (l *lap) cut() {
	l.waiting = 1
	clear(l.had)
}

func values(counts []atomic.Int64) []int64 {
	list := make([]int64, len(counts))
	for i := range counts {
		list[i] = counts[i].Load()
	}
	return list
}
