package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

var _ Session = (*Client)(nil)

// disconnected is the session state before the first connection and between two.
const disconnected = "Disconnected"

// tellSession tells of a change of the session, once.
func (c *Client) tellSession(state string) {
	c.telling.Lock()
	defer c.telling.Unlock()
	if state == c.session {
		return
	}
	c.session = state
	c.options.OnEvent(Event{State: state, Type: "None"})
}

func (c *Client) tellWatch(kind, path string) {
	c.telling.Lock()
	defer c.telling.Unlock()
	c.options.OnEvent(Event{State: "SyncConnected", Type: kind, Path: path})
}

// fired gets the events of the connection.
func (c *Client) fired(e wire.WatchEvent) {
	c.mu.Lock()
	awaited := c.watches.fire(e)
	c.mu.Unlock()
	if awaited {
		c.tellWatch(e.Type, e.Path)
	}
}

// do makes a request on the connection. An error that is not the server's is the loss
// of the connection, or the end of ctx.
func do[T any](ctx context.Context, c *Client, request func(*wire.Client) (T, error)) (T, error) {
	var nothing T
	conn, err := c.connection(ctx)
	if err != nil {
		return nothing, err
	}
	got, err := request(conn)
	var code wire.Code
	switch {
	case err == nil:
		return got, nil
	case errors.As(err, &code):
		return nothing, err
	case ctx.Err() != nil:
		return nothing, context.Cause(ctx)
	case c.State() == AuthFailed:
		return nothing, wire.AuthFailed
	}
	return nothing, fmt.Errorf("%w: %w", wire.ConnectionLoss, err)
}

// doOnly is do of a request that is answered by no more than success.
func doOnly(ctx context.Context, c *Client, request func(*wire.Client) error) error {
	_, err := do(ctx, c, func(conn *wire.Client) (struct{}, error) { return struct{}{}, request(conn) })
	return err
}

// An answer is data, or what else a request asks for, and the Stat that comes with it.
type answer[T any] struct {
	value T
	stat  wire.Stat
}

func answered[T any](value T, stat wire.Stat, err error) (answer[T], error) {
	return answer[T]{value, stat}, err
}

// watching is told of the reply to a request that leaves a watch on path: on success
// that is on the list. It is nil if no watch is wanted.
func (c *Client) watching(watch bool, path string, success, noNode func(*watches) paths) wire.Told {
	if !watch {
		return nil
	}
	return func(code wire.Code) {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case code == wire.OK:
			success(&c.watches).add(path)
		case code == wire.NoNode && noNode != nil:
			noNode(&c.watches).add(path)
		}
	}
}

func dataWatches(w *watches) paths       { return w.data }
func existsWatches(w *watches) paths     { return w.exists }
func childrenWatches(w *watches) paths   { return w.children }
func persistentWatches(w *watches) paths { return w.persistent }
func recursiveWatches(w *watches) paths  { return w.recursive }

// Create makes a znode and returns its path.
func (c *Client) Create(ctx context.Context, n wire.NewNode) (string, error) {
	return do(ctx, c, func(conn *wire.Client) (string, error) { return conn.CreateNode(ctx, n) })
}

// Delete removes a znode of a version.
func (c *Client) Delete(ctx context.Context, path string, version int32) error {
	return doOnly(ctx, c, func(conn *wire.Client) error { return conn.DeleteVersion(ctx, path, version) })
}

// DeleteNodes removes all the znodes or none.
func (c *Client) DeleteNodes(ctx context.Context, list []string) error {
	return doOnly(ctx, c, func(conn *wire.Client) error { return conn.DeleteNodes(ctx, list) })
}

// Exists returns a znode's Stat; with a watch it also waits for one that is not there.
func (c *Client) Exists(ctx context.Context, path string, watch bool) (wire.Stat, error) {
	told := c.watching(watch, path, dataWatches, existsWatches)
	return do(ctx, c, func(conn *wire.Client) (wire.Stat, error) { return conn.ExistsWatch(ctx, path, told) })
}

// GetData returns a znode's data, nil for ZooKeeper's null.
func (c *Client) GetData(ctx context.Context, path string, watch bool) ([]byte, wire.Stat, error) {
	told := c.watching(watch, path, dataWatches, nil)
	got, err := do(ctx, c, func(conn *wire.Client) (answer[[]byte], error) {
		return answered(conn.GetDataWatch(ctx, path, told))
	})
	return got.value, got.stat, err
}

