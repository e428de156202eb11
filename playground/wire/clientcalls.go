package wire

import (
	"context"
	"fmt"
)

// AddWatch sets a persistent watch on path, which stays when it fires; path
// need not exist. A recursive one covers all that is below path too, and
// reports what is created, deleted and changed, never NodeChildrenChanged. The
// watch ends with the connection, and what happens until it is set again on a
// new one is not reported.
func (c *Client) AddWatch(ctx context.Context, path string, recursive bool) error {
	return c.AddWatchTold(ctx, path, recursive, nil)
}

// Children lists the children of a znode, by name, in no order.
func (c *Client) Children(ctx context.Context, path string) ([]string, Stat, error) {
	return c.ChildrenWatch(ctx, path, nil)
}

// Exists returns a znode's Stat. The error is Code NoNode when there is none.
func (c *Client) Exists(ctx context.Context, path string) (Stat, error) {
	return c.ExistsWatch(ctx, path, nil)
}

// GetData returns a znode's data and Stat.
func (c *Client) GetData(ctx context.Context, path string) ([]byte, Stat, error) {
	return c.GetDataWatch(ctx, path, nil)
}

// Ping waits for the reply to a heartbeat.
func (c *Client) Ping(ctx context.Context) error {
	return c.do(ctx, newRequest(opPing), "", nil, nil)
}

// CloseSession ends the session, with all its ephemeral znodes, and then the
// client. When the connection is lost instead of answered, the error says so,
// and the session may be closed or not.
func (c *Client) CloseSession(ctx context.Context) error {
	defer c.Close()
	return c.do(ctx, newRequest(opCloseSession), "", nil, nil)
}

// Sync makes the client's server catch up with its leader. Every watch event of what that server had applied by then is handed
// over before Sync returns.
func (c *Client) Sync(ctx context.Context, path string) error {
	return c.do(ctx, newRequest(opSync).string(path), path, nil, nil)
}

// Create makes a persistent znode with empty data that everybody may use. The
// error is Code NodeExists when it is there already, NoNode when its parent is
// not.
func (c *Client) Create(ctx context.Context, path string) error {
	return c.create(ctx, path, Persistent)
}

// CreateEphemeral makes a znode as Create does, which ends with the session.
func (c *Client) CreateEphemeral(ctx context.Context, path string) error {
	return c.create(ctx, path, Ephemeral)
}

func (c *Client) create(ctx context.Context, path string, mode CreateMode) error {
	_, err := c.CreateNode(ctx, NewNode{Path: path, Data: []byte{}, ACL: OpenACL(), Mode: mode})
	return err
}

// Delete removes a znode of any version. The error is Code NoNode when there is
// none, NotEmpty when it has children.
func (c *Client) Delete(ctx context.Context, path string) error {
	return c.DeleteVersion(ctx, path, AnyVersion)
}

// Expire ends a session that belongs to another client, at once: it attaches to
// it and closes it. The server drops the owner's connection. An owner that
// connects again in between keeps the session, so hold its link meanwhile.
// Code SessionExpired says that the session is gone already, or the password
// is wrong: the server does not say which.
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
