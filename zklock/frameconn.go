package zklock

import (
	"bufio"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
	"net"
	"sync"
	"time"
)

// A frameConn is a connection to a server that tells its session what was sent
// and acknowledged, and carries requests of the session's own beside those of
// go-zookeeper, which does not see them. Of what passes it changes one number:
// the greeting says what the session has seen, too.
type frameConn struct {
	net.Conn
	session  *Session
	reader   *bufio.Reader
	passing  int   // bytes to be passed on before the next frame
	reply    reply // that is being delivered
	watchers watchers

	// writing is held while frames are noted and written, so that they are sent
	// in the order in which they are noted.
	writing sync.Mutex

	mu       sync.Mutex
	out      frameScanner
	greeted  time.Time     // when the handshake was sent; zero before
	answered bool          // the handshake has been answered
	deadline time.Time     // for that answer
	resumes  bool          // the handshake asks for a session that exists
	rearmed  chan struct{} // closed when watches have been set again
	sent     map[int32]sentRequest
	pings    []time.Time // pings share one xid and are answered in order
	timeout  time.Duration
	readBy   time.Time // the deadlines that are set
	writeBy  time.Time

	open       bool              // go-zookeeper is past sending credentials
	over       bool              // closed
	pending    map[int32]pending // requests of our own
	unanswered int               // bytes of all requests without a reply
}

func newFrameConn(conn net.Conn, s *Session) *frameConn {
	return &frameConn{
		Conn: conn, session: s, reader: bufio.NewReaderSize(conn, readSize),
		rearmed: make(chan struct{}), sent: make(map[int32]sentRequest), pending: make(map[int32]pending),
	}
}

// A sentRequest is one of go-zookeeper's that has not been answered.
type sentRequest struct {
	at     time.Time
	size   int
	create bool
	silent bool // the server does not count it as a sign of life
}

// Write notes what go-zookeeper sends before it is: a reply may come at once.
func (c *frameConn) Write(p []byte) (int, error) {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	p = c.greeting(p)
	c.out.scan(p, time.Now(), c.noteSent)
	c.mu.Unlock()
	n, err := c.Conn.Write(p)
	return n, c.failed(err)
}

// Close ends the requests of our own, too.
func (c *frameConn) Close() error {
	err := c.Conn.Close()
	c.abandon()
	return err
}

// slackParts says which part of the session timeout a deadline may be early:
// the client sets each at two thirds of it, and pings at one third.
const slackParts = 32

// writeTimeout is what go-zookeeper gives a write.
func (c *frameConn) writeTimeout() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timeout * 2 / 3
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
	if c.session.config.without.Has(mechanism.Deadline) {
		return false
	}
	later := t.Sub(set)
	return !t.IsZero() && !set.IsZero() && later >= 0 && later < c.timeout/slackParts
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
		c.open = c.answered
	default:
		if setsWatch(head) {
			c.session.watched.Store(true)
			c.watchers.join(watchedPath(head))
		}
		if op == opCloseSession {
			c.session.hungUp(c)
		}
		if (op == opSetWatches || op == opSetWatches2) && c.resumes {
			c.resumes = false
			close(c.rearmed)
		}
		c.open = c.open || c.answered && op != opAuth
		c.sent[xid] = sentRequest{
			at: started, size: c.out.length, create: op == opCreate, silent: op == opAuth || op == opSasl,
		}
		c.unanswered += c.out.length
	}
}

// noteReceived is told the head of each frame that comes in and is not ours.
func (c *frameConn) noteReceived(head []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
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
	c.unanswered -= request.size
	if path, zxid, ok := createdPath(head); ok && request.create {
		c.session.tokens.put(path, Token(zxid))
	}
	if !request.silent {
		c.session.acknowledged(c, request.at)
	}
}

func (c *frameConn) noteHandshake(head []byte) {
	c.answered = true
	timeout, _ := int32At(head, 4)
	id, ok := int64At(head, 8)
	c.timeout = time.Duration(timeout) * time.Millisecond
	if ok {
		c.session.accepted(c, id, c.timeout, c.greeted)
	}
}