// SetData replaces a znode's data.
func (c *Client) SetData(ctx context.Context, path string, data []byte, version int32) (wire.Stat, error) {
	return do(ctx, c, func(conn *wire.Client) (wire.Stat, error) { return conn.SetData(ctx, path, data, version) })
}

// Children lists a znode's children, by name, in no order.
func (c *Client) Children(ctx context.Context, path string, watch bool) ([]string, wire.Stat, error) {
	told := c.watching(watch, path, childrenWatches, nil)
	got, err := do(ctx, c, func(conn *wire.Client) (answer[[]string], error) {
		return answered(conn.ChildrenWatch(ctx, path, told))
	})
	return got.value, got.stat, err
}

// AllChildrenNumber counts what is below a znode.
func (c *Client) AllChildrenNumber(ctx context.Context, path string) (int, error) {
	return do(ctx, c, func(conn *wire.Client) (int, error) { return conn.AllChildrenNumber(ctx, path) })
}

// Ephemerals lists the session's ephemeral znodes that begin with a prefix.
func (c *Client) Ephemerals(ctx context.Context, prefix string) ([]string, error) {
	return do(ctx, c, func(conn *wire.Client) ([]string, error) { return conn.Ephemerals(ctx, prefix) })
}

// Sync makes the server catch up with its leader.
func (c *Client) Sync(ctx context.Context, path string) error {
	return doOnly(ctx, c, func(conn *wire.Client) error { return conn.Sync(ctx, path) })
}

// GetACL returns who may do what with a znode.
func (c *Client) GetACL(ctx context.Context, path string) ([]wire.ACL, wire.Stat, error) {
	got, err := do(ctx, c, func(conn *wire.Client) (answer[[]wire.ACL], error) {
		return answered(conn.GetACL(ctx, path))
	})
	return got.value, got.stat, err
}

// SetACL replaces a znode's ACL.
func (c *Client) SetACL(ctx context.Context, path string, acl []wire.ACL, version int32) (wire.Stat, error) {
	return do(ctx, c, func(conn *wire.Client) (wire.Stat, error) { return conn.SetACL(ctx, path, acl, version) })
}

// AddAuth shows the server who the session belongs to, now and after every reconnect.
// What the server does not accept ends the session.
func (c *Client) AddAuth(ctx context.Context, scheme string, data []byte) error {
	c.mu.Lock()
	c.auths = append(slices.Clip(c.auths), auth{scheme, data})
	c.mu.Unlock()
	err := doOnly(ctx, c, func(conn *wire.Client) error { return conn.AddAuth(ctx, scheme, data, c.authAnswered) })
	if errors.Is(err, wire.AuthFailed) {
		c.Abandon() // the server has ended the connection; the event is told when it returns
	}
	return err
}

func (c *Client) authAnswered(code wire.Code) {
	if code != wire.OK {
		c.become(AuthFailed)
	}
}

// WhoAmI returns who the server takes the session for.
func (c *Client) WhoAmI(ctx context.Context) ([]wire.ClientInfo, error) {
	return do(ctx, c, func(conn *wire.Client) ([]wire.ClientInfo, error) { return conn.WhoAmI(ctx) })
}

// AddWatch sets a watch that stays.
func (c *Client) AddWatch(ctx context.Context, path string, recursive bool) error {
	list := persistentWatches
	if recursive {
		list = recursiveWatches
	}
	told := c.watching(true, path, list, nil)
	return doOnly(ctx, c, func(conn *wire.Client) error { return conn.AddWatchTold(ctx, path, recursive, told) })
}

// RemoveWatches removes the watches of a kind from a path. The error is Code NoWatcher
// when there is none.
func (c *Client) RemoveWatches(ctx context.Context, path string, kind wire.WatcherType, local bool) error {
	err := doOnly(ctx, c, func(conn *wire.Client) error { return conn.RemoveWatches(ctx, path, kind) })
	c.mu.Lock()
	has := c.watches.has(path, kind)
	var removed []string
	if has && (local || err == nil) {
		removed = c.watches.remove(path, kind)
	}
	c.mu.Unlock()
	switch {
	case !has:
		return wire.NoWatcher
	case len(removed) == 0:
		return err
	}
	for _, kind := range removed {
		c.tellWatch(kind, path)
	}
	return nil
}

// Reconfig changes the servers of the ensemble.
func (c *Client) Reconfig(ctx context.Context, joining, leaving, members string, from int64) ([]byte, wire.Stat, error) {
	got, err := do(ctx, c, func(conn *wire.Client) (answer[[]byte], error) {
		return answered(conn.Reconfig(ctx, joining, leaving, members, from))
	})
	return got.value, got.stat, err
}
