package zklock

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// A request is one to the server, which answers with a T. The connection carries
// it as frame, if it has one and calls are not switched off; go-zookeeper is asked
// for it otherwise.
type request[T any] struct {
	frame direct.Frame // nil when only go-zookeeper can send it
	// read reads the reply to the frame, err being nil, or returns what err, which
	// is the server's or direct.ErrTooLarge, means to the caller.
	read func(reply *protocol.Reader, zxid int64, err error) (T, error)
	by   func(Client) (T, error)
}

// A call is a request under way.
type call[T any] struct {
	done <-chan struct{}
	// outcome may be called once done is closed.
	outcome func() (T, error)
}

// wait returns the outcome, or errInterrupted if ctx ends first.
func (c *call[T]) wait(ctx context.Context) (T, error) {
	if err := wait(ctx, c.done); err != nil {
		var none T
		return none, err
	}
	return c.outcome()
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

// send begins a request. The call fails at once when the session has ended.
func send[T any](s *Session, r request[T]) *call[T] { return sendAll(s, []request[T]{r})[0] }

// sendAll begins several requests, in one packet if it can: the server takes up
// what comes together at less expense.
func sendAll[T any](s *Session, requests []request[T]) []*call[T] {
	sent := make([]*direct.Call, len(requests))
	for i, r := range requests {
		sent[i] = direct.NewCall(r.frame)
	}
	conn := s.directConn()
	taken := conn != nil && conn.Send(sent...)
	calls := make([]*call[T], len(requests))
	for i, r := range requests {
		if taken {
			calls[i] = callOf(sent[i], r)
		} else {
			calls[i] = start(s, r.by)
		}
	}
	return calls
}

// callOf is a request as it was sent directly.
func callOf[T any](sent *direct.Call, r request[T]) *call[T] {
	return &call[T]{done: sent.Done(), outcome: sync.OnceValues(func() (T, error) {
		reply, zxid, err := sent.Reply()
		value, err := r.read(reply, zxid, err)
		if err == nil && reply != nil {
			err = reply.Err()
		}
		return value, err
	})}
}

// directConn returns the connection if calls can be sent on it, nil otherwise. A
// Client that is not go-zookeeper's own gets every request.
func (s *Session) directConn() *direct.Conn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, plain := s.client.(*zk.Conn); !plain || !s.linked || s.background.Err() != nil {
		return nil
	}
	return s.direct
}

// directEnded reports whether the connection has ended, as its calls know, though
// go-zookeeper has not said so yet. What it was asked for now it would send on the
// next connection, which may be that of another session. The caller holds s.mu.
func (s *Session) directEnded() bool { return s.direct != nil && s.direct.Ended() }

// start begins a request by go-zookeeper. Its methods cannot be cancelled, so
// each runs on a goroutine of the session, which may outlive the interest in
// it. The call fails at once when the session has ended.
func start[T any](s *Session, request func(Client) (T, error)) *call[T] {
	var value T
	err, done := ErrClosed, make(chan struct{})
	outcome := func() (T, error) { return value, err }
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.background.Err() != nil {
		close(done)
		return &call[T]{done, outcome}
	}
	client := s.client
	s.work.Go(func() {
		defer close(done)
		value, err = request(client)
	})
	return &call[T]{done, outcome}
}

// ask sends a request that may be repeated without harm, until it is answered
// or ctx ends.
func ask[T any](ctx context.Context, s *Session, r request[T]) (T, error) {
	value, _, err := askOften(ctx, s, r)
	return value, err
}

// askOften does what ask does, and returns how often the request was sent.
func askOften[T any](ctx context.Context, s *Session, r request[T]) (value T, times int, err error) {
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		if _, err = s.online(ctx); err != nil {
			return value, times, err
		}
		times++
		value, err = send(s, r).wait(ctx)
		if err == nil || answered(err) {
			return value, times, err
		}
		if err := sleep(ctx, pause); err != nil {
			return value, times, err
		}
		r.frame = nil // it is used up
	}
}

// do is ask for what only go-zookeeper can send.
func do[T any](ctx context.Context, s *Session, by func(Client) (T, error)) (T, error) {
	return ask(ctx, s, request[T]{by: by})
}

// Do has request called with the connection, on a goroutine of the session, and
// again when its error says that the connection was lost, until it has another
// outcome or ctx ends. It may be called several times, so, and be under way still
// when Do returns with the error of ctx; [Session.Close] waits for it.
func (s *Session) Do(ctx context.Context, request func(Client) error) error {
	_, err := do(ctx, s, func(c Client) (none struct{}, err error) { return none, request(c) })
	return s.reason(ctx, nil, err)
}

// Requests that failed on a broken connection are repeated this far apart,
// doubled each time.
const (
	minRetry = 10 * time.Millisecond
	maxRetry = time.Second
)

// errInterrupted says that the context of a wait has ended. Why, is found out
// where the caller is told, see Session.reason.
var errInterrupted = errors.New("zklock: interrupted")

// wait waits for done, which goes first, or returns errInterrupted.
func wait(ctx context.Context, done <-chan struct{}) error {
	select {
	case <-done:
		return nil
	default:
	}
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return errInterrupted
	}
}

// sleep waits for d, or returns errInterrupted if ctx ends first.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return errInterrupted
	}
}
