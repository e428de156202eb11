package zkserver

import (
	"context"
	"errors"
	"time"
)

// The time that one question and its answer may take. A booting server may
// accept a connection and never read it, so waiting long for it is a waste; a
// busy one may be slow, so giving up early on it is an error.
const (
	shortPatience = 100 * time.Millisecond
	longPatience  = 2 * time.Second
)

// nextPatience is how long to wait for the next answer after one question with
// the given patience ended with err: long for a server that serves, else short,
// doubled while the questions time out.
func nextPatience(last time.Duration, err error) time.Duration {
	switch {
	case err == nil:
		return longPatience
	case errors.Is(err, context.DeadlineExceeded) && last < longPatience:
		return min(2*last, longPatience)
	default:
		return shortPatience
	}
}
