package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// disconnected is the session state before the first connection and between two.
const disconnected = "Disconnected"

// reportSession reports a change of the session, once.
func (c *Client) reportSession(state string) {
	c.reports.Lock()
	defer c.reports.Unlock()
	if state == c.session {
		return
	}
	c.session = state
	c.options.OnEvent(Event{State: state, Type: "None"})
}

func (c *Client) reportWatch(kind, path string) {
	c.reports.Lock()
	defer c.reports.Unlock()
	c.options.OnEvent(Event{State: "SyncConnected", Type: kind, Path: path})
}

// fired gets the events of the connection.
func (c *Client) fired(e wire.WatchEvent) {
	c.mu.Lock()
	awaited := c.watches.fire(e)
	c.mu.Unlock()
	if awaited {
		c.reportWatch(e.Type, e.Path)
	}
}

// Do makes a request on the connection that leaves no watch. An error that is not the
// server's is the loss of the connection, or the end of ctx. Errors of the server are a
// [wire.Code], also wrapped, and so is that loss, here and in the other methods. None of
// them looks at the paths, which the console has checked.
func (c *Client) Do(ctx context.Context, request func(*wire.Client) error) error {
	conn, err := c.connection(ctx)
	if err != nil {
		return err
	}
	err = request(conn)
	var code wire.Code
	switch {
	case err == nil || errors.As(err, &code):
		return err
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case c.State() == AuthFailed:
		return wire.AuthFailed
	}
	return fmt.Errorf("%w: %w", wire.ConnectionLoss, err)
}

// watching returns what gets the code of the reply to a request that leaves a watch on
// path: of one kind when it succeeds, and of the other when there is no such znode. It is
// nil if no watch is wanted.
func (c *Client) watching(watch bool, path string, success, noNode watchKind) wire.Told {
	if !watch {
		return nil
	}
	return func(code wire.Code) {
		c.mu.Lock()
		defer c.mu.Unlock()
		switch {
		case code == wire.OK:
			c.watches.add(success, path)
		case code == wire.NoNode && noNode != noWatch:
			c.watches.add(noNode, path)
		}
	}
}

// Create makes a znode and returns its path.
func (c *Client) Create(ctx context.Context, n wire.NewNode) (made string, err error) {
	err = c.Do(ctx, func(conn *wire.Client) error {
		made, err = conn.CreateNode(ctx, n)
		return err
	})
	return made, err
}

// Delete removes a znode of a version.
func (c *Client) Delete(ctx context.Context, path string, version int32) error {
	return c.Do(ctx, func(conn *wire.Client) error { return conn.DeleteVersion(ctx, path, version) })
}

// Exists returns a znode's Stat; with a watch it also waits for one that is not there.
func (c *Client) Exists(ctx context.Context, path string, watch bool) (stat wire.Stat, err error) {
	told := c.watching(watch, path, dataWatch, existsWatch)
	err = c.Do(ctx, func(conn *wire.Client) error {
		stat, err = conn.ExistsWatch(ctx, path, told)
		return err
	})
	return stat, err
}

// GetData returns a znode's data, nil for ZooKeeper's null.
func (c *Client) GetData(ctx context.Context, path string, watch bool) (data []byte, stat wire.Stat, err error) {
	told := c.watching(watch, path, dataWatch, noWatch)
	err = c.Do(ctx, func(conn *wire.Client) error {
		data, stat, err = conn.GetDataWatch(ctx, path, told)
		return err
	})
	return data, stat, err
}

// SetData replaces a znode's data.
func (c *Client) SetData(ctx context.Context, path string, data []byte, version int32) (stat wire.Stat, err error) {
	err = c.Do(ctx, func(conn *wire.Client) error {
		stat, err = conn.SetData(ctx, path, data, version)
		return err
	})
	return stat, err
}

// Children lists a znode's children, by name, in no order.
func (c *Client) Children(ctx context.Context, path string, watch bool) (names []string, stat wire.Stat, err error) {
	told := c.watching(watch, path, childrenWatch, noWatch)
	err = c.Do(ctx, func(conn *wire.Client) error {
		names, stat, err = conn.ChildrenWatch(ctx, path, told)
		return err
	})
	return names, stat, err
}

// Sync makes the server catch up with its leader.
func (c *Client) Sync(ctx context.Context, path string) error {
	return c.Do(ctx, func(conn *wire.Client) error { return conn.Sync(ctx, path) })
}

// AddAuth authenticates the session, now and after every reconnect.
// What the server does not accept ends the session.
func (c *Client) AddAuth(ctx context.Context, scheme string, data []byte) error {
	c.mu.Lock()
	c.auths = append(slices.Clip(c.auths), auth{scheme, data})
	c.mu.Unlock()
	err := c.Do(ctx, func(conn *wire.Client) error { return conn.AddAuth(ctx, scheme, data, c.authAnswered) })
	if errors.Is(err, wire.AuthFailed) {
		c.Abandon() // the server has ended the connection; the event has come when it returns
	}
	return err
}

func (c *Client) authAnswered(code wire.Code) {
	if code != wire.OK {
		c.become(AuthFailed)
	}
}

// AddWatch sets a watch that stays.
func (c *Client) AddWatch(ctx context.Context, path string, recursive bool) error {
	kind := persistentWatch
	if recursive {
		kind = recursiveWatch
	}
	told := c.watching(true, path, kind, noWatch)
	return c.Do(ctx, func(conn *wire.Client) error { return conn.AddWatchTold(ctx, path, recursive, told) })
}

// RemoveWatches removes the watches of a kind from a path. The error is Code NoWatcher
// when there is none.
func (c *Client) RemoveWatches(ctx context.Context, path string, kind wire.WatcherType, local bool) error {
	err := c.Do(ctx, func(conn *wire.Client) error { return conn.RemoveWatches(ctx, path, kind) })
	c.mu.Lock()
	has := c.watches.removable(path, kind)
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
		c.reportWatch(kind, path)
	}
	return nil
}
