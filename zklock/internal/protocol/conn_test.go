package protocol

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/iotest"
	"testing/synctest"
	"time"
)

// A fakeConn swallows what is written, and gives what a test has it read.
type fakeConn struct {
	net.Conn
	io.Reader
	err      error // of writes
	closed   bool
	deadline time.Time
}

func (c *fakeConn) Read(p []byte) (int, error)        { return c.Reader.Read(p) }
func (c *fakeConn) Write(p []byte) (int, error)       { return len(p), c.err }
func (c *fakeConn) Close() error                      { c.closed = true; return nil }
func (c *fakeConn) SetReadDeadline(t time.Time) error { c.deadline = t; return nil }

// An observed is what a connection has told, as a test writes it, and when it began.
type observed struct {
	began   time.Time
	told    []string
	givenUp bool
}

func (o *observed) note(format string, args ...any) {
	o.told = append(o.told, fmt.Sprintf(format, args...))
}

func (o *observed) HandshakeTimeout(asked time.Duration) time.Duration { return asked / 2 }
func (o *observed) Accepted(_ *Conn, id int64, timeout time.Duration, sent time.Time) {
	o.note("accepted %d for %v at %v", id, timeout, sent.Sub(o.began))
}
func (o *observed) Acknowledged(_ *Conn, sent time.Time, leader bool) {
	by := ""
	if leader {
		by = " by the leader"
	}
	o.note("acknowledged %v%s", sent.Sub(o.began), by)
}
func (o *observed) Closing(*Conn)                            { o.note("closing") }
func (o *observed) GivenUp() bool                            { return o.givenUp }
func (o *observed) TooLarge(*Conn)                           { o.note("too large") }
func (o *observed) Failed(_ *Conn, accepted bool, err error) { o.note("failed %v: %v", accepted, err) }

// A tested connection plays go-zookeeper and the server.
type tested struct {
	*testing.T
	*Conn
	*observed
	fake *fakeConn
}

func newTested(t *testing.T, maxReply int, history *History) *tested {
	c := &tested{T: t, observed: &observed{began: time.Now()}, fake: new(fakeConn)}
	c.Conn = NewConn(c.fake, c.observed, maxReply, history)
	return c
}

// The frames that a test needs.
func greeting(session int64) Message {
	return Message(nil).Int32(0).Int64(0).Int32(4000).Int64(session).Bytes(make([]byte, 16))
}
func answer(session int64) Message          { return Message(nil).Int32(0).Int32(4000).Int64(session) }
func requested(xid, op int32) Message       { return Message(nil).Int32(xid).Int32(op) }
func replied(xid int32) Message             { return Message(nil).Int32(xid).Int64(0).Int32(0) }
func reads(op int32, watch bool) Message    { return requested(1, op).Text("/lock").Bool(watch) }
func (c *tested) send(frames ...Message)    { c.Conn.Write(stream(frames...)) }
func (c *tested) connect(session int64)     { c.send(greeting(session)); c.receive(answer(7)) }
func (c *tested) receive(frames ...Message) { c.receiveBytes(stream(frames...)) }
func (c *tested) receiveBytes(stream []byte) {
	c.fake.Reader = bytes.NewReader(stream)
	if _, err := io.ReadFull(c.Conn, make([]byte, len(stream))); err != nil {
		c.Error(err)
	}
}

