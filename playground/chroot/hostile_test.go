package chroot_test

import (
	"bytes"
	"context"
	"errors"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// Who speaks no ZooKeeper never reaches the server.
func TestGarbage(t *testing.T) {
	server := zktest.Start(t)
	for name, said := range map[string]string{
		"noise":                    strings.Repeat("\xff\x00\x17garbage", 100),
		"TLS":                      "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
		"a gigabyte to come":       "\x3f\xff\xff\xff",
		"a negative length":        "\xff\xff\xff\xff\x00\x00",
		"a frame that is too long": "\x00\x10\x00\x00\x00\x00",
		"an empty frame":           "\x00\x00\x00\x00",
		"no connect request":       string(prefixed(encode(1, exists, "/", false))),
	} {
		h := house(t, server, server.Root(t), nil)
		s := connect(t, h.address)
		if _, err := s.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
		s.expectEnd()
		h.mu.Lock()
		if len(h.conns) > 0 {
			t.Errorf("%s reaches the server", name)
		}
		h.mu.Unlock()
	}
}

// Garbage after a good beginning ends that connection, and says why.
func TestGarbageLater(t *testing.T) {
	server := zktest.Start(t)
	for name, test := range map[string]struct {
		said string
		want error
	}{
		"a request without a header": {"\x00\x00\x00\x01\x00", chroot.ErrProtocol},
		"an impossible length":       {"\x7f\xff\xff\xff", wire.ErrFrameLength},
		"half a frame":               {"\x00\x00\x01\x00", chroot.ErrLeft},
		"nothing":                    {"", chroot.ErrLeft},
	} {
		t.Run(name, func(t *testing.T) {
			h := house(t, server, server.Root(t), nil)
			s := speak(t, h.address)
			if _, err := s.Write([]byte(test.said)); err != nil {
				t.Fatal(err)
			}
			if err := s.Conn.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			s.expectEnd()
			h.awaitEnd(test.want)
		})
	}
}

// A frame may arrive in single bytes.
func TestSingleBytes(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), nil)
	s := connect(t, h.address)
	request := encode(1, exists, "/", false)
	for _, payload := range [][]byte{connectRequest(0, 0, noPassword), request} {
		s.decoder.Request(payload)
		for _, b := range prefixed(payload) {
			if _, err := s.Write([]byte{b}); err != nil {
				t.Fatal(err)
			}
		}
		if f := s.hear(); f.Kind == wire.Undecoded || f.Code != wire.OK {
			t.Errorf("answered by %+v", f)
		}
	}
}

// Who says nothing is not waited for without end.
func TestSilence(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), func(c *chroot.Config) { c.HandshakeTimeout = 50 * time.Millisecond })
	for _, said := range []string{"", "\x00", "\x00\x00\x00\x2c\x00"} {
		s := connect(t, h.address)
		if _, err := s.Write([]byte(said)); err != nil {
			t.Fatal(err)
		}
		s.expectEnd()
	}
}

// A guest that asks for much and does not read is let go, and the one beside it
// notices nothing.
func TestStall(t *testing.T) {
	server := zktest.Start(t)
	h := house(t, server, server.Root(t), func(c *chroot.Config) { c.StallTimeout = 200 * time.Millisecond })
	s, beside := speak(t, h.address), speak(t, h.address)
	if f := s.ask(create, "/a", strings.Repeat("x", 500_000), openACL{}, 0); f.Code != wire.OK {
		t.Fatal(f.Code)
	}
	go func() { // until the connection ends
		for xid := 2; ; xid++ {
			if _, err := s.Write(prefixed(encode(xid, getData, "/a", false))); err != nil {
				return
			}
		}
	}()
	h.awaitEnd(chroot.ErrStalled)
	if f := beside.ask(exists, "/a", false); f.Code != wire.OK {
		t.Error(f.Code)
	}
}

