package guests

import (
	"context"
	"errors"
	"fmt"
	"net"
	"regexp"
	"sync"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
)

// ErrName is returned for a name that a guest cannot have.
var ErrName = errors.New("not a name for a guest")

// mostNames is how many names a room has ports for.
const mostNames = 20

var goodName = regexp.MustCompile(`^[\pL\pN]([\pL\pN ._-]{0,38}[\pL\pN])?$`)

// A name has a port of its own, so that all connections there are of one guest: nothing that a
// client sends when it connects would say so.
type name struct {
	name     string
	listener net.Listener
	turn     chan struct{} // is full while a connection has the guest

	mu    sync.Mutex
	tells bool // there is a dialogue that tells what the guest believes
}

func (n *name) leave() { <-n.turn }

// tell notes whether a dialogue tells from here on what the guest of the name believes, which is
// nil if it takes part in no run. It fails if another one does.
func (n *name) tell(on bool, guest *client.Guest) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if on && n.tells {
		return fmt.Errorf("%w: another connection tells what %s believes", client.ErrConnected, n.name)
	}
	n.tells = on
	if guest != nil {
		guest.SetTells(on)
	}
	return nil
}

// joined notes that the guest of the name takes part.
func (n *name) joined(guest *client.Guest) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.tells {
		guest.SetTells(true)
	}
}

// called returns the name's port, and opens it until life ends if it has none.
func (d *door) called(life context.Context, called string) (*name, error) {
	if !goodName.MatchString(called) {
		return nil, fmt.Errorf("%w: %q; expected 1 to 40 letters, digits, spaces, dots, dashes and underscores, with a letter or digit at each end", ErrName, called)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if known := d.names[called]; known != nil {
		return known, nil
	}
	if len(d.names) == mostNames {
		return nil, fmt.Errorf("%w: the room has %d names already", ErrName, mostNames)
	}
	listener, err := d.server.open()
	if err != nil {
		return nil, err
	}
	n := &name{name: called, listener: listener, turn: make(chan struct{}, 1)}
	d.names[called] = n
	d.serving.Go(func() {
		if err := d.listen(life, listener, n); err != nil {
			d.server.config.Log.Warn("a name takes no more connections", "room", d.place.Name(), "name", called, "error", err)
		}
	})
	return n, nil
}

// listeners are those of the room and of its names.
func (d *door) listeners() []net.Listener {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := []net.Listener{d.listener}
	for _, n := range d.names {
		all = append(all, n.listener)
	}
	return all
}

// open returns a listener for a name.
func (s *Server) open() (net.Listener, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.next()
}

// awaitTurn waits until no other connection has the name: the one before may be about to end.
// One that goes on with a session takes the place of that as it does at a server.
func (c *connection) awaitTurn(ctx context.Context, who chroot.Guest) error {
	if c.name == nil || who.Session != 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, awaitTimeout)
	defer cancel()
	select {
	case c.name.turn <- struct{}{}:
		c.mu.Lock()
		defer c.mu.Unlock()
		c.turn = true
		return nil
	case <-ctx.Done():
		return fmt.Errorf("%w: two programs cannot both be %s", client.ErrConnected, c.name.name)
	}
}
