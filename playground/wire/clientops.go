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

// SequenceDigits is how many digits the server adds to the path of a sequential znode.
const SequenceDigits = 10

// Sequence returns those digits, of a path or a name.
func Sequence(node string) string { return node[max(0, len(node)-SequenceDigits):] }

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
func (c *Client) CreateNode(ctx context.Context, n NewNode) (made string, err error) {
	request := newRequest(n.opcode()).string(n.Path).buffer(n.Data).acl(n.ACL).int32(int32(n.Mode))
	if n.opcode() == opCreateTTL {
		request.int64(n.TTL)
	}
	err = c.do(ctx, request, n.Path, nil, func(r *reader) {
		made = r.string()
		r.rest = nil // the newer operations add a Stat
	})
	return made, err
}

// DeleteVersion removes a znode if it has the version.
func (c *Client) DeleteVersion(ctx context.Context, path string, version int32) error {
	return c.do(ctx, newRequest(opDelete).string(path).int32(version), path, nil, nil)
}

// DeleteNodes removes znodes of any version, in one transaction: all or none.
func (c *Client) DeleteNodes(ctx context.Context, paths []string) error {
	request := newRequest(opMulti)
	for _, path := range paths {
		request.int32(int32(opDelete)).bool(false).int32(-1)
		request.string(path).int32(AnyVersion)
	}
	request.int32(-1).bool(true).int32(-1)
	result := Frame{Request: &Frame{}}
	err := c.do(ctx, request, "", nil, func(r *reader) { result.readMultiReply(opMulti, r) })
	if err == nil && result.Code != OK {
		return fmt.Errorf("%s: %w", opMulti, result.Code)
	}
	return err
}

// SetData replaces a znode's data if it has the version.
func (c *Client) SetData(ctx context.Context, path string, data []byte, version int32) (stat Stat, err error) {
	request := newRequest(opSetData).string(path).buffer(data).int32(version)
	err = c.do(ctx, request, path, nil, func(r *reader) { stat = r.stat() })
	return stat, err
}

// GetACL returns who may do what with a znode.
func (c *Client) GetACL(ctx context.Context, path string) (acl []ACL, stat Stat, err error) {
	err = c.do(ctx, newRequest(opGetACL).string(path), path, nil, func(r *reader) { acl, stat = r.acl(), r.stat() })
	return acl, stat, err
}

// SetACL replaces a znode's ACL if that has the version.
func (c *Client) SetACL(ctx context.Context, path string, acl []ACL, version int32) (stat Stat, err error) {
	request := newRequest(opSetACL).string(path).acl(acl).int32(version)
	err = c.do(ctx, request, path, nil, func(r *reader) { stat = r.stat() })
	return stat, err
}

// AddAuth shows the server an identity of the session's owner. One that the server does
// not accept ends the connection, with Code AuthFailed. Told may be nil.
func (c *Client) AddAuth(ctx context.Context, scheme string, auth []byte, told Told) error {
	c.authMu.Lock() // the replies have no numbers
	defer c.authMu.Unlock()
	return c.do(ctx, newRequest(opAuth).int32(0).string(scheme).buffer(auth), "", told, nil)
}

// A ClientInfo is one of the identities that a session has.
type ClientInfo struct{ Scheme, User string }

// WhoAmI returns the identities of the session. It needs a server from 3.7 on.
func (c *Client) WhoAmI(ctx context.Context) (list []ClientInfo, err error) {
	err = c.do(ctx, newRequest(opWhoAmI), "", nil, func(r *reader) {
		list = make([]ClientInfo, r.count(8))
		for i := range list {
			list[i] = ClientInfo{Scheme: r.string(), User: r.string()}
		}
	})
	return list, err
}

// Ephemerals lists the session's ephemeral znodes whose path begins with prefix.
func (c *Client) Ephemerals(ctx context.Context, prefix string) (list []string, err error) {
	err = c.do(ctx, newRequest(opGetEphemerals).string(prefix), prefix, nil, func(r *reader) { list = r.strings() })
	return list, err
}

// AllChildrenNumber counts the znodes below a path, at every depth.
func (c *Client) AllChildrenNumber(ctx context.Context, path string) (n int, err error) {
	err = c.do(ctx, newRequest(opGetAllChildrenNumber).string(path), path, nil, func(r *reader) { n = int(r.int32()) })
	return n, err
}

// Reconfig changes the servers of the ensemble and returns the new configuration. Joining
// and leaving add and remove servers; members names all of them instead. Each may be empty.
func (c *Client) Reconfig(ctx context.Context, joining, leaving, members string, from int64) (config []byte, stat Stat, err error) {
	request := newRequest(opReconfig)
	for _, servers := range []string{joining, leaving, members} {
		if servers == "" {
			request.buffer(nil)
		} else {
			request.string(servers)
		}
	}
	err = c.do(ctx, request.int64(from), "", nil, func(r *reader) { config, stat = r.bytes(), r.stat() })
	return config, stat, err
}
