package chaos

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

// A client is a session with a link that can be broken.
type client struct {
	number  int
	link    *link.Link
	tap     *wire.Tap // knows the session
	gate    gate
	servers []string
	session *zklock.Session
}

// newClient returns a client whose session's timeout is the given one, or up to a half
// more.
func newClient(number int, timeout time.Duration, servers ...string) (*client, error) {
	began := time.Now()
	clock := func() int64 { return time.Since(began).Microseconds() }
	c := &client{number: number, servers: servers, tap: wire.NewTap("", number, clock, func(event.Event) {})}
	timeout += timeout * time.Duration(number%3) / 4
	c.link = link.New(link.Config{Observer: c.tap, Clock: clock})
	session, err := zklock.Dial(servers, timeout, zklock.WithDialer(c.link.Dial))
	if err != nil {
		c.link.Close()
		return nil, err
	}
	c.session = session
	return c, nil
}

// close ends the session and waits for all that belongs to it.
func (c *client) close(ctx context.Context) error {
	defer c.link.Close()
	if err := c.session.Close(ctx); err != nil {
		return fmt.Errorf("close client %d: %w", c.number, err)
	}
	return nil
}

// A gate stops a client's own code where it passes, as a pause of its process
// does. The zero gate is open.
type gate struct {
	mu   sync.Mutex
	shut chan struct{} // closed when the gate opens again; nil while it is open
}

func (g *gate) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut == nil {
		g.shut = make(chan struct{})
	}
}

func (g *gate) open() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shut != nil {
		close(g.shut)
		g.shut = nil
	}
}

// pass returns when the gate is open.
func (g *gate) pass() {
	g.mu.Lock()
	shut := g.shut
	g.mu.Unlock()
	if shut != nil {
		<-shut
	}
}
