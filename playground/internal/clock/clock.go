// Package clock waits for time to pass, and no longer than a context lasts.
package clock

import (
	"context"
	"time"
)

// Sleep waits for d, or returns false when ctx ends first.
func Sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
