package chroot

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

var (
	// ErrExpired: the session that the client wants to resume is not one of this root, and
	// the client has got that answer.
	ErrExpired = errors.New("chroot: the session has expired, or was not opened here")
	// ErrProtocol: what arrived is no frame of ZooKeeper's protocol.
	ErrProtocol = errors.New("chroot: not ZooKeeper's protocol")
	// ErrOutside: the server has sent a path that is not below the root.
	ErrOutside = errors.New("chroot: a path from outside of the root")
)

// A server gives its notifications and its replies to pings these xids, whatever it was
// asked with.
const (
	xidOfNotifications = -1
	xidOfPings         = -2
)

// lengthPrefix is how many bytes of a frame say how long the rest is.
const lengthPrefix = 4

// ConnConfig is what a [Conn] is made of. Root and Sessions are needed.
type ConnConfig struct {
	// Root is the path that the client sees as "/". It is not created here.
	Root     string
	Sessions *Sessions
	Limits   Limits
	// NewestZxid returns the newest transaction of the server. A server closes the
	// connection of a client that has seen a newer one, without a word, whenever it
	// comes: that has happened if the server lost its data. With NewestZxid such a
	// client gets the answer that its session has expired. It may block.
	NewestZxid func() (int64, error)
	// Refused is called for each request that is refused. It must not block.
	Refused func(Refusal)
	// Now is time.Now unless set.
	Now func() time.Time
}

// A Conn rewrites the frames of one connection. It is for one goroutine at a time, and
// what it returns has to be sent in the order of its calls. After an error the
// connection cannot go on.
type Conn struct {
	config  ConnConfig
	root    root
	decoder *wire.Decoder
	budget  *budget
	pending []*pending // in the order of the requests
	opened  bool       // the client's first frame has come
	asked   int64      // the session that it wants to resume
	session int64      // what the server gave; 0 before that, and after its end
	ended   bool       // the client has closed its session
}

// pending is a request that the client has no reply to.
type pending struct {
	request *wire.Frame
	cost    cost
	answer  []byte // given here, not by the server
}

// NewConn returns a Conn for a new connection.
func NewConn(config ConnConfig) (*Conn, error) {
	r, err := newRoot(config.Root)
	if err != nil {
		return nil, err
	}
	if config.Limits.Znodes > 0 && config.Limits.CountZnodes == nil {
		return nil, errors.New("chroot: a limit of znodes takes CountZnodes")
	}
	if config.Refused == nil {
		config.Refused = func(Refusal) {}
	}
	if config.Now == nil {
		config.Now = time.Now
	}
	decoder := wire.NewDecoder()
	decoder.LocateFields = true
	return &Conn{config: config, root: r, decoder: decoder, budget: newBudget(config.Limits, config.Now)}, nil
}

// Asked returns the session that the client wants to resume; 0 is none.
func (c *Conn) Asked() int64 { return c.asked }

// Pending counts the requests that the client waits for.
func (c *Conn) Pending() int { return len(c.pending) }

// Ended says whether the client has closed its session.
func (c *Conn) Ended() bool { return c.ended }

// Close says that the connection has ended.
func (c *Conn) Close() {
	if c.session != 0 {
		c.config.Sessions.detach(c.session)
		c.session = 0
	}
}

// Wait is how long what Request has returned for the server is to wait, and the client's
// next frame with it, because the client asks for more than it may. It is a second at most.
func (c *Conn) Wait() time.Duration { return c.budget.wait }

// Request takes the client's next frame, with its length in front. It returns what is
// to be sent to the server and what to the client: each whole frames, or nothing. What
// comes with an error is to be sent nevertheless.
func (c *Conn) Request(frame []byte) (server, client []byte, err error) {
	payload := frame[lengthPrefix:]
	c.budget.wait = 0
	f := c.decoder.Request(payload)
	if !c.opened {
		c.opened = true
		return c.open(f, payload)
	}
	if f.Op == "" || f.Xid == xidOfNotifications || f.Op == event.OpPing && f.Xid != xidOfPings {
		return nil, nil, fmt.Errorf("%w: request with xid %d: %s", ErrProtocol, f.Xid, f.Why)
	}
	if answer := c.answer(f); answer != nil {
		c.decoder.Forget(f)
		c.pending = append(c.pending, &pending{request: f, answer: answer})
		return nil, c.flush(), nil
	}
	cost, code, why := c.budget.afford(f, len(frame))
	moved := f.Replace(payload, c.root.server)
	if code == wire.OK && len(moved)-lengthPrefix > maxFrame {
		c.budget.settle(&wire.Frame{Request: f, Code: wire.QuotaExceeded}, cost)
		code, why = wire.QuotaExceeded, "a request that is too long with the paths of the server"
	}
	if code != wire.OK {
		c.decoder.Forget(f)
		c.pending = append(c.pending, &pending{request: f, answer: c.refuse(f, code, why)})
		return nil, c.flush(), nil
	}
	c.pending = append(c.pending, &pending{request: f, cost: cost})
	return moved, nil, nil
}

