package link

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
)

// A conn is one connection of a link. It is the net.Conn of the client library.
type conn struct {
	link    *Link
	tcp     net.Conn
	out, in *queue

	decodeMu sync.Mutex
	decoder  Decoder

	writeMu sync.Mutex
	framer  Framer // of what the client writes

	readMu  sync.Mutex
	replies Framer // of what the server writes; fed without readMu
	frame   []byte // that the client is reading
	rest    []byte // of it

	closing sync.Once
	closed  chan struct{} // by the client
	users   int           // goroutines and client that still use it; under link.mu
}

func newConn(l *Link, tcp net.Conn) *conn {
	return &conn{
		link: l, tcp: tcp, out: newQueue(l.out), in: newQueue(l.in),
		decoder: l.config.Protocol.NewDecoder(), framer: l.config.Protocol.NewFramer(), replies: l.config.Protocol.NewFramer(), users: 3,
		closed: make(chan struct{}),
	}
}

func (c *conn) queue(way event.Direction) *queue {
	if way == event.Out {
		return c.out
	}
	return c.in
}

// Read gives the client what is due of the server's frames.
func (c *conn) Read(b []byte) (int, error) {
	c.link.process.Pass(c.closed)
	c.readMu.Lock()
	defer c.readMu.Unlock()
	if len(c.rest) == 0 && len(b) > 0 {
		p, err := c.in.next()
		if err != nil {
			return 0, c.failed("read", err)
		}
		c.frame, c.rest = p.raw, p.raw
	}
	n := copy(b, c.rest)
	if c.rest = c.rest[n:]; len(c.rest) == 0 {
		c.replies.Reuse(c.frame)
		c.frame = nil
	}
	return n, nil
}

// Write queues what the client sends. It never waits for the network.
func (c *conn) Write(b []byte) (int, error) {
	c.link.process.Enter(c.closed)
	defer c.link.process.Exit()
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	var refused error
	err := c.framer.Feed(b, func(raw []byte) {
		if refused == nil {
			refused = c.send(raw)
		}
	})
	if err = errors.Join(refused, err); err != nil {
		return 0, c.failed("write", err)
	}
	return len(b), nil
}

func (c *conn) send(raw []byte) error {
	c.decodeMu.Lock()
	f := c.decoder.Request(raw)
	c.decodeMu.Unlock()
	f.Bytes = len(raw)
	if c.link.requests.take(c, f) {
		return nil
	}
	return c.out.push(f, raw)
}

// Close ends the connection for the client at once. The server gets what was
// sent before, in its time, and then the end.
func (c *conn) Close() error {
	c.closing.Do(func() {
		c.in.cut(net.ErrClosed)
		c.out.finish(net.ErrClosed)
		close(c.closed) // last, as it lets go of paused calls, which must find the end
		c.link.leave(c)
	})
	return nil
}

// cut ends the connection at both ends.
func (c *conn) cut(reason error) {
	c.out.cut(reason)
	c.in.cut(reason)
	c.tcp.Close()
}

func (c *conn) LocalAddr() net.Addr  { return c.tcp.LocalAddr() }
func (c *conn) RemoteAddr() net.Addr { return c.tcp.RemoteAddr() }

// SetDeadline bounds reads; writes never wait.
func (c *conn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

// SetReadDeadline bounds the wait for a frame. A frame that is there when Read
// is called is read even when the deadline has passed.
func (c *conn) SetReadDeadline(t time.Time) error {
	c.in.setDeadline(t)
	return nil
}

// SetWriteDeadline does nothing: writes never wait.
func (c *conn) SetWriteDeadline(time.Time) error { return nil }

// failed gives an error the shape that the net package's have. The end of the
// stream stays as it is.
func (c *conn) failed(op string, err error) error {
	if err == io.EOF {
		return err
	}
	return &net.OpError{Op: op, Net: "tcp", Source: c.LocalAddr(), Addr: c.RemoteAddr(), Err: err}
}
