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

// The modes of an addWatch request.
const (
	modePersistent          = 0
	modePersistentRecursive = 1
)

// watchModes and watcherTypes are their names in the log.
var (
	watchModes   = map[int32]string{modePersistent: "persistent", modePersistentRecursive: "recursive"}
	watcherTypes = map[int32]string{int32(ChildrenWatcher): "children", int32(DataWatcher): "data", int32(AnyWatcher): "any"}
)

// watchMode names the mode of an addWatch, and the type of a removeWatches.
func (f *Frame) watchMode() string {
	switch f.Op {
	case opNames[opAddWatch]:
		return watchModes[f.Mode]
	case opNames[opRemoveWatches]:
		return watcherTypes[f.Mode]
	default:
		return ""
	}
}

// A Told gets the code of a reply when it arrives, before anything that the server
// sent after it: a caller that keeps a list of its watches needs that order, or an
// event could come before its watch is on the list. It must not call the client.
type Told func(Code)

// GetDataWatch is [Client.GetData] that leaves a watch, unless told is nil.
func (c *Client) GetDataWatch(ctx context.Context, path string, told Told) (data []byte, stat Stat, err error) {
	err = c.read(ctx, opGetData, path, told, func(r *reader) { data, stat = r.bytes(), r.stat() })
	return data, stat, err
}

// ChildrenWatch is [Client.Children] that leaves a watch, unless told is nil.
func (c *Client) ChildrenWatch(ctx context.Context, path string, told Told) (names []string, stat Stat, err error) {
	err = c.read(ctx, opGetChildren2, path, told, func(r *reader) { names, stat = r.strings(), r.stat() })
	return names, stat, err
}

// ExistsWatch is [Client.Exists] that leaves a watch, unless told is nil. With Code
// NoNode it leaves one, too, for the znode's creation.
func (c *Client) ExistsWatch(ctx context.Context, path string, told Told) (stat Stat, err error) {
	err = c.read(ctx, opExists, path, told, func(r *reader) { stat = r.stat() })
	return stat, err
}

// read makes a request that reads a path, and watches it unless told is nil.
func (c *Client) read(ctx context.Context, op opcode, path string, told Told, read func(*reader)) error {
	return c.do(ctx, newRequest(op).string(path).bool(told != nil), path, told, read)
}

// AddWatchTold is [Client.AddWatch]; told, unless it is nil, gets the reply's code.
func (c *Client) AddWatchTold(ctx context.Context, path string, recursive bool, told Told) error {
	mode := int32(modePersistent)
	if recursive {
		mode = modePersistentRecursive
	}
	return c.do(ctx, newRequest(opAddWatch).string(path).int32(mode), path, told, nil)
}

// A WatcherType says which of a path's watches to remove.
type WatcherType int32

// The kinds of watches, by ZooKeeper's numbers.
const (
	ChildrenWatcher WatcherType = 1
	DataWatcher     WatcherType = 2
	AnyWatcher      WatcherType = 3
)

// RemoveWatches removes the session's watches of a kind from a path. The error is
// Code NoWatcher when there is none.
func (c *Client) RemoveWatches(ctx context.Context, path string, kind WatcherType) error {
	return c.do(ctx, newRequest(opRemoveWatches).string(path).int32(int32(kind)), path, nil, nil)
}

// Watches are what a client watches, by what it asked.
type Watches struct {
	Data, Exists, Children, Persistent, Recursive []string
}

// SetWatches sets watches again that a former connection of the session had, all
// but those that have fired since the transaction since: their events come at once.
// All paths together must fit into a frame. A server before 3.6 refuses it.
func (c *Client) SetWatches(ctx context.Context, since int64, w Watches) error {
	request := newRequest(opSetWatches2).int64(since)
	request.strings(w.Data).strings(w.Exists).strings(w.Children).strings(w.Persistent).strings(w.Recursive)
	return c.do(ctx, request, "", nil, nil)
}
