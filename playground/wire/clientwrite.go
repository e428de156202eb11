package wire

import "context"

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
	const (
		persistent = 0
		everything = 31 // ZooDefs.Perms.ALL
	)
	xid := c.nextXid()
	request := newRequest(xid, opCreate).string(path).bytes(nil)
	request.int32(1).int32(everything).string("world").string("anyone").int32(persistent)
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
