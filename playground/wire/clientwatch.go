package wire

import "context"

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
