package direct

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"testing/iotest"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// Calls go in one packet. Their replies, in any order, do not get to go-zookeeper, and
// other frames do.
func TestSend(t *testing.T) {
	c := newTested(t, new(Client))
	first, second := deletion("/lock/first"), deletion("/lock/second")
	if !c.Send(first, second) || len(c.fake.packets) != 1 {
		t.Fatalf("not sent, or in %d packets", len(c.fake.packets))
	}
	packet := c.fake.packets[0]
	length := 4 + int(binary.BigEndian.Uint32(packet))
	one, two := xidAt(packet, 0), xidAt(packet, length)
	if one >= 0 || two >= 0 || one == two {
		t.Fatalf("numbers %d and %d", one, two)
	}
	want := stream(
		message(nil).Int32(one).Int32(protocol.OpDelete).Text("/lock/first").Int32(-1),
		message(nil).Int32(two).Int32(protocol.OpDelete).Text("/lock/second").Int32(-1))
	if !bytes.Equal(packet, want) {
		t.Errorf("sent %x, want %x", packet, want)
	}
	theirs := replied(1, 9, 0)
	if got := c.receive(replied(two, 8, -101), theirs, replied(one, 10, 0).Text("reply")); !bytes.Equal(got, stream(theirs)) {
		t.Errorf("go-zookeeper gets %x", got)
	}
	if reply, zxid, err := outcome(t, first); err != nil || zxid != 10 || reply.Text() != "reply" {
		t.Errorf("first: %d, %v", zxid, err)
	}
	if _, _, err := outcome(t, second); err != zk.ErrNoNode {
		t.Errorf("second: %v, want %v", err, zk.ErrNoNode)
	}
	if got := c.receive(replied(one, 11, 0)); len(got) == 0 {
		t.Error("a reply to nobody is kept from go-zookeeper")
	}
}

// A reply without a header, or less than its length, is no reply.
func TestShortReplies(t *testing.T) {
	for name, frame := range map[string]func(xid int32) []byte{
		"no header": func(xid int32) []byte { return stream(message(nil).Int32(xid).Int64(5)) },
		"cut short": func(xid int32) []byte { return stream(replied(xid, 5, 0).Text("text"))[:25] },
	} {
		c := newTested(t, new(Client))
		call := deletion("/lock/x")
		c.Send(call)
		c.fake.Reader = bytes.NewReader(frame(xidAt(c.fake.packets[0], 0)))
		if got, _ := io.ReadAll(c.Conn); len(got) > 0 {
			t.Errorf("%s: go-zookeeper gets %x", name, got)
		}
		if _, _, err := outcome(t, call); !errors.Is(err, protocol.ErrShortReply) && !errors.Is(err, zk.ErrConnectionClosed) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A reply that is too large is read over, and the connection goes on.
func TestReplyTooLarge(t *testing.T) {
	c := newTested(t, &Client{MaxReply: 100})
	call, next := deletion("/lock/x"), deletion("/lock/y")
	c.Send(call)
	c.Send(next)
	large := append(replied(xidAt(c.fake.packets[0], 0), 5, 0), make([]byte, 2*readSize)...)
	c.receive(large, replied(xidAt(c.fake.packets[1], 0), 6, 0))
	if _, _, err := outcome(t, call); err != ErrTooLarge {
		t.Errorf("%v, want %v", err, ErrTooLarge)
	}
	if _, zxid, err := outcome(t, next); err != nil || zxid != 6 {
		t.Errorf("the next: %d, %v", zxid, err)
	}
}

// What Send does not take, go-zookeeper has to send.
func TestSendRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		before func(*tested)
		calls  []*Call
	}{
		"no frame":              {calls: []*Call{NewCall(nil)}},
		"no frame among others": {calls: []*Call{deletion("/lock/x"), NewCall(nil)}},
		"too large a frame":     {calls: []*Call{deletion("/lock/" + strings.Repeat("x", 200))}},
		"closed":                {before: func(c *tested) { c.Close() }, calls: []*Call{deletion("/lock/x")}},
		"a large request is under way": {
			before: func(c *tested) { c.Conn.Write(large()) },
			calls:  []*Call{deletion("/lock/x")},
		},
		"half of a large request is": {
			before: func(c *tested) { c.Conn.Write(large()[:maxUnanswered]) },
			calls:  []*Call{deletion("/lock/x")},
		},
	} {
		tested := newTested(t, &Client{MaxRequest: 200})
		if c.before != nil {
			c.before(tested)
		}
		packets := len(tested.fake.packets)
		if tested.Send(c.calls...) || len(tested.fake.packets) != packets || len(tested.pending) > 0 {
			t.Errorf("%s: sent, or %d calls are pending", name, len(tested.pending))
		}
	}
}

