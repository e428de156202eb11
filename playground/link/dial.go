package link

import (
	"context"
	"errors"
	"net"
	"os"
	"time"
)

// Dial connects the client to a server, in the shape of go-zookeeper's Dialer.
// It waits while the link is blocked and until the dial gate lets it through, both
// within the timeout; 0 is no timeout. While the link is paused it waits outside
// of the timeout, and does not return. A dial that runs out of time has a
// Timeout error; otherwise errors wrap ErrKilled, ErrClosed, or the gate's or
// the network's reason.
func (l *Link) Dial(network, address string, timeout time.Duration) (net.Conn, error) {
	if timeout <= 0 {
		timeout = forever
	}
	l.process.Pass(l.life.Done())
	defer l.process.Pass(l.life.Done())
	ctx, cancel := context.WithTimeout(l.life, timeout)
	defer cancel()
	c, err := l.dial(ctx, network, address)
	if err != nil {
		return nil, l.refused(ctx, network, address, err)
	}
	return c, nil
}

func (l *Link) dial(ctx context.Context, network, address string) (*conn, error) {
	if err := l.waitOpen(ctx); err != nil {
		return nil, err
	}
	if err := l.config.DialGate(ctx); err != nil {
		return nil, err
	}
	tcp, err := l.config.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return l.begin(tcp)
}

// waitOpen waits until nothing is blocked.
func (l *Link) waitOpen(ctx context.Context) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	l.mu.Lock()
	open := l.open
	l.mu.Unlock()
	select {
	case <-open:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// begin takes charge of a new TCP connection, unless the link has ended.
func (l *Link) begin(tcp net.Conn) (*conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.life.Err() != nil {
		return nil, errors.Join(context.Cause(l.life), tcp.Close())
	}
	c := newConn(l, tcp)
	l.conns[c] = struct{}{}
	l.running.Go(c.sendLoop)
	l.running.Go(c.receiveLoop)
	return c, nil
}

// refused says why a dial has failed: the link's end before all else.
func (l *Link) refused(ctx context.Context, network, address string, err error) error {
	switch {
	case l.life.Err() != nil:
		err = context.Cause(l.life)
	case ctx.Err() != nil:
		err = os.ErrDeadlineExceeded
	}
	if op := new(net.OpError); errors.As(err, &op) {
		return err
	}
	return &net.OpError{Op: "dial", Net: network, Addr: hostPort(address), Err: err}
}

// hostPort is an address that was never resolved.
type hostPort string

func (hostPort) Network() string  { return "tcp" }
func (a hostPort) String() string { return string(a) }

// leave says that one part of a connection needs it no more. The last one makes
// the link forget it.
func (l *Link) leave(c *conn) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.users--; c.users == 0 {
		delete(l.conns, c)
	}
}
