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

// A Told learns the code of a reply when it arrives, before anything that the
// server sent after it: who keeps a list of its watches needs that order, or an
// event could come before its watch is on the list. It must not call the client.
type Told func(Code)

// GetDataWatch is [Client.GetData] that leaves a watch and tells of it, unless
// told is nil.
func (c *Client) GetDataWatch(ctx context.Context, path string, told Told) ([]byte, Stat, error) {
	r, err := c.read(ctx, opGetData, path, told)
	if err != nil {
		return nil, Stat{}, err
	}
	data, stat := r.bytes(), r.stat()
	return data, stat, failed("getData", path, r.finish())
}

// ChildrenWatch is [Client.Children] that leaves a watch and tells of it, unless
// told is nil.
func (c *Client) ChildrenWatch(ctx context.Context, path string, told Told) ([]string, Stat, error) {
	r, err := c.read(ctx, opGetChildren2, path, told)
	if err != nil {
		return nil, Stat{}, err
	}
	names, stat := r.strings(), r.stat()
	return names, stat, failed("getChildren", path, r.finish())
}

// ExistsWatch is [Client.Exists] that leaves a watch and tells of it, unless told
// is nil. With Code NoNode it leaves one, too, for the znode's creation.
func (c *Client) ExistsWatch(ctx context.Context, path string, told Told) (Stat, error) {
	r, err := c.read(ctx, opExists, path, told)
	if err != nil {
		return Stat{}, err
	}
	stat := r.stat()
	return stat, failed("exists", path, r.finish())
}

// read makes a request that asks for a path, with a watch for who is told of it.
func (c *Client) read(ctx context.Context, op opcode, path string, told Told) (*reader, error) {
	xid := c.nextXid()
	r, err := c.callTold(ctx, xid, newRequest(xid, op).string(path).bool(told != nil), told)
	return r, failed(op.String(), path, err)
}

// AddWatchTold is [Client.AddWatch] that tells of the reply, unless told is nil.
func (c *Client) AddWatchTold(ctx context.Context, path string, recursive bool, told Told) error {
	mode := int32(modePersistent)
	if recursive {
		mode = modePersistentRecursive
	}
	xid := c.nextXid()
	_, err := c.callTold(ctx, xid, newRequest(xid, opAddWatch).string(path).int32(mode), told)
	return failed("addWatch", path, err)
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
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opRemoveWatches).string(path).int32(int32(kind)))
	return failed("removeWatches", path, err)
}

// Watches are what a client watches, by what it asked.
type Watches struct {
	Data, Exists, Children, Persistent, Recursive []string
}

// SetWatches sets watches again that a former connection of the session had, all
// but those that have fired since the transaction since: their events come at once.
// All paths together must fit into a frame. A server before 3.6 refuses it.
func (c *Client) SetWatches(ctx context.Context, since int64, w Watches) error {
	request := newRequest(xidSetWatches, opSetWatches2).int64(since)
	request.strings(w.Data).strings(w.Exists).strings(w.Children).strings(w.Persistent).strings(w.Recursive)
	_, err := c.call(ctx, xidSetWatches, request)
	return failed("setWatches", "", err)
}
