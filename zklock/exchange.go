package zklock

import (
	"encoding/binary"
	"fmt"
	"math"
	"time"

	"github.com/go-zookeeper/zk"
)

// A frame is a request to be sent past go-zookeeper: room for length and xid,
// which the connection fills in, then the operation and what belongs to it.
type frame []byte

const frameHeader = 8

// An errand is whoever sent a frame. answered is called once, on the goroutine
// that reads the connection: with the reply, or with an error and no reply. It
// does not block.
type errand interface {
	answered(*reply, error)
}

// An outgoing is a frame with its errand.
type outgoing struct {
	frame  []byte
	errand errand
	watch  *watchSet // of the frame, whose events may come before its reply
}

// A pending is an outgoing that has been sent and not been answered.
type pending struct {
	at     time.Time
	frame  frame
	errand errand
}

// A reply is the answer to an errand's frame. It is valid during the call.
type reply struct {
	answer
	conn *frameConn
	zxid int64
	cut  bool // it was too large, and only its header is here
}

// complete returns an error when the reply was shorter than what was read.
func (r *reply) complete() error {
	if r.short {
		return errShortReply
	}
	return nil
}

// maxUnanswered bounds the bytes under way, go-zookeeper's too, so that a write
// finds room in the socket's buffer and does not block; what is more goes by
// go-zookeeper, on a goroutine of its own.
const maxUnanswered = 16 << 10

// firstXid is the first number of an own request; they count up and are
// negative, where go-zookeeper's are positive. lastXid leaves out those few
// that have a meaning in the protocol. The server's own bound for what is under
// way leaves negative numbers out, so maxUnanswered is the only one.
const (
	firstXid = math.MinInt32
	lastXid  = -1024
)

// nextXid numbers the requests of a session, over all its connections: a server
// of an ensemble takes a transaction of the session's for the answer to a
// request of the same number, whatever connection either came through.
func (s *Session) nextXid() int32 {
	for {
		last := s.xid.Load()
		next := last + 1
		if last == 0 || next == lastXid {
			next = firstXid
		}
		if s.xid.CompareAndSwap(last, next) {
			return next
		}
	}
}

// exchange sends frames of our own in one write, so that the server takes them
// up as one, too. It returns false, and sends nothing, when they have to go by
// go-zookeeper: on a connection where that has sent nothing yet, it has
// credentials to send first.
func (c *frameConn) exchange(out []outgoing) bool {
	c.writing.Lock()
	defer c.writing.Unlock()
	return c.send(out)
}

// send is exchange for who holds c.writing.
func (c *frameConn) send(out []outgoing) bool {
	now := time.Now()
	packet, ok := c.register(out, now)
	if !ok {
		return false
	}
	c.SetWriteDeadline(now.Add(c.writeTimeout()))
	if _, err := c.Conn.Write(packet); err != nil {
		c.Close() // what has been written in part cannot be repeated
	}
	return true
}

// register notes frames as sent, and returns what to write.
func (c *frameConn) register(out []outgoing, now time.Time) (packet []byte, ok bool) {
	size := 0
	for _, o := range out {
		size += len(o.frame)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.open || c.over || c.unanswered+size > maxUnanswered {
		return nil, false
	}
	for _, o := range out {
		c.number(o, now)
		o.watch.expect(&c.watchers)
	}
	if len(out) == 1 {
		return out[0].frame, true
	}
	packet = make([]byte, 0, size)
	for _, o := range out {
		packet = append(packet, o.frame...)
	}
	return packet, true
}

// number fills in the header of a frame. The caller holds c.mu.
func (c *frameConn) number(o outgoing, now time.Time) {
	xid := c.session.nextXid()
	binary.BigEndian.PutUint32(o.frame, uint32(len(o.frame)-4))
	binary.BigEndian.PutUint32(o.frame[4:], uint32(xid))
	c.pending[xid] = pending{now, o.frame, o.errand}
	c.unanswered += len(o.frame)
}

// claim takes the errand that a frame answers; ok is false when it is not ours.
func (c *frameConn) claim(xid int32) (p pending, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok = c.pending[xid]; ok {
		delete(c.pending, xid)
		c.unanswered -= len(p.frame)
	}
	return p, ok
}

// deliver hands a reply to its errand. body is what follows the length.
func (c *frameConn) deliver(p pending, body []byte, cut bool) {
	r := &c.reply
	*r = reply{conn: c, cut: cut, answer: answer{rest: body}}
	r.int32()
	r.zxid = r.int64()
	err := codeError(r.int32())
	if r.short {
		err = errShortReply
	}
	c.session.seen(r.zxid)
	c.session.acknowledged(c, p.at)
	p.errand.answered(r, err)
}

// abandon ends the errands of a connection that is closed.
func (c *frameConn) abandon() {
	c.mu.Lock()
	left := c.pending
	c.pending, c.over = nil, true
	c.mu.Unlock()
	for _, p := range left {
		p.errand.answered(nil, zk.ErrConnectionClosed)
	}
}

// codeError returns what go-zookeeper does for an error code of the server.
func codeError(code int32) error {
	if code == 0 {
		return nil
	}
	if err, ok := codes[code]; ok {
		return err
	}
	return fmt.Errorf("unknown error: %d", code)
}

// codes are the errors that go-zookeeper has values for.
var codes = map[int32]error{
	-8: zk.ErrBadArguments, -100: zk.ErrAPIError, -101: zk.ErrNoNode, -102: zk.ErrNoAuth,
	-103: zk.ErrBadVersion, -108: zk.ErrNoChildrenForEphemerals, -110: zk.ErrNodeExists,
	-111: zk.ErrNotEmpty, -112: zk.ErrSessionExpired, -114: zk.ErrInvalidACL,
	-115: zk.ErrAuthFailed, -116: zk.ErrClosing, -117: zk.ErrNothing, -118: zk.ErrSessionMoved,
}