// What a server has acknowledged counts from when that was sent.
func TestConnTells(t *testing.T) {
	const xid = 5
	for name, c := range map[string]struct {
		talk func(*tested)
		want []string
	}{
		"a request": {func(c *tested) {
			c.send(requested(xid, OpCreate))
			time.Sleep(time.Second)
			c.receive(replied(xid))
		}, []string{"acknowledged 1s"}},
		"a ping": {func(c *tested) {
			c.send(requested(XidPing, 11))
			time.Sleep(time.Second)
			c.send(requested(XidPing, 11))
			c.receive(replied(XidPing), replied(XidPing), replied(XidPing))
		}, []string{"acknowledged 1s", "acknowledged 2s"}},
		"requests in any order": {func(c *tested) {
			c.send(requested(-9, OpCreate))
			time.Sleep(time.Second)
			c.send(requested(-8, OpCreate))
			c.receive(replied(-8), replied(-9))
		}, []string{"acknowledged 2s", "acknowledged 1s"}},
		"a sync": {func(c *tested) { c.send(requested(xid, OpSync)); c.receive(replied(xid)) }, []string{"acknowledged 1s by the leader"}},
		"a sync that is refused": {func(c *tested) {
			c.send(requested(xid, OpSync))
			c.receive(Message(nil).Int32(xid).Int64(0).Int32(-127))
		}, []string{"acknowledged 1s"}},
		"no request":              {func(c *tested) { c.receive(replied(xid), replied(XidPing)) }, nil},
		"told twice":              {func(c *tested) { c.send(requested(xid, OpCreate)); c.receive(replied(xid), replied(xid)) }, []string{"acknowledged 1s"}},
		"an event":                {func(c *tested) { c.receive(replied(XidNotification)) }, nil},
		"a short reply":           {func(c *tested) { c.send(requested(xid, OpCreate)); c.receive(Message("abc"), Message("")) }, nil},
		"a short request":         {func(c *tested) { c.send(Message("1234567"), Message("")) }, nil},
		"credentials":             {func(c *tested) { c.send(requested(xid, opAuth)); c.receive(replied(xid)) }, nil},
		"SASL":                    {func(c *tested) { c.send(requested(xid, opSasl)); c.receive(replied(xid)) }, nil},
		"the end":                 {func(c *tested) { c.send(requested(xid, opCloseSession)) }, []string{"closing"}},
		"a large reply":           {func(c *tested) { c.receive(append(replied(xid), make([]byte, 100)...)) }, []string{"too large"}},
		"a large event":           {func(c *tested) { c.receive(append(replied(XidNotification), make([]byte, 100)...)) }, nil},
		"a large reply to a call": {func(c *tested) { c.receive(append(replied(-9), make([]byte, 100)...)) }, nil},
		"a failed write": {func(c *tested) {
			c.fake.err = io.ErrClosedPipe
			c.send(requested(xid, OpCreate))
		}, []string{"failed true: io: read/write on closed pipe"}},
		"a failed read": {func(c *tested) {
			c.fake.Reader = iotest.ErrReader(errors.New("broken"))
			c.Conn.Read(make([]byte, 1))
		}, []string{"failed true: broken"}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				tested := newTested(t, 100, new(History))
				tested.connect(0)
				if tested.Timeout() != 4*time.Second {
					t.Errorf("timeout %v", tested.Timeout())
				}
				time.Sleep(time.Second)
				c.talk(tested)
				if want := append([]string{"accepted 7 for 4s at 0s"}, c.want...); !slices.Equal(tested.told, want) {
					t.Errorf("told %q, want %q", tested.told, want)
				}
				if broken := tested.fake.err != nil; tested.fake.closed != broken {
					t.Errorf("a write has failed: %v; the connection is closed: %v", broken, tested.fake.closed)
				}
			})
		})
	}
}

// Of an answer that is cut short nothing is known; that it came is.
func TestShortAnswer(t *testing.T) {
	c := newTested(t, 0, new(History))
	c.send(greeting(0))
	c.receive(answer(7)[:12])
	c.fake.Reader = iotest.ErrReader(io.EOF)
	c.Conn.Read(make([]byte, 1))
	if want := []string{"failed true: EOF"}; !slices.Equal(c.told, want) {
		t.Errorf("told %q, want %q", c.told, want)
	}
}

// The wait for the answer to a handshake is bounded, and no other is.
func TestHandshakeDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, begin := newTested(t, 0, new(History)), time.Now()
		set := func(what string, asked, want time.Time) {
			t.Helper()
			if c.SetReadDeadline(asked); !c.fake.deadline.Equal(want) {
				t.Errorf("%s: %v, want %v", what, c.fake.deadline, want)
			}
		}
		late := begin.Add(time.Hour)
		set("before the handshake", late, late)
		c.send(greeting(0))
		bound := begin.Add(2 * time.Second)
		set("late", late, bound)
		set("never", time.Time{}, bound)
		set("early", begin, begin)
		c.receive(answer(7))
		set("after the handshake", late, late)
	})
}

// Requests of others may be sent once go-zookeeper has sent what it begins with.
func TestReady(t *testing.T) {
	watching := func(c *tested) { c.connect(0); c.send(reads(OpGetData, true)) }
	authenticated := func(c *tested) { c.connect(0); c.send(requested(1, opAuth)) }
	for name, c := range map[string]struct {
		before func(*tested) // on an earlier connection
		talk   func(*tested)
		want   bool
	}{
		"nothing sent":                {talk: func(*tested) {}},
		"not answered":                {talk: func(c *tested) { c.send(greeting(0)) }},
		"a new client":                {talk: func(c *tested) { c.connect(0) }, want: true},
		"a new session":               {before: watching, talk: func(c *tested) { c.connect(0) }, want: true},
		"back, without watches":       {before: func(c *tested) { c.connect(0) }, talk: func(c *tested) { c.connect(7) }, want: true},
		"back, watches not set":       {before: watching, talk: func(c *tested) { c.connect(7) }},
		"back, watches set":           {before: watching, talk: func(c *tested) { c.connect(7); c.send(requested(2, opSetWatches)) }, want: true},
		"back, another request":       {before: watching, talk: func(c *tested) { c.connect(7); c.send(requested(2, OpCreate)) }, want: true},
		"its first credentials":       {talk: authenticated},
		"a request after those":       {talk: func(c *tested) { authenticated(c); c.send(requested(2, OpCreate)) }, want: true},
		"a ping after those":          {talk: func(c *tested) { authenticated(c); c.send(requested(XidPing, 11)) }, want: true},
		"back, without credentials":   {before: authenticated, talk: func(c *tested) { c.connect(7) }},
		"back, among its credentials": {before: authenticated, talk: authenticated},
		"back, after its credentials": {before: authenticated, talk: func(c *tested) { authenticated(c); c.send(requested(2, OpCreate)) }, want: true},
		"another session, without credentials": {
			before: func(c *tested) { c.connect(0); c.send(requested(1, opSasl)) },
			talk:   func(c *tested) { c.connect(0) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			history := new(History)
			if c.before != nil {
				c.before(newTested(t, 0, history))
			}
			tested := newTested(t, 0, history)
			if c.talk(tested); tested.Ready() != c.want {
				t.Errorf("ready: %v", tested.Ready())
			}
		})
	}
}

