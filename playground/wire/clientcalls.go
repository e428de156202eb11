package wire

import (
	"context"
	"fmt"
)

// The modes of an addWatch request.
const (
	modePersistent          = 0
	modePersistentRecursive = 1
)

// AddWatch sets a persistent watch on path, which stays when it fires; path
// need not exist. A recursive one covers all that is below path too, and
// reports what is created, deleted and changed, never NodeChildrenChanged. The
// watch ends with the connection, and what happens until it is set again on a
// new one is not reported.
func (c *Client) AddWatch(ctx context.Context, path string, recursive bool) error {
	mode := int32(modePersistent)
	if recursive {
		mode = modePersistentRecursive
	}
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opAddWatch).string(path).int32(mode))
	return failed("addWatch", path, err)
}

// Children lists the children of a znode, by name, in no order.
func (c *Client) Children(ctx context.Context, path string) ([]string, Stat, error) {
	r, err := c.read(ctx, opGetChildren2, path)
	if err != nil {
		return nil, Stat{}, err
	}
	names, stat := r.strings(), r.stat()
	return names, stat, failed("getChildren", path, r.finish())
}

// Exists returns a znode's Stat. The error is Code NoNode when there is none.
func (c *Client) Exists(ctx context.Context, path string) (Stat, error) {
	r, err := c.read(ctx, opExists, path)
	if err != nil {
		return Stat{}, err
	}
	stat := r.stat()
	return stat, failed("exists", path, r.finish())
}

// GetData returns a znode's data and Stat.
func (c *Client) GetData(ctx context.Context, path string) ([]byte, Stat, error) {
	r, err := c.read(ctx, opGetData, path)
	if err != nil {
		return nil, Stat{}, err
	}
	data, stat := r.bytes(), r.stat()
	return data, stat, failed("getData", path, r.finish())
}

// Ping asks for a sign of life.
func (c *Client) Ping(ctx context.Context) error {
	_, err := c.call(ctx, xidPing, newRequest(xidPing, opPing))
	return failed("ping", "", err)
}

// CloseSession ends the session, with all its ephemeral znodes, and then the
// client. When the connection is lost instead of answered, the error says so,
// and the session may be closed or not.
func (c *Client) CloseSession(ctx context.Context) error {
	defer c.Close()
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opCloseSession))
	return failed("closeSession", "", err)
}

// read makes a request that asks for a path without leaving a watch.
func (c *Client) read(ctx context.Context, op opcode, path string) (*reader, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, op).string(path).bool(false))
	return r, failed(op.String(), path, err)
}

func (c *Client) nextXid() int32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.xid++
	return c.xid
}

func failed(what, path string, err error) error {
	switch {
	case err == nil:
		return nil
	case path == "":
		return fmt.Errorf("%s: %w", what, err)
	}
	return fmt.Errorf("%s %s: %w", what, path, err)
}

// Sync makes the server that the client is connected to catch up with its
// leader. Every watch event of what that server had applied by then is handed
// over before Sync returns.
func (c *Client) Sync(ctx context.Context, path string) error {
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opSync).string(path))
	return failed("sync", path, err)
}

// Create makes a persistent znode without data that everybody may use. The
// error is Code NodeExists when it is there already, NoNode when its parent is
// not.
func (c *Client) Create(ctx context.Context, path string) error {
	return c.create(ctx, path, persistent)
}

// CreateEphemeral makes a znode as Create does, which ends with the session.
func (c *Client) CreateEphemeral(ctx context.Context, path string) error {
	return c.create(ctx, path, ephemeral)
}

// The flags of a create request.
const (
	persistent = 0
	ephemeral  = 1
)

func (c *Client) create(ctx context.Context, path string, flags int32) error {
	const everything = 31 // ZooDefs.Perms.ALL
	xid := c.nextXid()
	request := newRequest(xid, opCreate).string(path).bytes(nil)
	request.int32(1).int32(everything).string("world").string("anyone").int32(flags)
	_, err := c.call(ctx, xid, request)
	return failed("create", path, err)
}

// Delete removes a znode of any version. The error is Code NoNode when there is
// none, NotEmpty when it has children.
func (c *Client) Delete(ctx context.Context, path string) error {
	const anyVersion = -1
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opDelete).string(path).int32(anyVersion))
	return failed("delete", path, err)
}

// Expire ends a session that belongs to somebody else, at once: it attaches to
// it and closes it. The server drops the owner's connection. An owner that
// connects again in between keeps the session, so hold its link meanwhile.
// Code SessionExpired says that the session is gone already, or the password
// is wrong: the server does not tell which.
func Expire(ctx context.Context, addr string, sessionID int64, password []byte) error {
	c, err := Dial(ctx, addr, Options{SessionID: sessionID, Password: password})
	if err == nil {
		err = c.CloseSession(ctx)
	}
	if err != nil {
		return fmt.Errorf("expire session %s: %w", SessionHex(sessionID), err)
	}
	return nil
}
