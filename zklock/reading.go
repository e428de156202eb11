package zklock

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/go-zookeeper/zk"
)

// readSize is how much is read at once: the listing of a queue of a few hundred
// fits in. go-zookeeper would ask for each frame in two parts.
const readSize = 16 << 10

// Read passes on what is for go-zookeeper, and takes the replies to our own
// requests out. It is called by one goroutine at a time.
func (c *frameConn) Read(p []byte) (int, error) {
	for c.passing == 0 {
		if err := c.nextFrame(); err != nil {
			return 0, c.failed(err)
		}
	}
	n, err := c.reader.Read(p[:min(len(p), c.passing)])
	c.passing -= n
	return n, c.failed(err)
}

// nextFrame looks at the head of the next frame and decides whose it is.
func (c *frameConn) nextFrame() error {
	c.awaitRearm()
	length, head, err := c.peek()
	if err != nil {
		c.passing = c.reader.Buffered() // the end of a stream, in mid-frame
		if c.passing > 0 {
			return nil
		}
		return err
	}
	xid, ok := int32At(head, 0)
	if p, ours := c.claim(xid); ok && ours {
		return c.take(p, length, head)
	}
	c.noteReceived(head)
	c.noteLength(length)
	c.passing = 4 + length
	if ok && xid == xidNotification && c.notified(head) {
		c.passing = 0
		_, err = c.reader.Discard(4 + length)
	}
	return err
}

// peek returns the length of the next frame, and as much of it as is read at
// once.
func (c *frameConn) peek() (length int, head []byte, err error) {
	prefix, err := c.reader.Peek(4)
	if err != nil {
		return 0, nil, err
	}
	// A length with the top bit set is no ZooKeeper, nor is one close to it, at
	// which an int of 32 bits would overflow; the client fails on it, and here
	// it must only not do harm.
	length = max(0, min(math.MaxInt32-4, int(int32(binary.BigEndian.Uint32(prefix)))))
	all, err := c.reader.Peek(4 + min(length, readSize-4))
	return length, all[4:], err
}

// take reads the reply to a request of our own, whose beginning is head. Of one
// that is larger than the client allows, that is all it reads.
func (c *frameConn) take(p pending, length int, head []byte) error {
	limit := c.session.config.receive
	cut := limit > 0 && length > limit
	if cut || length == len(head) {
		c.deliver(p, head, cut)
		_, err := c.reader.Discard(4 + length)
		return err
	}
	body := make([]byte, length)
	c.reader.Discard(4)
	if _, err := io.ReadFull(c.reader, body); err != nil {
		p.errand.answered(nil, zk.ErrConnectionClosed)
		return err
	}
	c.deliver(p, body, false)
	return nil
}

// replyHeader is the length of what every reply begins with.
const replyHeader = 16

// noteLength counts the answers that go-zookeeper will refuse for their size.
func (c *frameConn) noteLength(length int) {
	if limit := c.session.config.receive; limit > 0 && length > limit {
		c.session.tooLarge.Add(1)
	}
}

// notified hands the event of a watch to those of our own who wait for it, and
// reports whether that is all: go-zookeeper has no watch, nor has anybody who
// uses it beside us.
func (c *frameConn) notified(head []byte) (all bool) {
	a := answer{rest: head}
	a.take(replyHeader)
	event := zk.Event{Type: zk.EventType(a.int32()), State: zk.State(a.int32()), Path: a.text()}
	return !a.short && c.watchers.tell(event) && !c.session.watched.Load()
}
