package wire

import (
	"context"
	"fmt"
)

// Perms are the rights that an entry of an ACL gives.
type Perms int32

// The rights, by ZooKeeper's numbers.
const (
	PermRead Perms = 1 << iota
	PermWrite
	PermCreate
	PermDelete
	PermAdmin
	PermAll = PermRead | PermWrite | PermCreate | PermDelete | PermAdmin
)

// An ACL is one entry of a znode's list of who may do what.
type ACL struct {
	Perms      Perms
	Scheme, ID string
}

// EverybodyReads says whether the entry lets everybody read.
func (a ACL) EverybodyReads() bool {
	return a.Scheme == "world" && a.ID == "anyone" && a.Perms&PermRead != 0
}

// OpenACL lets everybody do everything.
func OpenACL() []ACL { return []ACL{{PermAll, "world", "anyone"}} }

// A CreateMode says what kind of znode to create.
type CreateMode int32

// The kinds, by ZooKeeper's numbers.
const (
	Persistent CreateMode = iota
	Ephemeral
	PersistentSequential
	EphemeralSequential
	Container
	PersistentWithTTL
	PersistentSequentialWithTTL
)

// AnyVersion is the version that every znode has.
const AnyVersion = -1

// A NewNode is a znode to create.
type NewNode struct {
	Path string
	Data []byte // nil is ZooKeeper's null, which is not the empty data
	ACL  []ACL
	Mode CreateMode
	TTL  int64 // in milliseconds, for the modes that have one
}

// opcode returns the operation for the mode: the newer ones have their own.
func (n NewNode) opcode() opcode {
	switch n.Mode {
	case Container:
		return opCreateContainer
	case PersistentWithTTL, PersistentSequentialWithTTL:
		return opCreateTTL
	default:
		return opCreate
	}
}

// CreateNode makes a znode and returns its path, which for a sequential one ends
// with the number that the server gave it.
func (c *Client) CreateNode(ctx context.Context, n NewNode) (string, error) {
	xid := c.nextXid()
	request := newRequest(xid, n.opcode()).string(n.Path).buffer(n.Data).acl(n.ACL).int32(int32(n.Mode))
	if n.opcode() == opCreateTTL {
		request.int64(n.TTL)
	}
	r, err := c.call(ctx, xid, request)
	if err != nil {
		return "", failed("create", n.Path, err)
	}
	made := r.string() // the newer operations add a Stat
	return made, failed("create", n.Path, r.err)
}

// DeleteVersion removes a znode if it has the version.
func (c *Client) DeleteVersion(ctx context.Context, path string, version int32) error {
	xid := c.nextXid()
	_, err := c.call(ctx, xid, newRequest(xid, opDelete).string(path).int32(version))
	return failed("delete", path, err)
}

// DeleteNodes removes znodes of any version, in one transaction: all or none.
func (c *Client) DeleteNodes(ctx context.Context, paths []string) error {
	xid := c.nextXid()
	request := newRequest(xid, opMulti)
	for _, path := range paths {
		request.int32(int32(opDelete)).bool(false).int32(-1)
		request.string(path).int32(AnyVersion)
	}
	request.int32(-1).bool(true).int32(-1)
	r, err := c.call(ctx, xid, request)
	if err != nil {
		return failed("multi", "", err)
	}
	result := Frame{Request: &Frame{}}
	result.readMultiReply(opMulti, r)
	if r.err != nil {
		return fmt.Errorf("multi: %w", r.err)
	}
	return failed("multi", "", result.Code.err())
}

// SetData replaces a znode's data if it has the version.
func (c *Client) SetData(ctx context.Context, path string, data []byte, version int32) (Stat, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opSetData).string(path).buffer(data).int32(version))
	if err != nil {
		return Stat{}, failed("setData", path, err)
	}
	return r.stat(), failed("setData", path, r.finish())
}

// GetACL returns who may do what with a znode.
func (c *Client) GetACL(ctx context.Context, path string) ([]ACL, Stat, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opGetACL).string(path))
	if err != nil {
		return nil, Stat{}, failed("getACL", path, err)
	}
	acl, stat := r.acl(), r.stat()
	return acl, stat, failed("getACL", path, r.finish())
}

// SetACL replaces a znode's ACL if that has the version.
func (c *Client) SetACL(ctx context.Context, path string, acl []ACL, version int32) (Stat, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opSetACL).string(path).acl(acl).int32(version))
	if err != nil {
		return Stat{}, failed("setACL", path, err)
	}
	return r.stat(), failed("setACL", path, r.finish())
}

// AddAuth shows the server who the session belongs to, and tells of the reply unless
// told is nil. One that the server does not accept ends the connection, with Code
// AuthFailed.
func (c *Client) AddAuth(ctx context.Context, scheme string, auth []byte, told Told) error {
	c.authMu.Lock() // the replies have no numbers
	defer c.authMu.Unlock()
	request := newRequest(xidAuth, opAuth).int32(0).string(scheme).buffer(auth)
	_, err := c.callTold(ctx, xidAuth, request, told)
	return failed("auth", "", err)
}

// A ClientInfo is one of the identities that a session has.
type ClientInfo struct{ Scheme, User string }

// WhoAmI returns who the server takes the session for. It needs a server from 3.7 on.
func (c *Client) WhoAmI(ctx context.Context) ([]ClientInfo, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opWhoAmI))
	if err != nil {
		return nil, failed("whoAmI", "", err)
	}
	list := make([]ClientInfo, r.count(8))
	for i := range list {
		list[i] = ClientInfo{Scheme: r.string(), User: r.string()}
	}
	return list, failed("whoAmI", "", r.finish())
}

// Ephemerals lists the session's ephemeral znodes whose path begins with prefix.
func (c *Client) Ephemerals(ctx context.Context, prefix string) ([]string, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opGetEphemerals).string(prefix))
	if err != nil {
		return nil, failed("getEphemerals", prefix, err)
	}
	return r.strings(), failed("getEphemerals", prefix, r.finish())
}

// AllChildrenNumber counts the znodes below a path, at every depth.
func (c *Client) AllChildrenNumber(ctx context.Context, path string) (int, error) {
	xid := c.nextXid()
	r, err := c.call(ctx, xid, newRequest(xid, opGetAllChildrenNumber).string(path))
	if err != nil {
		return 0, failed("getAllChildrenNumber", path, err)
	}
	return int(r.int32()), failed("getAllChildrenNumber", path, r.finish())
}

// Reconfig changes the servers of the ensemble and returns the new configuration. Joining
// and leaving add and remove servers, members names all of them instead; an empty one is
// not meant.
func (c *Client) Reconfig(ctx context.Context, joining, leaving, members string, from int64) ([]byte, Stat, error) {
	xid := c.nextXid()
	request := newRequest(xid, opReconfig)
	for _, servers := range []string{joining, leaving, members} {
		if servers == "" {
			request.buffer(nil)
		} else {
			request.string(servers)
		}
	}
	r, err := c.call(ctx, xid, request.int64(from))
	if err != nil {
		return nil, Stat{}, failed("reconfig", "", err)
	}
	config, stat := r.bytes(), r.stat()
	return config, stat, failed("reconfig", "", r.finish())
}
