package zklock

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// grantedTimeout is what the server of these tests grants.
const grantedTimeout = 3 * time.Second

// A fakeConn swallows what is written, and gives what a test has it read.
type fakeConn struct {
	net.Conn
	io.Reader
}

func (c *fakeConn) Read(p []byte) (int, error)      { return c.Reader.Read(p) }
func (c *fakeConn) Write(p []byte) (int, error)     { return len(p), nil }
func (c *fakeConn) SetReadDeadline(time.Time) error { return nil }

// A talk plays go-zookeeper and the server to a session, in a bubble's time.
type talk struct {
	*testing.T
	*Session
	conn net.Conn
	fake *fakeConn
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

// The frames that a test needs.
func frame(xid, op int32) protocol.Message { return protocol.Message(nil).Int32(xid).Int32(op) }
func replyTo(xid, code int32) protocol.Message {
	return protocol.Message(nil).Int32(xid).Int64(0).Int32(code)
}
func withLength(m protocol.Message) (b []byte) {
	return append(binary.BigEndian.AppendUint32(b, uint32(len(m))), m...)
}
func (k *talk) event(state zk.State)    { k.EventCallback(zk.Event{Type: zk.EventSession, State: state}) }
func (k *talk) send(m protocol.Message) { k.conn.Write(withLength(m)) }
func (k *talk) ping()                   { k.send(frame(protocol.XidPing, 11)) }
func (k *talk) pong()                   { k.receive(replyTo(protocol.XidPing, 0)) }
func (k *talk) receive(m protocol.Message) {
	b := withLength(m)
	k.fake.Reader = bytes.NewReader(b)
	if _, err := io.ReadFull(k.conn, make([]byte, len(b))); err != nil {
		k.Fatal(err)
	}
}

// connect opens a connection on which the server answers with the session id.
func (k *talk) connect(id int64) {
	k.Helper()
	k.fake = new(fakeConn)
	k.mu.Lock()
	conn, err := k.observe(k.fake)
	k.mu.Unlock()
	if err != nil {
		k.Fatal(err)
	}
	k.conn = conn
	k.send(make(protocol.Message, 44))
	k.receive(protocol.Message(nil).Int32(0).Int32(int32(grantedTimeout.Milliseconds())).Int64(id))
	if id == 0 {
		k.event(zk.StateExpired)
		k.event(zk.StateDisconnected)
		return
	}
	k.event(zk.StateHasSession)
}

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

// Until when a session may be counted on.
func TestLostByTheClock(t *testing.T) {
	const opAuth, opSasl = 100, 102
	for name, c := range map[string]struct {
		talk func(*talk)
		want time.Duration // from the handshake's sending
	}{
		"nothing said":      {func(*talk) {}, grantedTimeout},
		"nothing but pings": {func(k *talk) { time.Sleep(time.Second); k.ping() }, grantedTimeout},
		"acknowledged late": {func(k *talk) {
			time.Sleep(time.Second)
			k.ping()
			time.Sleep(time.Second)
			k.pong() // counts from when the ping was sent
		}, grantedTimeout + time.Second},
		"acknowledged too late": {func(k *talk) {
			k.ping()
			time.Sleep(grantedTimeout)
			k.pong()
		}, grantedTimeout},
		"told of an event": {func(k *talk) {
			time.Sleep(time.Second)
			k.receive(replyTo(protocol.XidNotification, 0)) // says nothing of what the server heard
		}, grantedTimeout},
		"answered": {func(k *talk) {
			time.Sleep(time.Second)
			k.send(frame(1, protocol.OpDelete))
			time.Sleep(time.Second)
			k.send(frame(2, protocol.OpDelete))
			k.receive(replyTo(1, 0))
		}, grantedTimeout + time.Second},
		"answered with an error": {func(k *talk) {
			time.Sleep(time.Second)
			k.send(frame(1, protocol.OpDelete))
			k.receive(replyTo(1, -101))
		}, grantedTimeout + time.Second},
		"credentials answered": {func(k *talk) {
			time.Sleep(time.Second)
			for xid, op := range []int32{opAuth, opSasl} {
				k.send(frame(int32(xid), op))
				k.receive(replyTo(int32(xid), 0))
			}
		}, grantedTimeout},
		"disconnected": {func(k *talk) { k.event(zk.StateDisconnected) }, grantedTimeout},
		"reconnected": {func(k *talk) {
			k.event(zk.StateDisconnected)
			time.Sleep(2 * time.Second)
			k.connect(1)
		}, grantedTimeout + 2*time.Second},
		"answered on the former connection": {func(k *talk) {
			k.ping()
			former, fake := k.conn, k.fake
			k.event(zk.StateDisconnected)
			time.Sleep(time.Second)
			k.connect(1)
			k.conn, k.fake = former, fake
			time.Sleep(time.Second)
			k.pong()
		}, grantedTimeout + time.Second},
		"expired":           {func(k *talk) { time.Sleep(time.Second); k.connect(0) }, time.Second},
		"told of an expiry": {func(k *talk) { k.event(zk.StateExpired) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(k *talk) {
				begin, ctx := time.Now(), k.Context()
				k.connect(1)
				if k.Context() != ctx || k.State() != Connected || k.Timeout() != grantedTimeout {
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
		k.connect(1)
		before := k.Context()
		k.event(zk.StateDisconnected)
		k.connect(2)
		if !errors.Is(context.Cause(before), ErrSessionLost) {
			t.Error("the former session is not lost")
		}
		if k.State() != Connected || k.SessionID() != 2 || k.Context().Err() != nil {
			t.Errorf("state %v, session %d", k.State(), k.SessionID())
		}
	})
}

// A session that the clock gave up and that lives after all gets a new context;
// what was under the old one stays lost.
func TestSessionLivesAfterAll(t *testing.T) {
	for name, live := range map[string]func(*talk){
		"told by a reconnect":        func(k *talk) { k.event(zk.StateDisconnected); k.connect(1) },
		"told by an acknowledgement": func(k *talk) { k.ping(); k.pong() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(k *talk) {
				k.connect(1)
				before := k.Context()
				<-before.Done()
				live(k)
				if k.State() != Connected || k.SessionID() != 1 || before.Err() == nil {
					t.Fatalf("state %v, session %d", k.State(), k.SessionID())
				}
				k.lostAfter(k.Context(), time.Now(), grantedTimeout)
			})
		})
	}
}

// How long the answer to a handshake may take.
func TestHandshakeTimeout(t *testing.T) {
	for _, c := range []struct{ option, asked, want time.Duration }{
		{0, 300 * time.Millisecond, minHandshake},
		{0, 9 * time.Second, 6 * time.Second},
		{time.Minute, 9 * time.Second, time.Minute},
	} {
		s := NewSession(WithHandshakeTimeout(c.option))
		if got := (observer{s}).HandshakeTimeout(c.asked); got != c.want {
			t.Errorf("option %v, asked for %v: %v, want %v", c.option, c.asked, got, c.want)
		}
	}
}

// A leader counts the syncs that reach it, by go-zookeeper.
type leader struct {
	Client
	syncs atomic.Int32
}

func (l *leader) Sync(string) (string, error) { l.syncs.Add(1); return "", nil }

// hold connects, and begins a lease that has no znode.
func (k *talk) hold() *Lease {
	k.Helper()
	k.client = new(leader)
	k.connect(7)
	l := &Lease{acquisition: &acquisition{session: k.Session, grant: k.grant}, lost: make(chan struct{})}
	l.ctx, l.cancel = context.WithCancelCause(context.Background())
	if err := k.register(l); err != nil || l.Err() != nil {
		k.Fatal(err, l.Err())
	}
	return l
}

// Only the leader's answers keep a lease, for which it is asked, and nothing is asked
// for without one. A session lives by any server's answers.
func TestLeaderIsAskedWhileHeld(t *testing.T) {
	for name, c := range map[string]struct {
		held  bool
		op    int32
		syncs int32 // in five sixths of the timeout
		lost  bool
	}{
		"answered by a follower": {true, protocol.XidPing, 5, true},
		"answered by the leader": {true, protocol.OpSync, 5, false},
		"nothing held":           {false, protocol.XidPing, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(k *talk) {
				l := k.hold()
				if !c.held {
					k.unregister(l)
				}
				time.Sleep(time.Millisecond) // no two things at once
				for i := range int32(12) {
					if asked := k.client.(*leader).syncs.Load(); i == 5 && asked != c.syncs {
						t.Errorf("%d syncs, want %d", asked, c.syncs)
					}
					time.Sleep(grantedTimeout / 6)
					k.send(frame(c.op, c.op))
					k.receive(replyTo(c.op, 0))
				}
				if lost := k.State() == Lost || l.Err() != nil; lost != c.lost {
					t.Errorf("lost: %v, want %v: %v, %v", lost, c.lost, k.State(), l.Err())
				}
			})
		})
	}
}

// A process that was stopped goes on before its timers do: Err knows already.
func TestErrAfterAStop(t *testing.T) {
	inBubble(t, func(k *talk) {
		l := k.hold()
		stopTimer(k.deadlineTimer)
		time.Sleep(grantedTimeout)
		if l.ctx.Err() != nil || !errors.Is(l.Err(), ErrSessionLost) {
			t.Errorf("context %v, Err %v", l.ctx.Err(), l.Err())
		}
	})
}
