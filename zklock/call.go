package zklock

import (
	"context"
	"time"
)

// A call is one request under way. go-zookeeper's methods cannot be cancelled,
// so each runs on a goroutine of the session, which may outlive the interest
// in it; value and err may be read when done is closed.
type call[T any] struct {
	done  chan struct{}
	value T
	err   error
}

// start begins a request. It fails the call at once when the session has
// ended.
func start[T any](s *Session, request func(Client) (T, error)) *call[T] {
	c := &call[T]{done: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		c.err = ErrClosed
		close(c.done)
		return c
	}
	client := s.client
	s.work.Go(func() {
		defer close(c.done)
		c.value, c.err = request(client)
	})
	return c
}

// wait returns the outcome, or the cause of ctx if that ends first.
func (c *call[T]) wait(ctx context.Context) (T, error) {
	select {
	case <-c.done:
		return c.value, c.err
	case <-ctx.Done():
		var none T
		return none, context.Cause(ctx)
	}
}

// over reports whether the call has ended.
func (c *call[T]) over() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// Requests that failed on a broken connection are repeated this far apart,
// doubled each time.
const (
	minRetry = 10 * time.Millisecond
	maxRetry = time.Second
)

// do sends a request that may be repeated without harm, until it is answered
// or ctx ends.
func do[T any](ctx context.Context, s *Session, request func(Client) (T, error)) (T, error) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		var none T
		if _, err := s.online(ctx); err != nil {
			return none, err
		}
		value, err := start(s, request).wait(ctx)
		if err == nil || answered(err) {
			return value, err
		}
		if err := sleep(ctx, pause); err != nil {
			return none, err
		}
	}
}

// sleep waits for d, or returns the cause of ctx if that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
