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
// go-zookeeper has not said so yet. A request made by it now would be sent on the
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
// where the error is returned, see Session.reason.
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

// readNothing reads the reply to a request that only succeeds or fails.
func readNothing(_ *protocol.Reader, _ int64, err error) (struct{}, error) { return struct{}{}, err }

// stat reads the metadata of a znode.
func stat(ctx context.Context, s *Session, node string) (*zk.Stat, error) {
	return ask(ctx, s, request[*zk.Stat]{
		frame: direct.End(direct.Begin(protocol.OpExists).Text(node).Bool(false), node),
		read: func(reply *protocol.Reader, _ int64, err error) (*zk.Stat, error) {
			if err != nil {
				return nil, err
			}
			return reply.Stat(), nil
		},
		by: func(c Client) (*zk.Stat, error) {
			found, stat, err := c.Exists(node)
			if err == nil && !found {
				err = zk.ErrNoNode
			}
			return stat, err
		},
	})
}

// syncRequest has the server catch up with its leader, before it answers this and what
// is sent later.
func syncRequest(path string) request[struct{}] {
	return request[struct{}]{
		frame: direct.End(direct.Begin(protocol.OpSync).Text(path), path),
		read:  readNothing,
		by:    func(c Client) (none struct{}, err error) { _, err = c.Sync(path); return none, err },
	}
}

// results are those of a transaction's operations, in their order. zxid is its
// number, 0 when the reply has passed through go-zookeeper, which drops it.
type results struct {
	ops  []zk.MultiResponse
	zxid int64
}

// transaction carries out operations, as go-zookeeper has them, all together or not
// at all.
func (s *Session) transaction(ops ...any) request[results] {
	frame, paths := direct.Begin(protocol.OpMulti).Operations(ops)
	size := len(frame)
	return request[results]{
		frame: direct.End(frame, paths...),
		read: func(reply *protocol.Reader, zxid int64, err error) (results, error) {
			if err != nil {
				return results{}, err
			}
			found, err := reply.Results()
			if err == nil && len(found) != len(ops) {
				err = protocol.ErrShortReply
			}
			return results{found, zxid}, err
		},
		by: func(c Client) (results, error) {
			// go-zookeeper panics at a transaction that finds no room in its buffer.
			if limit := s.config.send; limit > 0 && size > limit {
				return results{}, zk.ErrShortBuffer
			}
			found, err := c.Multi(ops...)
			if err == nil && len(found) != len(ops) {
				err = protocol.ErrShortReply
			}
			return results{ops: found}, err
		},
	}
}

// transactOnce sends a transaction that must not be repeated.
func (s *Session) transactOnce(ctx context.Context, ops []any) (results, error) {
	if _, err := s.online(ctx); err != nil {
		return results{}, err
	}
	return send(s, s.transaction(ops...)).wait(ctx)
}

// existAll returns nil when, at one moment, all nodes exist. It asks by a
// transaction, which no server answers from a state that is out of date.
func (s *Session) existAll(ctx context.Context, nodes []string) error {
	_, err := ask(ctx, s, s.transaction(checksOf(nodes)...))
	return err
}

// deletionsOf are the operations that delete nodes, checksOf those that check that
// they exist.
func deletionsOf(nodes []string) []any {
	ops := make([]any, len(nodes))
	for i, node := range nodes {
		ops[i] = &zk.DeleteRequest{Path: node, Version: -1}
	}
	return ops
}

func checksOf(nodes []string) []any {
	ops := make([]any, len(nodes))
	for i, node := range nodes {
		ops[i] = &zk.CheckVersionRequest{Path: node, Version: -1}
	}
	return ops
}
