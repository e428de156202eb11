package link_test

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var errGate = errors.New("not yet")

func TestDialIsRefused(t *testing.T) {
	server := zktest.Start(t)
	taken, err := net.Dial("tcp", server.Address()) // so nobody else can listen at its port
	must(t, err)
	defer taken.Close()
	killed, closed, blocked := link.New(link.Config{}), link.New(link.Config{}), link.New(link.Config{})
	killed.Kill()
	closed.Close()
	blocked.Block("test", event.Out)
	refusing := link.New(link.Config{DialGate: func(context.Context) error { return errGate }})
	blocking := link.New(link.Config{DialGate: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }})
	tests := []struct {
		name    string
		link    *link.Link
		address string
		want    error
		timeout bool
	}{
		{"killed", killed, server.Address(), link.ErrKilled, false},
		{"closed", closed, server.Address(), link.ErrClosed, false},
		{"blocked", blocked, server.Address(), nil, true},
		{"gate refuses", refusing, server.Address(), errGate, false},
		{"gate blocks", blocking, server.Address(), nil, true},
		{"nobody listens", link.New(link.Config{}), taken.LocalAddr().String(), nil, false},
	}
	for _, tt := range tests {
		t.Cleanup(tt.link.Close)
		limit := waitLimit
		if tt.timeout {
			limit = 50 * time.Millisecond
		}
		conn, err := tt.link.Dial("tcp", tt.address, limit)
		var shaped net.Error
		if conn != nil || !errors.As(err, &shaped) || shaped.Timeout() != tt.timeout {
			t.Errorf("%s: %v, %v; want an error with Timeout %v", tt.name, conn, err, tt.timeout)
		}
		if tt.want != nil && !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestDialGoesOnAfterTheBlock(t *testing.T) {
	server := zktest.Start(t)
	l := link.New(link.Config{})
	t.Cleanup(l.Close)
	l.Block("test")
	l.Unblock("test", event.In)
	dialled := make(chan error, 1)
	go func() {
		_, err := l.Dial("tcp", server.Address(), waitLimit)
		dialled <- err
	}()
	select {
	case err := <-dialled:
		t.Errorf("a dial got through a link that is blocked one way: %v", err)
	case <-time.After(20 * time.Millisecond):
	}
	l.Unblock("test")
	must(t, <-dialled)
}

// silentServer listens and never answers, like a server that is starting.
func silentServer(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}

func TestHandshakeHasADeadline(t *testing.T) {
	l := link.New(link.Config{HandshakeTimeout: 50 * time.Millisecond})
	t.Cleanup(l.Close)
	ctx, cancel := context.WithTimeout(t.Context(), waitLimit)
	defer cancel()
	_, err := wire.Dial(ctx, silentServer(t), wire.Options{DialContext: dialer(l)})
	if !errors.Is(err, link.ErrHandshakeTimeout) {
		t.Errorf("a handshake that is not answered: %v, want ErrHandshakeTimeout", err)
	}
}

// TestHandshakeMayBeBlocked shows that the deadline is the server's, not that of
// the way: a partition in the handshake is none of its business.
func TestHandshakeMayBeBlocked(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := new(remoteEnd)
		l := link.New(link.Config{DialContext: f.dial, HandshakeTimeout: time.Second})
		defer l.Close()
		c, err := l.Dial("tcp", "far", time.Second)
		must(t, err)
		l.Block("test")
		write(t, c, greeting())
		time.Sleep(time.Hour)
		l.Unblock("test")
		time.Sleep(time.Second / 2) // within which the server answers
		write(t, f.ends[0], greeting())
		_, err = io.ReadFull(c, make([]byte, len(greeting())))
		must(t, err)
	})
}

func TestConnRefusesWhatIsNoFrame(t *testing.T) {
	server := zktest.Start(t)
	l := link.New(link.Config{})
	t.Cleanup(l.Close)
	conn, err := l.Dial("tcp", server.Address(), waitLimit)
	must(t, err)
	if _, err := conn.Write([]byte("GET / HTTP/1.1\r\n\r\n")); !errors.Is(err, wire.ErrFrameLength) {
		t.Errorf("write of no frame: %v, want ErrFrameLength", err)
	}
	must(t, conn.Close())
	if _, err := conn.Write([]byte{0, 0, 0, 0}); !errors.Is(err, wire.ErrFrameLength) && !errors.Is(err, net.ErrClosed) {
		t.Errorf("write after the close: %v", err)
	}
	if _, err := conn.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("read after the close: %v, want ErrClosed", err)
	}
}

// TestServerEndsTheConnection makes the server hang up on a request that it
// cannot read.
func TestServerEndsTheConnection(t *testing.T) {
	server := zktest.Start(t)
	l := link.New(link.Config{})
	t.Cleanup(l.Close)
	conn, err := l.Dial("tcp", server.Address(), waitLimit)
	must(t, err)
	must(t, conn.SetDeadline(time.Now().Add(waitLimit)))
	_, err = conn.Write([]byte{0, 0, 0, 3, 1, 2, 3})
	must(t, err)
	if n, err := conn.Read(make([]byte, 10)); err != io.EOF {
		t.Errorf("read %d bytes, %v; want EOF", n, err)
	}
	if _, err := conn.Write([]byte{0, 0, 0, 1, 7}); err != nil {
		t.Errorf("a write that reaches nobody: %v; a socket would take it", err)
	}
}
