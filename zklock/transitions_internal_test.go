package zklock

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"
)

// timeout is what the server of these tests grants.
const timeout = 3 * time.Second

// A memoryConn swallows what is written.
type memoryConn struct {
	net.Conn
	io.Reader
}

func (c *memoryConn) Read(p []byte) (int, error)      { return c.Reader.Read(p) }
func (c *memoryConn) Write(p []byte) (int, error)     { return len(p), nil }
func (c *memoryConn) SetReadDeadline(time.Time) error { return nil }

// A talk plays go-zookeeper and the server to a session, in a bubble's time.
type talk struct {
	*testing.T
	*Session
	conn *frameConn
}

func inBubble(t *testing.T, test func(*talk)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		k := &talk{T: t, Session: NewSession()}
		test(k)
		if err := k.Close(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// handshake opens a connection on which the server answers with id.
func (k *talk) handshake(id int64) {
	k.Helper()
	conn, err := k.observe(new(memoryConn))
	if err != nil {
		k.Fatal(err)
	}
	k.conn = conn.(*frameConn)
	k.send(make([]byte, 44))
	answer := binary.BigEndian.AppendUint32(nil, 0)
	answer = binary.BigEndian.AppendUint32(answer, uint32(timeout.Milliseconds()))
	k.get(binary.BigEndian.AppendUint64(answer, uint64(id)))
	if id == 0 {
		k.event(zk.StateExpired)
		k.event(zk.StateDisconnected)
		return
	}
	k.event(zk.StateHasSession)
}

func (k *talk) event(state zk.State) {
	k.EventCallback(zk.Event{Type: zk.EventSession, State: state})
}

func (k *talk) send(frame []byte) { k.conn.Write(stream(frame)) }

func (k *talk) get(frame []byte) {
	b := stream(frame)
	k.conn.Conn.(*memoryConn).Reader = bytes.NewReader(b)
	if _, err := io.ReadFull(k.conn, make([]byte, len(b))); err != nil {
		k.Fatal(err)
	}
}

// ping is a ping's request, pong its reply.
func (k *talk) ping() { k.send(replyFrame(xidPing, 0, 0)) }
func (k *talk) pong() { k.get(replyFrame(xidPing, 0, 0)) }

// lostAfter checks that the context ends exactly d after begin.
func (k *talk) lostAfter(ctx context.Context, begin time.Time, d time.Duration) {
	k.Helper()
	<-ctx.Done()
	if got := time.Since(begin); got != d {
		k.Errorf("lost after %v, want %v", got, d)
	}
	if !errors.Is(context.Cause(ctx), ErrSessionLost) {
		k.Errorf("cause %v", context.Cause(ctx))
	}
	if k.State() != Lost {
		k.Errorf("state %v", k.State())
	}
}

// The clock: until when a session may be counted on.
func TestLostByTheClock(t *testing.T) {
	for name, c := range map[string]struct {
		talk func(*talk)
		want time.Duration // from the handshake's sending
	}{
		"nothing said":      {func(*talk) {}, timeout},
		"nothing but pings": {func(k *talk) { time.Sleep(time.Second); k.ping() }, timeout},
		"acknowledged late": {func(k *talk) {
			time.Sleep(time.Second)
			k.ping()
			time.Sleep(time.Second)
			k.pong() // counts from when the ping was sent
		}, timeout + time.Second},
		"acknowledged too late": {func(k *talk) {
			k.ping()
			time.Sleep(timeout)
			k.pong()
		}, timeout},
		"notified": {func(k *talk) {
			time.Sleep(time.Second)
			k.get(replyFrame(xidNotification, -1, 0)) // says nothing of what the server heard
		}, timeout},
		"answered": {func(k *talk) {
			time.Sleep(time.Second)
			k.send(replyFrame(1, 0, 0))
			time.Sleep(time.Second)
			k.send(replyFrame(2, 0, 0))
			k.get(replyFrame(1, 0, 0))
		}, timeout + time.Second},
		"credentials answered": {func(k *talk) {
			time.Sleep(time.Second)
			for xid, op := range []int32{opAuth, opSasl} {
				k.send(message(nil).int32(int32(xid)).int32(op))
				k.get(replyFrame(int32(xid), 0, 0))
			}
		}, timeout},
		"answered with an error": {func(k *talk) {
			time.Sleep(time.Second)
			k.send(replyFrame(1, 0, 0))
			k.get(replyFrame(1, 0, -101))
		}, timeout + time.Second},
		"disconnected": {func(k *talk) { k.event(zk.StateDisconnected) }, timeout},
		"reconnected": {func(k *talk) {
			k.event(zk.StateDisconnected)
			time.Sleep(2 * time.Second)
			k.handshake(1)
		}, timeout + 2*time.Second},
		"reply on the former connection": {func(k *talk) {
			k.ping()
			former := k.conn
			k.event(zk.StateDisconnected)
			time.Sleep(time.Second)
			k.handshake(1)
			k.conn = former
			time.Sleep(time.Second)
			k.pong()
		}, timeout + time.Second},
		"expired":           {func(k *talk) { time.Sleep(time.Second); k.handshake(0) }, time.Second},
		"told of an expiry": {func(k *talk) { k.event(zk.StateExpired) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(k *talk) {
				begin, ctx := time.Now(), k.Context()
				k.handshake(1)
				if k.Context() != ctx || k.State() != Connected || k.Timeout() != timeout {
					t.Fatal("not connected")
				}
				c.talk(k)
				k.lostAfter(ctx, begin, c.want)
			})
		})
	}
}

// The server has opened another session: the former is lost at once.
func TestReplacedSession(t *testing.T) {
	inBubble(t, func(k *talk) {
		k.handshake(1)
		before := k.Context()
		k.event(zk.StateDisconnected)
		k.handshake(2)
		if !errors.Is(context.Cause(before), ErrSessionLost) {
			t.Error("the former session is not lost")
		}
		if k.State() != Connected || k.SessionID() != 2 || k.Context().Err() != nil {
			t.Errorf("state %v, session %d", k.State(), k.SessionID())
		}
	})
}

// A session that the clock gave up and that lives after all gets a new
// context; what was under the old one stays lost.
func TestRevival(t *testing.T) {
	for name, revive := range map[string]func(*talk){
		"by a reconnect":        func(k *talk) { k.event(zk.StateDisconnected); k.handshake(1) },
		"by an acknowledgement": func(k *talk) { k.ping(); k.pong() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(k *talk) {
				k.handshake(1)
				before := k.Context()
				<-before.Done()
				revive(k)
				if k.State() != Connected || k.SessionID() != 1 || before.Err() == nil {
					t.Fatalf("state %v, session %d", k.State(), k.SessionID())
				}
				k.lostAfter(k.Context(), time.Now(), timeout)
			})
		})
	}
}