// What is under way is what has been written, less the requests that were answered.
func TestUnanswered(t *testing.T) {
	c := newTested(t, 0, new(History))
	c.connect(0)
	random := rand.New(rand.NewSource(1))
	var unanswered []Message
	want := 0
	for xid := int32(1); xid <= 200; xid++ {
		request := append(requested(xid, OpSetData), make([]byte, random.Intn(100))...)
		if xid%7 == 0 {
			request = requested(XidPing, 11)
		}
		for i, b := range stream(request) { // byte by byte
			c.Conn.Write([]byte{b})
			if got := c.Unanswered(); got != want+i+1 {
				t.Fatalf("%d bytes are under way, want %d", got, want+i+1)
			}
		}
		want += prefixSize + len(request)
		unanswered = append(unanswered, request)
		for len(unanswered) > 0 && random.Intn(2) == 0 {
			i := random.Intn(len(unanswered))
			answered := unanswered[i]
			unanswered = slices.Delete(unanswered, i, i+1)
			want -= prefixSize + len(answered)
			c.receive(replied(NewReader(answered).Int32()), replied(XidNotification))
			if got := c.Unanswered(); got != want {
				t.Fatalf("%d bytes are under way after a reply, want %d", got, want)
			}
		}
	}
}

// Whatever passes, the connection only looks on.
func FuzzConn(f *testing.F) {
	f.Add([]byte{}, []byte{}, uint8(1))
	f.Add(stream(greeting(7), requested(1, OpCreate), reads(OpExists, true)), stream(answer(7), replied(1)), uint8(5))
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0}, []byte{0, 0, 0, 1}, uint8(9))
	f.Fuzz(func(t *testing.T, out, in []byte, size uint8) {
		c := newTested(t, 10, new(History))
		for rest := out; len(rest) > 0; {
			piece := rest[:min(len(rest), 1+int(size))]
			if n, err := c.Conn.Write(piece); err != nil || n != len(piece) {
				t.Fatalf("wrote %d of %d: %v", n, len(piece), err)
			}
			rest = rest[len(piece):]
		}
		if n := c.Unanswered(); n < 0 || n > len(out)+prefixSize {
			t.Errorf("%d bytes of %d are under way", n, len(out))
		}
		c.fake.Reader = iotest.HalfReader(bytes.NewReader(in))
		if got, err := io.ReadAll(c.Conn); err != nil || !bytes.Equal(got, in) {
			t.Fatalf("read %q, %v; want %q", got, err, in)
		}
	})
}

// A server that closes instead of answering has the session of a client that has
// lost it expire, and nobody else's.
func TestHandshakeRefused(t *testing.T) {
	for name, c := range map[string]struct {
		session  int64
		givenUp  bool
		answered bool
		err      error
		want     bool
	}{
		"lost":          {session: 7, givenUp: true, err: io.EOF, want: true},
		"reset":         {session: 7, givenUp: true, err: syscall.ECONNRESET, want: true},
		"not lost":      {session: 7, err: io.EOF},
		"a new session": {givenUp: true, err: io.EOF},
		"answered":      {session: 7, givenUp: true, answered: true, err: io.EOF},
		"no answer":     {session: 7, givenUp: true, err: os.ErrDeadlineExceeded},
	} {
		t.Run(name, func(t *testing.T) {
			conn := newTested(t, 0, new(History))
			conn.givenUp = c.givenUp
			conn.send(greeting(c.session))
			if c.answered {
				conn.receive(answer(7))
			}
			conn.told = nil
			conn.fake.Reader = iotest.ErrReader(c.err)
			got, _ := io.ReadAll(iotest.OneByteReader(conn.Conn))
			if told := slices.ContainsFunc(conn.told, func(line string) bool { return strings.HasPrefix(line, "accepted 0 ") }); told != c.want || (len(got) > 0) != c.want {
				t.Errorf("%x, told %q", got, conn.told)
			}
		})
	}
}
