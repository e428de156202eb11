package protocol

import (
	"bytes"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// An Observer is called for what passes on a connection, in order for each direction. Its
// methods must not block, and may be called from two goroutines at once.
type Observer interface {
	// HandshakeTimeout returns how long the answer to a handshake may take that
	// requests the given session timeout.
	HandshakeTimeout(asked time.Duration) time.Duration
	// Accepted is called with the server's answer to a handshake that was sent at
	// sent. An id of 0 means that the session has expired.
	Accepted(c *Conn, id int64, timeout time.Duration, sent time.Time)
	// Acknowledged is called with each reply to a request that was sent at sent. leader
	// says that it was a sync, which a server that follows a leader cannot answer alone.
	Acknowledged(c *Conn, sent time.Time, leader bool)
	// Closing is called before a request to end the session is sent.
	Closing(c *Conn)
	// TooLarge is called with each frame that is larger than go-zookeeper takes: it
	// breaks the connection then, and does not say why.
	TooLarge(c *Conn)
	// GivenUp reports whether the session that a handshake asks for is lost already.
	GivenUp() bool
	// Failed is called when a read or a write has failed; accepted says whether
	// the handshake had been answered.
	Failed(c *Conn, accepted bool, err error)
}

// A Conn is a client's connection to a server. It passes on what it is given.
type Conn struct {
	net.Conn
	observer Observer

	mu         sync.Mutex
	out, in    scanner
	greeted    time.Time // when the handshake was sent; zero before
	answered   bool      // the handshake has been
	answerBy   time.Time // the deadline for that
	timeout    time.Duration
	sent       map[int32]sentRequest
	pings      []sentRequest // they share one xid and are answered in order
	unanswered int           // bytes of all that is in sent and pings
	session    int64         // that the handshake asks for, 0 for a new one
	begun      bool          // go-zookeeper has sent a request beside its credentials

	maxReply   int // that go-zookeeper takes, in bytes; 0 when not known
	history    *History
	resumes    bool          // the handshake resumes a session that may have watches
	watchesSet chan struct{} // closed when they have been set again

	answer bytes.Buffer // that the server did not give; only the reader has it
}

// A History is what a client has done on all its connections. The zero History is
// that of a new client.
type History struct {
	watched     atomic.Bool // go-zookeeper has set a watch
	credentials atomic.Bool // it has sent credentials
}

// A sentRequest is one that has not been answered.
type sentRequest struct {
	at     time.Time
	size   int  // in bytes
	silent bool // the server does not count it as a sign of life
	sync   bool
}

// NewConn returns conn, observed by observer. maxReply is how large a reply
// go-zookeeper takes, 0 when that is not known. All connections of a client share
// history.
func NewConn(conn net.Conn, observer Observer, maxReply int, history *History) *Conn {
	return &Conn{
		Conn: conn, observer: observer, maxReply: maxReply, sent: make(map[int32]sentRequest),
		history: history, watchesSet: make(chan struct{}),
	}
}

// Unanswered returns how many bytes of requests are under way: of those without a
// reply, and of one that has been written in part.
func (c *Conn) Unanswered() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.unanswered + c.out.unfinished()
}

// Ready reports whether requests may be sent that go-zookeeper does not know of:
// once the server has answered the handshake, and what go-zookeeper begins with,
// its credentials and its watches, has been sent.
func (c *Conn) Ready() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.answered && (c.begun || !c.resumes && !c.history.credentials.Load())
}

// Timeout returns the session timeout that the server granted, 0 before it has.
func (c *Conn) Timeout() time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.timeout
}

// Send sends p, which it notes before: a reply may come at once.
func (c *Conn) Send(p []byte) error {
	c.mu.Lock()
	c.out.scan(p, time.Now(), c.noteSent)
	c.mu.Unlock()
	_, err := c.Conn.Write(p)
	return c.failed(err)
}

// Write is Send for go-zookeeper, and does not fail: it closes the connection
// instead, of which go-zookeeper learns as it reads. Version 1.0.4 would answer a
// request whose write failed, and once more when reading has ended; where it was
// being closed that is one answer more than it has room for, and it never ends.
func (c *Conn) Write(p []byte) (int, error) {
	if c.Send(p) != nil {
		c.Close()
	}
	return len(p), nil
}

// Read notes what has been received.
func (c *Conn) Read(p []byte) (int, error) {
	c.awaitSetWatches()
	n, err := c.receive(p)
	c.mu.Lock()
	c.in.scan(p[:n], time.Now(), c.noteReceived)
	c.mu.Unlock()
	return n, c.failed(err)
}