// An acknowledgement that is itself older than the timeout proves nothing.
func TestNoRevivalByStaleNews(t *testing.T) {
	inBubble(t, func(k *talk) {
		k.handshake(1)
		k.ping()
		time.Sleep(2 * timeout)
		k.pong()
		if k.State() != Lost {
			t.Errorf("state %v", k.State())
		}
	})
}

func TestHandshakeDeadline(t *testing.T) {
	for _, c := range []struct {
		option, asked, want time.Duration
	}{
		{0, 300 * time.Millisecond, minHandshake},
		{0, 9 * time.Second, 6 * time.Second},
		{time.Minute, 9 * time.Second, time.Minute},
	} {
		if got := NewSession(WithHandshakeTimeout(c.option)).handshakeTimeout(c.asked); got != c.want {
			t.Errorf("option %v, asked for %v: %v, want %v", c.option, c.asked, got, c.want)
		}
	}
}

func TestPacer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPacer()
		if err := p.Init([]string{"a", "b"}); err != nil {
			t.Fatal(err)
		}
		for _, want := range []time.Duration{0, 0, minPause, 2 * minPause, 4 * minPause} {
			begin := time.Now()
			if err := p.wait(); err != nil || time.Since(begin) != want {
				t.Errorf("waited %v, want %v: %v", time.Since(begin), want, err)
			}
		}
		for range 100 {
			if got := p.pause(); got > maxPause {
				t.Fatalf("pause of %v", got)
			}
		}
		p.hangUp()
		if err := p.wait(); !errors.Is(err, ErrClosed) {
			t.Errorf("a closing session still dials: %v", err)
		}
		for _, want := range []string{"a", "b", "a"} {
			if server, over := p.Next(); server != want || !over {
				t.Errorf("next is %s, %v; want %s and an end", server, over, want)
			}
		}
	})
	if err := newPacer().Init(nil); err == nil {
		t.Error("no servers are taken")
	}
}
