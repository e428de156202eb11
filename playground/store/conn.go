package store

import (
	"context"
	"errors"
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
)

// A Conn is a client's way to a store, over one connection at a time. It repeats no
// request: the caller decides what a lost reply means. Its methods are safe for
// concurrent use.
type Conn struct {
	client   *redis.Client
	onChange func(connected bool)
	life     context.Context
	end      context.CancelFunc
	asking   sync.WaitGroup

	mu      sync.Mutex
	current *storeConn // the newest; nil once it has ended
}

// dialPause is between two attempts to connect.
const dialPause = 100 * time.Millisecond

// Connect returns a Conn that has no connection yet. OnChange is called whenever it has one,
// or has lost it.
func Connect(dial func() (net.Conn, error), onChange func(connected bool)) *Conn {
	c := &Conn{onChange: onChange}
	c.life, c.end = context.WithCancel(context.Background())
	c.client = redis.NewClient(&redis.Options{
		Dialer:    func(context.Context, string, string) (net.Conn, error) { return c.dial(dial) },
		OnConnect: func(context.Context, *redis.Conn) error { c.serves(); return nil },
		Protocol:  2, DisableIdentity: true, MaxRetries: -1, DialerRetries: 1, PoolSize: 1, DialTimeout: time.Hour,
		ReadTimeout: -1, WriteTimeout: -1, PoolTimeout: time.Hour, ConnMaxIdleTime: -1,
		MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled},
	})
	return c
}

// dial tries until there is a connection, or none is wanted: the library would do so in
// the background.
func (c *Conn) dial(dial func() (net.Conn, error)) (net.Conn, error) {
	for {
		conn, err := dial()
		if err == nil {
			return c.begin(conn), nil
		}
		if !clock.Sleep(c.life, dialPause) {
			return nil, err
		}
	}
}

func (c *Conn) begin(conn net.Conn) net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	begun := &storeConn{Conn: conn, of: c}
	c.current = begun
	return begun
}

// serves reports that the newest connection has been opened.
func (c *Conn) serves() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.current != nil && !c.current.open {
		c.current.open = true
		c.onChange(true)
	}
}

// A storeConn is a connection that reports its end.
type storeConn struct {
	net.Conn
	of   *Conn
	open bool // it has been reported; under of.mu
}

// Close ends the connection.
func (s *storeConn) Close() error {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	if s.of.current == s {
		s.of.current = nil
		if s.open && s.of.life.Err() == nil {
			s.of.onChange(false)
		}
	}
	return s.Conn.Close()
}

// Ready returns when there is a connection, or with ctx's error.
func (c *Conn) Ready(ctx context.Context) error {
	for {
		c.mu.Lock()
		open := c.current != nil && c.current.open
		c.mu.Unlock()
		if open || ctx.Err() != nil {
			return context.Cause(ctx)
		}
		if _, err := c.Do(ctx, "PING"); err != nil && !clock.Sleep(ctx, dialPause) {
			return context.Cause(ctx)
		}
	}
}

// Do makes a request and returns the reply: a string, an int64 or nil. The error is the
// store's, see [Refused]; after any other it is not known whether the request was done. If
// ctx ends first the request goes on, and its outcome is dropped.
func (c *Conn) Do(ctx context.Context, request ...any) (any, error) {
	type answer struct {
		reply any
		err   error
	}
	answers := make(chan answer, 1)
	c.asking.Go(func() {
		reply, err := c.client.Do(c.life, request...).Result()
		answers <- answer{reply, err}
	})
	select {
	case a := <-answers:
		return a.reply, a.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Refused reports that the store has answered, and has not done the request.
func Refused(err error) bool {
	var answered redis.Error
	return errors.As(err, &answered) // as redis.Nil is
}

// Close ends the connection, and with it every request. Wait waits for those.
func (c *Conn) Close() error {
	c.end()
	return c.client.Close()
}

// Wait returns when no request is under way, after Close and the end of what it dials by.
func (c *Conn) Wait() { c.asking.Wait() }
