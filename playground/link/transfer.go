package link

import (
	"errors"
	"io"
	"net"
	"os"
	"time"
)

// readBuffer holds the answer to a listing of some 200 contenders.
const readBuffer = 16 << 10

// writeTimeout is how long a server may read nothing while the buffers on the way to it
// are full. A client that has closed its side waits for nothing any more, so nobody else
// would end the connection.
const writeTimeout = time.Minute

// sendLoop writes the client's frames to the server as they become due, and
// when the queue ends, ends the connection.
func (c *conn) sendLoop() {
	defer c.link.leave(c)
	defer c.tcp.Close()
	for first := true; ; first = false {
		p, err := c.out.next()
		if err != nil {
			return
		}
		if p.dropped {
			continue
		}
		if first {
			c.awaitHandshake()
		}
		c.tcp.SetWriteDeadline(time.Now().Add(writeTimeout))
		if _, err := c.tcp.Write(p.raw); err != nil {
			c.out.drop(p.frame)
			c.out.serverLeft()
			c.tcp.Close()
		}
	}
}

// awaitHandshake starts the time that the server has for its first frame.
func (c *conn) awaitHandshake() {
	if limit := c.link.config.HandshakeTimeout; limit > 0 {
		c.tcp.SetReadDeadline(time.Now().Add(limit))
	}
}

// receiveLoop queues the server's frames as they come, and then the end.
func (c *conn) receiveLoop() {
	defer c.link.leave(c)
	reason := c.receive()
	c.tcp.Close()
	c.out.serverLeft()
	c.in.finish(reason)
}

// receive reads until the connection ends, and says why it did.
func (c *conn) receive() error {
	buf := make([]byte, readBuffer)
	for answered := false; ; {
		n, err := c.tcp.Read(buf)
		if n > 0 && !answered {
			answered = true
			c.tcp.SetReadDeadline(time.Time{}) // of awaitHandshake
		}
		if failed := c.arrived(buf[:n]); failed != nil {
			return failed
		}
		if err != nil {
			return ended(err)
		}
	}
}

// arrived queues the frames that a chunk completes. That the client has closed
// its side is no error: the server has yet to learn of it.
func (c *conn) arrived(chunk []byte) error {
	var full error
	err := c.replies.Feed(chunk, func(raw []byte) {
		if err := c.arrive(raw); errors.Is(err, ErrOverflow) {
			full = err
		}
	})
	return errors.Join(err, full)
}

func (c *conn) arrive(raw []byte) error {
	c.decodeMu.Lock()
	f := c.decoder.Reply(raw)
	c.decodeMu.Unlock()
	f.Bytes = len(raw)
	if c.link.replies.take(c, f) {
		return nil
	}
	return c.in.push(f, raw)
}

// ended puts the end of a connection into the client's terms.
func ended(err error) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return ErrHandshakeTimeout
	case errors.Is(err, io.EOF), errors.Is(err, net.ErrClosed):
		return io.EOF
	}
	return err
}
