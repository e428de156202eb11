package zklock

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
)

// An unconnected is the end of a wait that a connection might have ended. Of
// the two reasons it wraps only the first: the failure of a dialer may pass for
// the end of a context, too.
type unconnected struct {
	error        // of the context
	why   string // there is no connection
}

func (e unconnected) Error() string { return e.error.Error() + ": " + e.why }
func (e unconnected) Unwrap() error { return e.error }

// explain adds to the error of a wait that ended with ctx that there was no
// connection, and why.
func (s *Session) explain(ctx context.Context, err error) error {
	if ctx.Err() == nil || !errors.As(err, new(interruption)) && !errors.Is(err, causeOf(ctx)) {
		return err
	}
	if why := s.unlinked(); why != "" && !errors.As(err, new(unconnected)) {
		return unconnected{err, why}
	}
	return err
}

// unlinked returns why there is no connection, empty when there is one.
func (s *Session) unlinked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.client == nil:
		return "no connection bound"
	case s.linked:
		return ""
	case s.failure == nil:
		return "not connected"
	default:
		return "not connected: " + s.failure.Error()
	}
}

// dialed notes which server is tried, and unreachable why that has failed.
func (s *Session) dialed(server string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server = server
}

func (s *Session) unreachable(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = err
}

// failed notes why the connection has ended, unless this side has closed it, and
// returns err.
func (c *frameConn) failed(err error) error {
	if err == nil || errors.Is(err, net.ErrClosed) || errors.Is(err, io.ErrClosedPipe) {
		return err
	}
	what := "no handshake with"
	c.mu.Lock()
	if c.answered {
		what = "lost"
	}
	c.mu.Unlock()
	s := c.session
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failure = fmt.Errorf("%s %s: %w", what, s.server, err)
	return err
}
