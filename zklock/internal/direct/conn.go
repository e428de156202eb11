package direct

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// A Conn is a connection that carries calls beside what go-zookeeper sends.
type Conn struct {
	*protocol.Conn
	client  *Client
	reader  *bufio.Reader
	passing int // bytes to be passed on before the next frame

	writing sync.Mutex // held while a frame is written

	mu      sync.Mutex
	greeted bool
	closed  bool
	pending map[int32]*Call // by their number
}

// readSize is how much is read at once: the listing of a queue of a few hundred
// fits in.
const readSize = 16 << 10

// NewConn returns a connection of client over conn.
func NewConn(conn *protocol.Conn, client *Client) *Conn {
	return &Conn{Conn: conn, client: client, reader: bufio.NewReaderSize(conn, readSize), pending: make(map[int32]*Call)}
}

// maxUnanswered bounds the bytes under way, go-zookeeper's too, so that a write
// of a call finds room in the socket's buffer and does not block.
const maxUnanswered = 16 << 10

// Send sends the frames of calls in one write, so that the server takes them up as
// one, too. It does not block. It returns false, and sends nothing, when
// go-zookeeper has to send them: one of them has no frame, or too large a one; somebody
// writes just now; too much is under way; or the connection is not ready.
func (c *Conn) Send(calls ...*Call) bool {
	size := 0
	for _, call := range calls {
		if limit := c.client.MaxRequest; call.frame == nil || limit > 0 && len(call.frame) > limit {
			return false
		}
		size += len(call.frame)
	}
	if !c.Ready() || !c.writing.TryLock() {
		return false
	}
	defer c.writing.Unlock()
	// Nobody can fill the connection from here on.
	if c.Unanswered()+size > maxUnanswered {
		return false
	}
	packet, ok := c.register(calls, size)
	if !ok {
		return false
	}
	c.SetWriteDeadline(time.Now().Add(c.Timeout() * 2 / 3)) // go-zookeeper's, too
	if c.Conn.Send(packet) != nil {
		c.Close() // what has been written in part cannot be repeated
	}
	return true
}

// register numbers the calls and notes them as sent, and returns what to write.
func (c *Conn) register(calls []*Call, size int) (packet []byte, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, false
	}
	for _, call := range calls {
		xid := c.client.nextXid()
		binary.BigEndian.PutUint32(call.frame, uint32(len(call.frame)-4))
		binary.BigEndian.PutUint32(call.frame[4:], uint32(xid))
		c.pending[xid] = call
	}
	if len(calls) == 1 {
		return calls[0].frame, true
	}
	packet = make([]byte, 0, size)
	for _, call := range calls {
		packet = append(packet, call.frame...)
	}
	return packet, true
}

// Write sends what go-zookeeper writes, and does not fail; see [protocol.Conn.Write].
func (c *Conn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	if !c.greeted {
		c.greeted = true
		p = c.greeting(p)
	}
	if c.Conn.Send(p) != nil {
		c.Close()
	}
	return len(p), nil
}

// Where the greeting, a client's first frame, has what.
const (
	greetingZxid    = 8
	greetingSession = 20
	greetingLength  = 28 // at least
)

// greeting puts into a greeting the highest zxid that calls have seen, where that
// is more than go-zookeeper has: a server refuses a client that knows more than
// itself. A client that opens a new session may know nothing.
func (c *Conn) greeting(p []byte) []byte {
	if len(p) < greetingLength {
		return p
	}
	if binary.BigEndian.Uint64(p[greetingSession:]) == 0 {
		c.client.lastZxid.Store(0)
		return p
	}
	changed := append([]byte(nil), p...)
	told := int64(binary.BigEndian.Uint64(p[greetingZxid:]))
	binary.BigEndian.PutUint64(changed[greetingZxid:], uint64(max(told, c.client.lastZxid.Load())))
	return changed
}

// Read passes on what is for go-zookeeper, and takes the replies to calls out. It
// is called by one goroutine at a time.
func (c *Conn) Read(p []byte) (int, error) {
	for c.passing == 0 {
		if err := c.nextFrame(); err != nil {
			return 0, err
		}
	}
	n, err := c.reader.Read(p[:min(len(p), c.passing)])
	c.passing -= n
	return n, err
}

// nextFrame looks at the next frame and decides whose it is.
func (c *Conn) nextFrame() error {
	head, err := c.reader.Peek(frameHeader)
	if err != nil {
		c.passing = c.reader.Buffered() // the end of the stream, in mid-frame
		if c.passing > 0 {
			return nil
		}
		return err
	}
	length := min(protocol.Length(head), math.MaxInt32-4) // no int may overflow
	call := c.claim(int32(binary.BigEndian.Uint32(head[4:])))
	if call == nil {
		c.passing = 4 + length
		return nil
	}
	return c.deliver(call, length)
}

// claim returns the call of that number, nil when there is none.
func (c *Conn) claim(xid int32) *Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	call := c.pending[xid]
	delete(c.pending, xid)
	return call
}

// deliver reads the reply to a call.
func (c *Conn) deliver(call *Call, length int) error {
	c.reader.Discard(4) // it is there
	if limit := c.client.MaxReply; limit > 0 && length > limit {
		_, err := c.reader.Discard(length)
		call.end(nil, 0, ErrTooLarge)
		return err
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(c.reader, body); err != nil {
		call.end(nil, 0, errClosed)
		return err
	}
	reply := protocol.NewReader(body)
	_, zxid, code := reply.Int32(), reply.Int64(), reply.Int32()
	err := reply.Err()
	if err == nil {
		c.client.saw(zxid)
		err = protocol.ErrorOf(code)
	}
	call.end(reply, zxid, err)
	return nil
}

// Ended reports whether the connection has been closed.
func (c *Conn) Ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.closed
}

// Close ends the calls under way, too.
func (c *Conn) Close() error {
	err := c.Conn.Close()
	c.mu.Lock()
	left := c.pending
	c.pending, c.closed = nil, true
	c.mu.Unlock()
	for _, call := range left {
		call.end(nil, 0, errClosed)
	}
	return err
}