// answer returns the reply to what is never asked of the server, else nil.
func (c *Conn) answer(f *wire.Frame) []byte {
	switch {
	case f.Kind == wire.Undecoded:
		return c.refuse(f, f.Refusal(), f.Why)
	case f.Op == event.OpReconfig:
		return c.refuse(f, wire.ReconfigDisabled, "a guest cannot reconfigure the server")
	case f.Op == event.OpSetACL && f.Path == slash:
		return c.refuse(f, wire.NoAuth, "the root's ACL is not the client's")
	case (f.Op == event.OpGetData || f.Op == event.OpExists) && f.Path == config:
		return wire.EmptyFrame(f)
	}
	return nil
}

func (c *Conn) refuse(f *wire.Frame, code wire.Code, why string) []byte {
	c.config.Refused(Refusal{Op: f.Op, Path: f.Path, Code: code, Why: why})
	return wire.ReplyFrame(f.Xid, code)
}

// flush returns the answers of which it is the turn.
func (c *Conn) flush() (client []byte) {
	for len(c.pending) > 0 && c.pending[0].answer != nil {
		client = append(client, c.pending[0].answer...)
		c.pending = slices.Delete(c.pending, 0, 1)
	}
	return client
}

// Reply takes the server's next frame, with its length in front, and returns what is
// to be sent to the client: whole frames, or nothing. What comes with an error is to
// be sent nevertheless.
func (c *Conn) Reply(frame []byte) (client []byte, err error) {
	payload := frame[lengthPrefix:]
	f := c.decoder.Reply(payload)
	switch f.Kind {
	case wire.ConnectResponse:
		return c.granted(f, payload)
	case wire.Notification:
		return c.notification(f, payload)
	case wire.Reply:
		return c.reply(f, payload)
	}
	return nil, fmt.Errorf("%w: from the server: %s", ErrProtocol, f.Why)
}

func (c *Conn) notification(f *wire.Frame, payload []byte) ([]byte, error) {
	if c.root.isNowhere(f.Path) {
		return nil, nil // of what the client has set again that was never there
	}
	if path, inside := c.root.client(f.Path); inside {
		c.budget.watches.fired(f.Type, path)
	}
	return c.toClient(f, payload)
}

func (c *Conn) reply(f *wire.Frame, payload []byte) ([]byte, error) {
	at := slices.IndexFunc(c.pending, func(p *pending) bool { return p.request == f.Request })
	c.budget.settle(f, c.pending[at].cost)
	c.pending = slices.Delete(c.pending, at, at+1)
	if f.Op == event.OpCloseSession {
		c.config.Sessions.Forget(c.session)
		c.session, c.ended = 0, true
	}
	client, err := c.toClient(f, payload)
	if err != nil {
		return nil, err
	}
	return append(client, c.flush()...), nil
}

// toClient puts the client's paths into a frame of the server.
func (c *Conn) toClient(f *wire.Frame, payload []byte) ([]byte, error) {
	var outside error
	moved := f.Replace(payload, func(_ wire.FieldKind, path string) string {
		moved, inside := c.root.client(path)
		if !inside {
			outside = fmt.Errorf("%w: %s", ErrOutside, f.Op)
		}
		return moved
	})
	if outside != nil {
		return nil, outside
	}
	return moved, nil
}

// multiParts are the operations that a request consists of, none if it is one itself.
func multiParts(f *wire.Frame) []event.SubOp {
	if f.Op == event.OpMulti || f.Op == event.OpMultiRead {
		return f.Ops
	}
	return nil
}