// large is a request of go-zookeeper's that leaves no room for calls.
func large() []byte {
	return stream(append(message(nil).Int32(1).Int32(protocol.OpSetData), make([]byte, maxUnanswered)...))
}

// A write of go-zookeeper's fills the connection and blocks: a call is not sent, and
// its sender goes on.
func TestSendWhileAWriteBlocks(t *testing.T) {
	client, server := net.Pipe()
	c := NewConn(protocol.NewConn(client, unobserved{}, 0, new(protocol.History)), new(Client))
	var other sync.WaitGroup
	other.Go(func() {
		server.Read(make([]byte, 100))
		server.Write(stream(answer()))
	})
	c.Write(stream(greeting(0, 0)))
	c.Read(make([]byte, 100))
	other.Wait()
	other.Go(func() { c.Write(large()) })
	server.Read(make([]byte, 1)) // it has begun
	if c.Send(deletion("/lock/x")) {
		t.Error("sent")
	}
	c.Close()
	server.Close()
	other.Wait()
}

// A new connection is not ready before the answer to its handshake.
func TestSendBeforeTheAnswer(t *testing.T) {
	c := &tested{T: t, fake: new(fakeConn)}
	c.Conn = NewConn(protocol.NewConn(c.fake, unobserved{}, 0, new(protocol.History)), new(Client))
	c.write(greeting(0, 0))
	if c.Send(deletion("/lock/x")) {
		t.Error("sent before the answer")
	}
	if c.receive(answer()); !c.Send(deletion("/lock/x")) {
		t.Error("not sent after the answer")
	}
}

// Calls are sent as long as a write finds room, and again when replies have made some.
func TestSendIsBounded(t *testing.T) {
	c := newTested(t, new(Client))
	sent := 0
	for c.Send(deletion("/lock/x")) {
		sent += len(c.fake.packets[len(c.fake.packets)-1])
	}
	if sent > maxUnanswered || sent < maxUnanswered-100 {
		t.Errorf("%d bytes are under way", sent)
	}
	c.receive(replied(xidAt(c.fake.packets[0], 0), 1, 0))
	if !c.Send(deletion("/lock/x")) {
		t.Error("not sent when there is room again")
	}
}

// A connection that ends, ends the calls under way, whose outcome is not known.
func TestCallsEndWithTheConnection(t *testing.T) {
	for name, end := range map[string]func(*tested){
		"closed":       func(c *tested) { c.Close() },
		"not writable": func(c *tested) { c.fake.err = io.ErrShortWrite; c.Send(deletion("/lock/y")) },
	} {
		c := newTested(t, new(Client))
		call := deletion("/lock/x")
		c.Send(call)
		if c.Ended() {
			t.Errorf("%s: it has ended before", name)
		}
		end(c)
		if !c.Ended() {
			t.Errorf("%s: it has not ended", name)
		}
		if _, _, err := outcome(t, call); !errors.Is(err, zk.ErrConnectionClosed) {
			t.Errorf("%s: %v", name, err)
		}
		if c.Send(deletion("/lock/z")) || !c.fake.closed {
			t.Errorf("%s: a call is sent, or the connection is closed: %v", name, c.fake.closed)
		}
	}
}

// Numbers begin again before those that have a meaning, and go on over the
// connections of a client.
func TestXids(t *testing.T) {
	client := new(Client)
	c := newTested(t, client)
	client.xid.Store(lastXid - 2)
	for i, want := range []int32{lastXid - 1, firstXid, firstXid + 1} {
		c.Send(deletion("/lock/x"))
		if got := xidAt(c.fake.packets[i], 0); got != want {
			t.Errorf("number %d, want %d", got, want)
		}
	}
	next := newTested(t, client)
	next.Send(deletion("/lock/x"))
	if got := xidAt(next.fake.packets[0], 0); got != firstXid+2 {
		t.Errorf("number %d on the next connection", got)
	}
}

