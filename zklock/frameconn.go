package zklock

import (
	"net"
	"sync"
	"time"
)

// A frameConn is a connection to a server that tells its session what was sent
// and acknowledged. It changes nothing that passes.
type frameConn struct {
	net.Conn
	session *Session

	buffer, unread []byte // what has arrived and was not asked for yet

	mu       sync.Mutex
	out, in  frameScanner
	greeted  time.Time     // when the handshake was sent; zero before
	answered bool          // the handshake has been answered
	deadline time.Time     // for that answer
	resumes  bool          // the handshake asks for a session that exists
	rearmed  chan struct{} // closed when watches have been set again
	sent     map[int32]request
	pings    []time.Time // pings share one xid and are answered in order
	joined   int         // writes to come that go out as one
	held     []byte      // those of them that have come
	slack    time.Duration
	readBy   time.Time // the deadlines that are set
	writeBy  time.Time
}

// A request is one that has been sent and not been answered.
type request struct {
	at     time.Time
	create bool
}

// Write notes what is sent before it is: a reply may come at once.
func (c *frameConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	c.out.scan(p, time.Now(), c.noteSent)
	c.joined = max(0, c.joined-1)
	if c.joined > 0 {
		c.held = append(c.held, p...)
		c.mu.Unlock()
		return len(p), nil
	}
	held := c.held
	c.held = nil
	c.mu.Unlock()
	if len(held) == 0 {
		return c.Conn.Write(p)
	}
	n, err := c.Conn.Write(append(held, p...))
	return max(0, n-len(held)), err
}

// slackParts says which part of the session timeout a deadline may be early:
// the client sets each at two thirds of it, and pings at one third.
const slackParts = 32

// join has the next n writes go out as one: whoever asks is about to send n
// requests. The server then takes them up as one, too.
func (c *frameConn) join(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.answered && !c.resumes && c.joined == 0 {
		c.joined = n
	}
}

// readSize is how much is read at once: most frames are smaller, and the client
// asks for each in two parts.
const readSize = 4 << 10

// Read notes what has arrived. It is called by one goroutine at a time.
func (c *frameConn) Read(p []byte) (int, error) {
	if !c.awaitRearm() || len(p) >= readSize && len(c.unread) == 0 {
		n, err := c.Conn.Read(p)
		c.arrived(p[:n])
		return n, err
	}
	var err error
	if len(c.unread) == 0 {
		err = c.fill()
	}
	n := copy(p, c.unread)
	c.unread = c.unread[n:]
	return n, err
}

// fill reads more than is asked for.
func (c *frameConn) fill() error {
	if c.buffer == nil {
		c.buffer = make([]byte, readSize)
	}
	n, err := c.Conn.Read(c.buffer)
	c.arrived(c.buffer[:n])
	c.unread = c.buffer[:n]
	return err
}

func (c *frameConn) arrived(p []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.in.scan(p, time.Now(), c.noteReceived)
	if limit := c.session.config.receive; limit > 0 && c.in.longest > limit {
		c.session.tooLarge.Add(1)
		c.in.longest = 0
	}
}

// SetReadDeadline sets the deadline of reads, which before the end of the
// handshake is never later than the handshake's.
func (c *frameConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.answered && !c.deadline.IsZero() && (t.IsZero() || t.After(c.deadline)) {
		t = c.deadline
	}
	if c.near(t, c.readBy) {
		return nil
	}
	c.readBy = t
	return c.Conn.SetReadDeadline(t)
}

// SetWriteDeadline sets the deadline of writes. The client sets one before
// each write, and takes it back after it; here it stays until the next.
func (c *frameConn) SetWriteDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if t.IsZero() || c.near(t, c.writeBy) {
		return nil
	}
	c.writeBy = t
	return c.Conn.SetWriteDeadline(t)
}

// near reports whether a deadline is so little later than the one that is set
// that it is not worth the while. The caller holds c.mu.
func (c *frameConn) near(t, set time.Time) bool {
	later := t.Sub(set)
	return !t.IsZero() && !set.IsZero() && later >= 0 && later < c.slack
}

// noteSent is told each frame that goes out. The caller holds c.mu.
func (c *frameConn) noteSent(head []byte, started time.Time) {
	if c.greeted.IsZero() {
		c.noteGreeting(head, started)
		return
	}
	xid, _ := int32At(head, 0)
	op, ok := int32At(head, 4)
	switch {
	case !ok:
	case xid == xidPing:
		c.pings = append(c.pings, started)
	default:
		if setsWatch(head) {
			c.session.watched.Store(true)
		}
		if op == opSetWatches && c.resumes {
			c.resumes = false
			close(c.rearmed)
		}
		c.sent[xid] = request{at: started, create: op == opCreate}
	}
}

func (c *frameConn) noteGreeting(head []byte, started time.Time) {
	c.greeted = started
	asked, _ := int32At(head, 12)
	c.deadline = started.Add(c.session.handshakeTimeout(time.Duration(asked) * time.Millisecond))
	id, _ := int64At(head, 16)
	c.resumes = id != 0 && c.session.watched.Load()
}

// rearmWait is how long replies wait for go-zookeeper to set its watches again.
// It does so within microseconds where the machine is not busy, unless all of
// them have fired.
const rearmWait = 100 * time.Millisecond

// awaitRearm holds back the first replies in a resumed session until the
// request that sets the watches again has been sent. go-zookeeper writes into
// it the zxid of the last reply, without a lock, and so a reply that came too
// early would race with it, and have the server skip events. It returns false
// before the end of the handshake.
func (c *frameConn) awaitRearm() bool {
	c.mu.Lock()
	answered, resumes := c.answered, c.resumes
	c.mu.Unlock()
	if !answered || !resumes {
		return answered
	}
	timer := time.NewTimer(rearmWait)
	defer timer.Stop()
	select {
	case <-c.rearmed:
	case <-timer.C:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.resumes = false
	}
	return true
}

// noteReceived is told each frame that comes in. The caller holds c.mu.
func (c *frameConn) noteReceived(head []byte, _ time.Time) {
	if !c.answered {
		c.noteHandshake(head)
		return
	}
	xid, ok := int32At(head, 0)
	switch {
	case !ok || xid == xidNotification:
	case xid == xidPing:
		if len(c.pings) > 0 {
			c.session.acknowledged(c, c.pings[0])
			c.pings = c.pings[1:]
		}
	default:
		c.noteReply(xid, head)
	}
}

func (c *frameConn) noteReply(xid int32, head []byte) {
	request, ok := c.sent[xid]
	if !ok {
		return
	}
	delete(c.sent, xid)
	if path, zxid, ok := createdPath(head); ok && request.create {
		c.session.tokens.put(path, Token(zxid))
	}
	c.session.acknowledged(c, request.at)
}

func (c *frameConn) noteHandshake(head []byte) {
	c.answered = true
	timeout, _ := int32At(head, 4)
	id, ok := int64At(head, 8)
	c.slack = time.Duration(timeout) * time.Millisecond / slackParts
	if ok {
		c.session.accepted(c, id, time.Duration(timeout)*time.Millisecond, c.greeted)
	}
}
