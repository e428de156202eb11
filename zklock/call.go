package zklock

import (
	"context"
	"time"
)

// A call is one request under way; value and err may be read when done is
// closed.
type call[T any] struct {
	done  chan struct{}
	value T
	err   error
	read  func(*reply) (T, error) // nil when go-zookeeper has sent it
}

func newCall[T any](r request[T]) *call[T] {
	return &call[T]{done: make(chan struct{}), read: r.read}
}

// answered ends a call that was sent past go-zookeeper.
func (c *call[T]) answered(r *reply, err error) {
	if err == nil {
		c.value, err = c.read(r)
	}
	c.err = err
	close(c.done)
}

// start begins a request by go-zookeeper. Its methods cannot be cancelled, so
// each runs on a goroutine of the session, which may outlive the interest in
// it. The call fails at once when the session has ended.
func start[T any](s *Session, request func(Client) (T, error)) *call[T] {
	c := &call[T]{done: make(chan struct{})}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		c.err = ErrClosed
		close(c.done)
		return c
	}
	client := s.limited()
	s.work.Go(func() {
		defer close(c.done)
		c.value, c.err = request(client)
	})
	return c
}

// wait returns the outcome, or the cause of ctx if that ends first.
func (c *call[T]) wait(ctx context.Context) (T, error) {
	if err := finished(ctx, c.done); err != nil {
		var none T
		return none, err
	}
	return c.value, c.err
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

// sleep waits for d, or returns the cause of ctx if that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return interrupted(ctx)
	}
}
