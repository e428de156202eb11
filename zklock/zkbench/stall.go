package main

import (
	"errors"
	"time"
)

// errStalled: a match did not come to its end, or to a stand, in time: a
// contender was never woken up.
var errStalled = errors.New("stalled")

// stallTimeout is how much longer than planned a part of a match may take. The
// time in which it stands is in no part.
const stallTimeout = time.Minute

// within has the heat fail, and so act end, when that takes too long.
func (m *match) within(planned time.Duration, act func() error) error {
	watchdog := time.AfterFunc(planned+stallTimeout, func() { m.fail(errStalled) })
	defer watchdog.Stop()
	return act()
}
