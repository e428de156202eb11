package zklock

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-zookeeper/zk"
)

// The requests that a lock makes in the ordinary course of things. Each knows
// its bytes, so that the connection can send it without go-zookeeper's detour
// over three goroutines, and how go-zookeeper would be asked the same.

// deleteRequest deletes a znode of any version.
func deleteRequest(node string) request[struct{}] {
	return request[struct{}]{
		frame: newFrame(opDelete, node).int32(-1).direct(node),
		read:  func(*reply) (none struct{}, err error) { return none, nil },
		by:    func(c Client) (none struct{}, err error) { return none, c.Delete(node, -1) },
	}
}

// createRequest creates an ephemeral sequential znode. By go-zookeeper, during
// finds out with what zxid.
func createRequest(name string, data []byte, acl []zk.ACL, during func(create func() (string, error)) (string, Token, error)) request[creation] {
	return request[creation]{
		frame: newFrame(opCreate, name).bytes(data).acl(acl).int32(zk.FlagEphemeralSequential).direct(name),
		read: func(r *reply) (creation, error) {
			return creation{node: r.text(), token: Token(r.zxid)}.of(name, r.complete())
		},
		by: func(c Client) (creation, error) {
			node, token, err := during(func() (string, error) { return c.Create(name, data, zk.FlagEphemeralSequential, acl) })
			return creation{node: node, token: token}.of(name, err)
		},
	}
}

// containerRequest creates a container. It goes past go-zookeeper where it can
// also because that reads the reply to a request that has failed, which may be
// arriving just then.
func containerRequest(dir string, acl []zk.ACL) request[struct{}] {
	return request[struct{}]{
		frame: newFrame(opContainer, dir).bytes(nil).acl(acl).int32(zk.FlagContainer).direct(dir),
		read:  func(*reply) (none struct{}, err error) { return none, nil },
		by: func(c Client) (none struct{}, err error) {
			_, err = c.CreateContainer(dir, nil, zk.FlagContainer, acl)
			return none, err
		},
	}
}

// errNotOurs says that a reply tells of another znode than was asked for. What
// became of the request is not known then.
var errNotOurs = errors.New("zklock: the reply to a create is another one's")

// of returns the creation if it is one that name was asked for.
func (made creation) of(name string, err error) (creation, error) {
	if err == nil && !strings.HasPrefix(made.node, name) {
		err = errNotOurs
	}
	if err != nil {
		return creation{}, err
	}
	return made, nil
}

// A counted is a znode that was made, and the metadata of its directory then.
type counted struct {
	node string
	stat *zk.Stat
}

// countRequest creates an ephemeral sequential znode, and in the same
// transaction writes nothing into its directory, whose data has the version.
func countRequest(name string, data []byte, acl []zk.ACL, dir string, version int32) request[counted] {
	frame := newFrame(opMulti).int32(opCreate).bool(false).int32(-1).
		text(name).bytes(data).acl(acl).int32(zk.FlagEphemeralSequential).
		int32(opSetData).bool(false).int32(-1).
		text(dir).bytes(nil).int32(version).
		int32(-1).bool(true).int32(-1)
	return request[counted]{
		frame: frame.direct(name),
		read:  readCounted,
		by: func(c Client) (counted, error) {
			replies, err := c.Multi(
				&zk.CreateRequest{Path: name, Data: data, Acl: acl, Flags: zk.FlagEphemeralSequential},
				&zk.SetDataRequest{Path: dir, Version: version})
			if err != nil {
				return counted{}, err
			}
			if len(replies) != 2 || replies[1].Stat == nil {
				return counted{}, errShortReply
			}
			return counted{replies[0].String, replies[1].Stat}, nil
		},
	}
}

// readCounted reads the results of the two operations. Of a transaction that
// failed every operation has an error, and the first that is not 0 says why.
func readCounted(r *reply) (made counted, err error) {
	for {
		op, done, _ := r.int32(), r.bool(), r.int32()
		switch {
		case r.short:
			return counted{}, errShortReply
		case done && err == nil && made.stat == nil:
			return counted{}, errShortReply
		case done:
			return made, err
		case op == opCreate:
			made.node = r.text()
		case op == opDelete:
		case op == opSetData:
			made.stat = r.stat()
		case op == opError:
			if code := r.int32(); err == nil {
				err = codeError(code)
			}
		default:
			return counted{}, fmt.Errorf("%w: it has an operation %d", errShortReply, op)
		}
	}
}

// dataWatchRequest reads a znode's data and watches it: unlike exists, that leaves
// no watch when there is no such znode.
func dataWatchRequest(node string, found func(<-chan zk.Event)) request[<-chan zk.Event] {
	return request[<-chan zk.Event]{
		frame: newFrame(opGetData, node).bool(true).direct(node),
		read: func(r *reply) (<-chan zk.Event, error) {
			event := r.conn.watchers.add(node, false)
			found(event)
			return event, nil
		},
		by: func(c Client) (<-chan zk.Event, error) {
			_, _, event, err := c.GetW(node)
			if err == nil {
				found(event)
			}
			return event, err
		},
	}
}

// listRequest reads the children of a directory, but for those behind the number
// last. By go-zookeeper, list does. A brief one does without the directory's
// metadata: an answer with them goes through the server's cache of listings,
// which costs it time, and is of no use where the queue changes all the while.
func listRequest(dir string, last int32, brief bool, list func(Client) (listing, error)) request[listing] {
	keep := func(name []byte) bool { return !isBehind(name, last) }
	op := int32(opGetChildren2)
	if brief {
		op = opGetChildren
	}
	return request[listing]{
		frame: newFrame(op, dir).bool(false).direct(dir),
		read: func(r *reply) (listing, error) {
			if r.cut {
				return listing{}, ErrTooManyWaiters
			}
			children, all := r.texts(keep)
			l := listing{children: children, all: all}
			if !brief {
				l.stat = r.stat()
			}
			return l, r.complete()
		},
		by: list,
	}
}
