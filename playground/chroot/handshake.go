package chroot

import (
	"fmt"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// open takes the frame that opens a connection. A client that wants a session that it
// cannot have gets its answer here: the server would cut the owner's connection.
func (c *Conn) open(f *wire.Frame, payload []byte) (server, client []byte, err error) {
	if f.Kind != wire.ConnectRequest {
		return nil, nil, fmt.Errorf("%w: %s", ErrProtocol, f.Why)
	}
	c.asked = f.Session
	password := string(f.Password)
	if f.Session != 0 {
		inner, known := c.config.Sessions.resume(c.root, f.Session, f.Password)
		if !known {
			return c.expired(f, "session "+wire.SessionHex(f.Session)+" was not opened here")
		}
		password = string(inner)
	}
	ahead, err := c.ahead(f.Zxid)
	if err != nil {
		return nil, nil, err
	}
	if ahead {
		return c.expired(f, "the client knows of transactions that the server has lost")
	}
	return f.Replace(payload, func(wire.FieldKind, string) string { return password }), nil, nil
}

// ahead says whether a client has seen a transaction that the server does not have.
func (c *Conn) ahead(seen int64) (bool, error) {
	if seen <= 0 || c.config.NewestZxid == nil {
		return false, nil
	}
	newest, err := c.config.NewestZxid()
	if err != nil {
		return false, fmt.Errorf("ask for the newest transaction: %w", err)
	}
	return seen > newest, nil
}

func (c *Conn) expired(f *wire.Frame, why string) (server, client []byte, err error) {
	c.config.Refused(Refusal{Op: event.OpConnect, Code: wire.SessionExpired, Why: why})
	return nil, wire.ExpiredFrame(f), fmt.Errorf("%w: %s", ErrExpired, why)
}

// granted takes the server's answer to the frame that opened the connection.
func (c *Conn) granted(f *wire.Frame, payload []byte) ([]byte, error) {
	if f.Session == 0 {
		c.config.Sessions.Forget(c.asked)
		same := f.Replace(payload, func(_ wire.FieldKind, password string) string { return password })
		return same, fmt.Errorf("%w: the server refuses session %s", ErrExpired, wire.SessionHex(c.asked))
	}
	c.session = f.Session
	password := c.config.Sessions.attach(c.root, f.Session, f.Password)
	return f.Replace(payload, func(wire.FieldKind, string) string { return string(password) }), nil
}