// expired is a server's answer to a handshake: the session has expired.
var expired = Message(nil).Int32(36).Int32(0).Int32(0).Int64(0).Bytes(make([]byte, 16))

// receive reads, and answers a handshake for a server that closes the connection
// instead, where the session has been given up in any case. A server that has lost
// its data refuses each client that has seen more than it has, and go-zookeeper would
// repeat what it has seen at every attempt.
func (c *Conn) receive(p []byte) (int, error) {
	if c.answer.Len() > 0 {
		return c.answer.Read(p)
	}
	n, err := c.Conn.Read(p)
	c.mu.Lock()
	refused := c.session != 0 && !c.answered && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET))
	c.mu.Unlock()
	if n > 0 || !refused || !c.observer.GivenUp() {
		return n, err
	}
	c.answer.Write(expired)
	return c.answer.Read(p)
}

func (c *Conn) failed(err error) error {
	if err != nil {
		c.mu.Lock()
		answered := c.answered
		c.mu.Unlock()
		c.observer.Failed(c, answered, err)
	}
	return err
}

// SetReadDeadline sets the deadline of reads, which before the end of the
// handshake is never later than the handshake's. A server that boots accepts a
// connection and says nothing for a while, and go-zookeeper waits for it for
// several session timeouts.
func (c *Conn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.answered && !c.answerBy.IsZero() && (t.IsZero() || t.After(c.answerBy)) {
		t = c.answerBy
	}
	return c.Conn.SetReadDeadline(t)
}

// noteSent records a frame that goes out. The caller holds c.mu.
func (c *Conn) noteSent(f frame) {
	if c.greeted.IsZero() {
		c.noteHandshake(f)
		return
	}
	xid, op := f.head.Int32(), f.head.Int32()
	if f.head.Err() != nil {
		return
	}
	credentials := op == opAuth || op == opSasl
	request := sentRequest{f.started, prefixSize + f.length, credentials, op == OpSync}
	c.unanswered += request.size
	if credentials {
		c.history.credentials.Store(true)
	} else {
		c.begun = true
	}
	if xid == XidPing {
		c.pings = append(c.pings, request)
		return
	}
	if xid > 0 { // go-zookeeper's
		c.noteWatch(op, f)
	}
	if op == opCloseSession {
		c.observer.Closing(c)
	}
	c.sent[xid] = request
}

// noteHandshake records the first frame: version, zxid, timeout, session.
func (c *Conn) noteHandshake(f frame) {
	_, _ = f.head.Int32(), f.head.Int64()
	asked, session := f.head.Int32(), f.head.Int64()
	c.greeted = f.started
	c.answerBy = f.started.Add(c.observer.HandshakeTimeout(time.Duration(asked) * time.Millisecond))
	c.session = session
	c.resumes = session != 0 && c.history.watched.Load()
}

// noteReceived records a frame that comes in. The caller holds c.mu.
func (c *Conn) noteReceived(f frame) {
	if !c.answered {
		c.noteAnswer(f)
		return
	}
	xid := f.head.Int32()
	switch {
	case f.head.Err() != nil || xid == XidNotification:
	case xid == XidPing:
		if len(c.pings) > 0 {
			c.acknowledge(c.pings[0], false)
			c.pings = c.pings[1:]
		}
	default:
		c.noteReply(xid, f)
	}
}

func (c *Conn) noteReply(xid int32, f frame) {
	if xid > 0 && c.maxReply > 0 && f.length > c.maxReply {
		c.observer.TooLarge(c)
	}
	if request, ok := c.sent[xid]; ok {
		delete(c.sent, xid)
		_, code := f.head.Int64(), f.head.Int32()
		c.acknowledge(request, request.sync && code == 0 && f.head.Err() == nil)
	}
}

func (c *Conn) acknowledge(request sentRequest, leader bool) {
	c.unanswered -= request.size
	if !request.silent {
		c.observer.Acknowledged(c, request.at, leader)
	}
}

// noteAnswer records the answer to the handshake: version, timeout, session.
func (c *Conn) noteAnswer(f frame) {
	_ = f.head.Int32()
	timeout, id := f.head.Int32(), f.head.Int64()
	c.answered = true
	c.timeout = time.Duration(timeout) * time.Millisecond
	if f.head.Err() == nil {
		c.observer.Accepted(c, id, c.timeout, c.greeted)
	}
}
