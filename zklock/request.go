package zklock

import (
	"context"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"slices"
	"strings"
)

// A request is one to the server, which answers with a T. It goes over the
// connection as frame, if it has one and the connection is ours to use, and by
// go-zookeeper otherwise.
type request[T any] struct {
	frame frame // nil when only go-zookeeper can send it
	// read reads a reply that is no error, on the goroutine that reads the
	// connection.
	read func(*reply) (T, error)
	by   func(Client) (T, error)
}

// then is r with its outcome put through next.
func then[T, U any](r request[T], next func(T, error) (U, error)) request[U] {
	return request[U]{
		frame: r.frame,
		read:  func(reply *reply) (U, error) { return next(r.read(reply)) },
		by:    func(c Client) (U, error) { return next(r.by(c)) },
	}
}

// send begins a request. It fails the call at once when the session has ended.
func send[T any](s *Session, r request[T]) *call[T] {
	c := newCall(r)
	if s.exchange([]outgoing{{frame: r.frame, errand: c}}) {
		return c
	}
	return start(s, r.by)
}

// exchange sends frames in one packet. It returns false, and sends nothing,
// when they have to go by go-zookeeper.
func (s *Session) exchange(out []outgoing) bool {
	for _, o := range out {
		if o.frame == nil {
			return false
		}
	}
	conn := s.direct()
	return conn != nil && conn.exchange(out)
}

// direct returns the connection if requests of our own can be sent on it, nil
// otherwise. A Client that is not go-zookeeper's own gets every request.
func (s *Session) direct() *frameConn {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.config.without.Has(mechanism.Frames) || !s.linked || !s.plain || s.background.Err() != nil {
		return nil
	}
	return s.conn
}

// ask sends a request that may be repeated without harm, until it is answered
// or ctx ends.
func ask[T any](ctx context.Context, s *Session, r request[T]) (T, error) {
	value, _, err := askOften(ctx, s, r)
	return value, err
}

// askOften does what ask does, and returns how often the request was sent.
func askOften[T any](ctx context.Context, s *Session, r request[T]) (value T, times int, err error) {
	var none T
	for pause := minRetry; ; pause = min(2*pause, maxRetry) {
		if _, err := s.online(ctx); err != nil {
			return none, times, err
		}
		times++
		value, err = send(s, r).wait(ctx)
		if err == nil || answered(err) {
			return value, times, err
		}
		if err := sleep(ctx, pause); err != nil {
			return none, times, err
		}
	}
}

// do is ask for what only go-zookeeper can send.
func do[T any](ctx context.Context, s *Session, by func(Client) (T, error)) (T, error) {
	return ask(ctx, s, request[T]{by: by})
}

// maxDirect bounds the requests that are sent past go-zookeeper, in bytes.
const maxDirect = 2 << 10

// newFrame begins a frame for an operation on the given path, with room for what
// most have after it: little, or where there is no path, one or two paths.
func newFrame(op int32, path ...string) message {
	room := 64
	if len(path) == 0 {
		room = 320
	}
	for _, p := range path {
		room += len(p)
	}
	m := make(message, frameHeader, room).int32(op)
	for _, p := range path {
		m = m.text(p)
	}
	return m
}

// direct returns m as a frame, or nil when go-zookeeper shall send it: because
// it is large, or because one of its paths is a strange one, which that would
// refuse.
func (m message) direct(paths ...string) frame {
	if len(m) > maxDirect || slices.ContainsFunc(paths, isStrange) {
		return nil
	}
	return frame(m)
}

// isStrange reports whether a path begins with no slash, or has a character
// that may have no place in it.
func isStrange(path string) bool {
	return !strings.HasPrefix(path, "/") || strings.ContainsFunc(path, func(r rune) bool { return r < ' ' || r > '~' })
}
