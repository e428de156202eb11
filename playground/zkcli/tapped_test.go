package zkcli_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// A tapped sees what a console says to its server, as the tap of a room does.
type tapped struct {
	t      *testing.T
	mu     sync.Mutex
	frames int
}

// connect is for [zkcli.Config].
func (p *tapped) connect(server string, told func(zkcli.Event)) (*zkcli.Client, error) {
	return zkcli.NewClient(zkcli.ClientOptions{Servers: []string{server}, OnEvent: told, DialContext: p.dial}), nil
}

func (p *tapped) dial(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := new(net.Dialer).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return &tappedConn{Conn: conn, tapped: p, decoder: wire.NewDecoder(), sent: wire.NewFramer(0), received: wire.NewFramer(0)}, nil
}

type tappedConn struct {
	net.Conn
	*tapped
	decoder        *wire.Decoder
	sent, received *wire.Framer
}

func (c *tappedConn) Write(b []byte) (int, error) {
	c.see(c.sent, b, c.decoder.Request)
	return c.Conn.Write(b)
}

func (c *tappedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.see(c.received, b[:n], c.decoder.Reply)
	return n, err
}

func (c *tappedConn) see(framer *wire.Framer, b []byte, decode func([]byte) *wire.Frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := framer.Feed(b, func(frame []byte) {
		c.frames++
		if f := decode(frame[4:]); f.Kind == wire.Undecoded {
			c.t.Errorf("a frame is not decoded: %s: %x", f.Why, frame)
		}
	})
	if err != nil {
		c.t.Error(err)
	}
}