// A guest that floods is answered, in order and without an error, and gets no more than its
// share: the rest waits. It is told who floods, and the one beside it notices nothing.
func TestFlood(t *testing.T) {
	const flood, share = 500, 100
	server := zktest.Start(t)
	slowed := make(chan chroot.Guest, flood)
	h := house(t, server, server.Root(t), func(c *chroot.Config) {
		c.Limits.Requests = share
		c.Slowed = func(who chroot.Guest) { slowed <- who }
	})
	s, beside := speak(t, h.address), speak(t, h.address)
	failed := make(chan error, 1)
	began := time.Now()
	go func() {
		var err error
		for xid := 1; xid <= flood && err == nil; xid++ {
			_, err = s.Write(prefixed(encode(xid, exists, "/", false)))
		}
		failed <- err
	}()
	for xid := 1; xid <= flood; xid++ {
		s.decoder.Request(encode(xid, exists, "/", false))
		if f := s.hear(); f.Xid != int32(xid) || f.Code != wire.OK {
			t.Fatalf("a reply to %d: %v, want to %d", f.Xid, f.Code, xid)
		}
		if xid == 2*share {
			if f := beside.ask(exists, "/", false); f.Code != wire.OK {
				t.Error(f.Code)
			}
		}
	}
	if err := <-failed; err != nil {
		t.Fatal(err)
	}
	if took, least := time.Since(began), time.Second*(flood-share)/share; took < least {
		t.Errorf("%d requests pass in %v, want at least %v", flood, took, least)
	}
	if who, more := <-slowed, len(slowed); more > 0 || who.Address != s.LocalAddr().String() {
		t.Errorf("%v is told to flood, and %d more", who, more)
	}
}

// Requests to a server that does not answer are not taken in without end, and all of
// them are answered when it does.
func TestBacklog(t *testing.T) {
	const backlog, most = 5000, 1000
	server := zktest.Start(t)
	hold, full := make(chan struct{}), make(chan struct{})
	taken := 0 // by one goroutine, until the connection ends
	h := house(t, server, server.Root(t), func(c *chroot.Config) {
		dial := c.Dial
		c.Dial = func(ctx context.Context, guest chroot.Guest) (net.Conn, error) {
			conn, err := dial(ctx, guest)
			return &held{Conn: conn, hold: hold}, err
		}
		c.Refused = func(chroot.Guest, chroot.Refusal) {
			if taken++; taken == most-1 {
				close(full)
			}
			select {
			case <-hold:
			default:
				if taken >= most {
					t.Errorf("%d requests are taken in", taken+1)
				}
			}
		}
	})
	s := speak(t, h.address)
	const unknown = 4711 // refused here, so that the answers pile up behind the first
	var said []byte
	for xid := 2; xid <= backlog; xid++ {
		said = append(said, prefixed(encode(xid, unknown))...)
	}
	if _, err := s.Write(append(prefixed(encode(1, exists, "/", false)), said...)); err != nil {
		t.Fatal(err)
	}
	<-full
	close(hold)
	for xid := 1; xid <= backlog; xid++ {
		payload, err := s.frame()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(payload, encode(xid)) {
			t.Fatalf("a reply %x, want one to %d", payload, xid)
		}
	}
}

// held gives its second reply when it may.
type held struct {
	net.Conn
	hold  chan struct{}
	reads int
}

func (h *held) Read(b []byte) (int, error) {
	if h.reads++; h.reads > 1 {
		<-h.hold
	}
	return h.Conn.Read(b)
}

// The end of the context ends everybody, whatever they are about.
func TestEndOfServe(t *testing.T) {
	server := zktest.Start(t)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	dialling := make(chan struct{})
	served := make(chan error, 1)
	config := chroot.Config{Root: server.Root(t), Sessions: chroot.NewSessions()}
	config.Dial = func(ctx context.Context, guest chroot.Guest) (net.Conn, error) {
		close(dialling)
		<-ctx.Done()
		return nil, context.Cause(ctx)
	}
	var ended error
	config.Ended = func(_ chroot.Guest, err error) { ended = errors.Join(ended, err) }
	go func() { served <- chroot.Serve(ctx, listener, config) }()
	s := connect(t, listener.Addr().String())
	s.send(connectRequest(0, 0, noPassword))
	<-dialling
	cancel()
	if err := <-served; err != nil || ended != nil {
		t.Errorf("Serve: %v, its guest: %v", err, ended)
	}
	s.expectEnd()
	if err := chroot.Serve(t.Context(), listener, chroot.Config{Root: "/"}); !errors.Is(err, chroot.ErrRoot) {
		t.Errorf("Serve with an impossible root: %v", err)
	}
	if err := chroot.Serve(t.Context(), listener, config); !errors.Is(err, net.ErrClosed) {
		t.Errorf("Serve with a closed listener: %v", err)
	}
}
