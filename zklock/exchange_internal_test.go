package zklock

import (
	"bytes"
	"errors"
	"io"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"
)

// A packets is a connection that keeps what is written, packet by packet.
type packets struct {
	memoryConn
	written [][]byte
	fails   error
	closed  bool
}

func (c *packets) Write(p []byte) (int, error) {
	c.written = append(c.written, bytes.Clone(p))
	return len(p), c.fails
}
func (c *packets) SetWriteDeadline(time.Time) error { return nil }
func (c *packets) Close() error                     { c.closed = true; return nil }

// newExchange returns a connection past its handshake.
func newExchange(t *testing.T) (*frameConn, *packets) {
	t.Helper()
	s := NewSession()
	t.Cleanup(s.stop)
	p := new(packets)
	conn, err := s.observe(p)
	if err != nil {
		t.Fatal(err)
	}
	c := conn.(*frameConn)
	c.Write(stream(make([]byte, 44)))
	c.receive(t, message(nil).int32(0).int32(4000).int32(0).int32(7))
	return c, p
}

// receive lets frames arrive, and returns what go-zookeeper gets of them.
func (c *frameConn) receive(t *testing.T, frames ...message) []byte {
	t.Helper()
	var all [][]byte
	for _, f := range frames {
		all = append(all, f)
	}
	c.Conn.(*packets).Reader = bytes.NewReader(stream(all...))
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// own sends a request of our own.
func (c *frameConn) own() (*call[struct{}], bool) {
	r := deleteRequest("/lock/x")
	made := newCall(r)
	return made, c.exchange([]outgoing{{frame: r.frame, errand: made}})
}

// go-zookeeper sends its credentials first on every connection: what goes past
// it must not arrive before them.
func TestExchangeWaitsForCredentials(t *testing.T) {
	c, p := newExchange(t)
	if _, sent := c.own(); sent {
		t.Error("sent before anything of go-zookeeper's")
	}
	c.Write(stream(message(nil).int32(-4).int32(opAuth)))
	if _, sent := c.own(); sent {
		t.Error("sent among the credentials")
	}
	c.Write(stream(message(nil).int32(1).int32(opGetData)))
	before := len(p.written)
	if _, sent := c.own(); !sent || len(p.written) != before+1 {
		t.Errorf("not sent after a request of go-zookeeper's, or not in one packet: %d", len(p.written)-before)
	}
}

func openExchange(t *testing.T) (*frameConn, *packets) {
	c, p := newExchange(t)
	c.Write(stream(message(nil).int32(1).int32(opGetData)))
	p.written = nil
	return c, p
}

// Two requests go in one packet; their replies, in any order of calls, do not
// get to go-zookeeper, and other frames do.
func TestExchange(t *testing.T) {
	c, p := openExchange(t)
	first, second := newCall(deleteRequest("/lock/x")), newCall(deleteRequest("/lock/y"))
	if !c.exchange([]outgoing{{frame: deleteRequest("/lock/x").frame, errand: first}, {frame: deleteRequest("/lock/y").frame, errand: second}}) {
		t.Fatal("not sent")
	}
	if len(p.written) != 1 {
		t.Fatalf("sent in %d packets", len(p.written))
	}
	x1, _ := int32At(p.written[0], 4)
	x2, _ := int32At(p.written[0][4+len(deleteRequest("/lock/x").frame)-4:], 4)
	if x1 >= 0 || x2 >= 0 || x1 == x2 {
		t.Fatalf("xids %d and %d", x1, x2)
	}
	theirs := replyFrame(1, 9, 0)
	got := c.receive(t, message(replyFrame(x2, 8, -101)), theirs, replyFrame(x1, 10, 0))
	if !bytes.Equal(got, stream(theirs)) {
		t.Errorf("go-zookeeper gets %x", got)
	}
	if _, err := first.wait(t.Context()); err != nil {
		t.Errorf("first: %v", err)
	}
	if _, err := second.wait(t.Context()); !errors.Is(err, zk.ErrNoNode) {
		t.Errorf("second: %v, want ErrNoNode", err)
	}
	if last := c.session.lastZxid.Load(); last != 10 {
		t.Errorf("last zxid %d, want 10", last)
	}
}

func TestExchangeEndsWithTheConnection(t *testing.T) {
	for name, end := range map[string]func(*frameConn, *packets){
		"closed":       func(c *frameConn, _ *packets) { c.Close() },
		"not writable": func(c *frameConn, p *packets) { p.fails = io.ErrShortWrite; c.own() },
	} {
		c, p := openExchange(t)
		made, sent := c.own()
		end(c, p)
		if _, err := made.wait(t.Context()); !sent || !errors.Is(err, zk.ErrConnectionClosed) {
			t.Errorf("%s: sent %v, %v", name, sent, err)
		}
		if _, sent := c.own(); sent || !p.closed {
			t.Errorf("%s: sent %v on a connection that is closed %v", name, sent, p.closed)
		}
	}
}

// A write that would not find room in the socket's buffer would hold up its
// caller, whatever its context.
func TestExchangeIsBounded(t *testing.T) {
	c, p := openExchange(t)
	sent := 0
	for ok := true; ok; sent++ {
		_, ok = c.own()
	}
	bytes := 0
	for _, packet := range p.written {
		bytes += len(packet)
	}
	if sent < 10 || bytes > maxUnanswered {
		t.Errorf("%d requests of %d bytes are under way", sent, bytes)
	}
	xid, _ := int32At(p.written[0], 4)
	c.receive(t, replyFrame(xid, 1, 0))
	if _, ok := c.own(); !ok {
		t.Error("not sent when there is room again")
	}
}

// Own numbers begin again before those that have a meaning, and go on over the
// connections of a session.
func TestOwnXids(t *testing.T) {
	c, p := openExchange(t)
	c.session.xid.Store(lastXid - 2)
	for _, want := range []int32{lastXid - 1, firstXid, firstXid + 1} {
		c.own()
		if got, _ := int32At(p.written[len(p.written)-1], 4); got != want {
			t.Errorf("xid %d, want %d", got, want)
		}
	}
	next, err := c.session.observe(p)
	if err != nil {
		t.Fatal(err)
	}
	again := next.(*frameConn)
	again.Write(stream(make([]byte, 44)))
	again.receive(t, message(nil).int32(0).int32(4000).int32(0).int32(7))
	again.Write(stream(message(nil).int32(1).int32(opGetData)))
	again.own()
	if got, _ := int32At(p.written[len(p.written)-1], 4); got != firstXid+2 {
		t.Errorf("xid %d on the next connection, want %d", got, firstXid+2)
	}
}

// What go-zookeeper has under way fills the socket's buffer, too.
func TestExchangeCountsTheOthers(t *testing.T) {
	c, _ := openExchange(t)
	c.Write(stream(append(message(nil).int32(2).int32(opSetData), make([]byte, maxUnanswered)...)))
	if _, sent := c.own(); sent {
		t.Error("sent behind a large request of go-zookeeper's")
	}
	c.receive(t, replyFrame(2, 1, 0))
	if _, sent := c.own(); !sent {
		t.Error("not sent after the reply to that")
	}
}

// A reply that tells of another znode is none: the server may take an earlier
// transaction for the answer.
func TestCreationOfAnother(t *testing.T) {
	c, p := openExchange(t)
	r := createRequest("/lock/_c_a-lock-", nil, nil, nil)
	made := newCall(r)
	c.exchange([]outgoing{{frame: r.frame, errand: made}})
	xid, _ := int32At(p.written[0], 4)
	c.receive(t, message(replyFrame(xid, 5, 0)).text("/lock/_c_b-lock-0000000007"))
	if got, err := made.wait(t.Context()); !errors.Is(err, errNotOurs) || answered(err) || got.node != "" {
		t.Errorf("%q, %v", got.node, err)
	}
}

// The event of a watch that was set past go-zookeeper stays with us, unless
// that may have watches, too.
func TestNotified(t *testing.T) {
	event := func(kind zk.EventType, path string) message {
		return message(replyFrame(xidNotification, -1, 0)).int32(int32(kind)).int32(int32(zk.StateHasSession)).text(path)
	}
	for name, c := range map[string]struct {
		event  message
		shared bool // go-zookeeper has set a watch, on whatever
		told   bool
		passed bool
	}{
		"deleted":          {event(zk.EventNodeDeleted, "/lock/x"), false, true, false},
		"changed":          {event(zk.EventNodeDataChanged, "/lock/x"), false, true, false},
		"and theirs":       {event(zk.EventNodeDeleted, "/lock/x"), true, true, true},
		"another znode":    {event(zk.EventNodeDeleted, "/lock/y"), false, false, true},
		"of its children":  {event(zk.EventNodeChildrenChanged, "/lock/x"), false, false, true},
		"not a whole path": {event(zk.EventNodeDeleted, "/lock/x")[:28], false, false, true},
	} {
		conn, _ := openExchange(t)
		conn.session.watched.Store(c.shared)
		ours := conn.watchers.add("/lock/x", false)
		if passed := len(conn.receive(t, c.event)) > 0; passed != c.passed {
			t.Errorf("%s: passed on: %v", name, passed)
		}
		if told := len(ours) > 0; told != c.told {
			t.Errorf("%s: told: %v", name, told)
		}
	}
}

// The greeting tells of what only we have seen: a server that is behind that
// refuses the client. A new session may begin anywhere.
func TestGreeting(t *testing.T) {
	greet := func(zxid, session int64) []byte {
		b := make([]byte, 44)
		copy(b[greetingZxid:], replyFrame(0, zxid, 0)[4:12])
		copy(b[greetingSession:], replyFrame(0, session, 0)[4:12])
		return b
	}
	for name, c := range map[string]struct{ told, seen, session, want int64 }{
		"we have seen more":        {5, 9, 1, 9},
		"go-zookeeper has":         {9, 5, 1, 9},
		"a new session":            {0, 9, 0, 0},
		"neither has seen a thing": {0, 0, 1, 0},
	} {
		s := NewSession()
		s.seen(c.seen)
		p := new(packets)
		conn, err := s.observe(p)
		if err != nil {
			t.Fatal(err)
		}
		frame := stream(greet(c.told, c.session))
		conn.Write(frame)
		if got, _ := int64At(p.written[0][4:], greetingZxid); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
		if told, _ := int64At(frame[4:], greetingZxid); told != c.told {
			t.Errorf("%s: the caller's bytes were changed", name)
		}
		if c.session == 0 && s.lastZxid.Load() != 0 {
			t.Errorf("%s: the old session's zxid is kept", name)
		}
		s.stop()
	}
}