// A greeting tells the server what go-zookeeper has seen, and what calls have.
func TestGreeting(t *testing.T) {
	for name, c := range map[string]struct{ seen, told, session, want int64 }{
		"calls have seen more": {seen: 10, told: 5, session: 7, want: 10},
		"calls have seen less": {seen: 10, told: 15, session: 7, want: 15},
		"a new session":        {seen: 10, told: 0, session: 0, want: 0},
	} {
		client := new(Client)
		before := newTested(t, client)
		call := deletion("/lock/x")
		before.Send(call)
		before.receive(replied(xidAt(before.fake.packets[0], 0), c.seen, 0))
		conn := &tested{T: t, fake: new(fakeConn)}
		conn.Conn = NewConn(protocol.NewConn(conn.fake, unobserved{}, 0, new(protocol.History)), client)
		sent := stream(greeting(c.told, c.session).Bytes(make([]byte, 16)))
		kept := bytes.Clone(sent)
		conn.Conn.Write(sent)
		want := greeting(c.want, c.session).Bytes(make([]byte, 16))
		if got := conn.fake.packets[0]; !bytes.Equal(got, stream(want)) {
			t.Errorf("%s: %x, want %x", name, got, want)
		}
		if !bytes.Equal(sent, kept) {
			t.Errorf("%s: go-zookeeper's buffer was changed", name)
		}
		if c.session == 0 && client.lastZxid.Load() != 0 {
			t.Errorf("%s: %d is known of another session", name, client.lastZxid.Load())
		}
	}
	short := newTested(t, new(Client))
	if got := short.greeting([]byte("short")); string(got) != "short" {
		t.Errorf("%q", got)
	}
}

// A connection sends only what go-zookeeper would.
func TestEnd(t *testing.T) {
	for path, want := range map[string]bool{
		"/lock": true, "/lock/~ x": true, "lock": false, "": false, "/\u00e4": false, "/\x00": false, "/\x7f": false,
		"/" + strings.Repeat("a", maxFrame): false,
	} {
		if got := End(Begin(protocol.OpDelete).Text(path), path) != nil; got != want {
			t.Errorf("%.20q has a frame: %v", path, got)
		}
	}
}

// Whatever a server sends, go-zookeeper gets what is not the reply to a call, as it
// came.
func FuzzRead(f *testing.F) {
	f.Add([]byte("begin"), []byte("end"), uint8(3))
	f.Add(stream(replied(1, 2, 3)), stream(replied(-1, 2, 3)), uint8(1))
	f.Add([]byte{}, []byte{0xff, 0xff, 0xff, 0xff, 0, 0, 0, 1}, uint8(9))
	f.Fuzz(func(t *testing.T, before, after []byte, size uint8) {
		c := newTested(t, new(Client))
		call := deletion("/lock/x")
		c.Send(call)
		first := stream(message(nil).Int32(1), message(before)[:min(len(before), 1000)])
		if len(before) >= 4 && int32(binary.BigEndian.Uint32(before)) < 0 {
			first = nil // it might be the number of the call
		}
		xid := xidAt(c.fake.packets[0], 0)
		in := append(append(bytes.Clone(first), stream(replied(xid, 5, 0))...), after...)
		c.fake.Reader = &pieces{in, int(size)}
		got, err := io.ReadAll(c.Conn)
		if want := append(bytes.Clone(first), after...); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%q, %v; want %q", got, err, want)
		}
		if _, zxid, err := outcome(t, call); err != nil || zxid != 5 {
			t.Errorf("the call: %d, %v", zxid, err)
		}
	})
}

// pieces are read of at most so many bytes and one.
type pieces struct {
	rest []byte
	size int
}

func (r *pieces) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.rest[:min(len(r.rest), 1+r.size)])
	r.rest = r.rest[n:]
	return n, nil
}

// A read that fails is go-zookeeper's to hear of.
func TestReadFails(t *testing.T) {
	c := newTested(t, new(Client))
	broken := errors.New("broken")
	c.fake.Reader = iotest.ErrReader(broken)
	if _, err := c.Conn.Read(make([]byte, 1)); err != broken {
		t.Errorf("%v, want %v", err, broken)
	}
}
