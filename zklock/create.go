package zklock

import (
	"context"
	"errors"
	"path"
	"strings"

	"github.com/go-zookeeper/zk"
)

// errLostCreate says that a create has failed, as far as can be seen, and may
// be repeated.
var errLostCreate = errors.New("zklock: connection lost while creating the znode")

// A creation is the outcome of a create.
type creation struct {
	node  string
	token Token // 0 when the reply did not show it
	alone bool  // there was nobody else in the directory then
}

// create sends one create and finds out what became of it. With an error it
// returns the znode that may exist all the same.
func (a *acquisition) create(ctx context.Context) (place, *orphan, error) {
	if _, err := a.session.online(ctx); err != nil {
		return place{}, nil, err
	}
	p := place{guid: a.names.next()}
	a.session.tokens.expect(p.guid)
	defer a.session.tokens.take(p.guid)
	request := a.sendCreate(p.guid)
	made, err := request.wait(ctx)
	switch {
	case err == nil && ctx.Err() == nil:
		p.node, p.token, p.alone = made.node, made.token, made.alone
		return p, nil, nil
	case request.over() && answered(request.err):
		return place{}, nil, err
	case ctx.Err() == nil:
		return a.recover(ctx, p)
	default:
		return place{}, a.orphan(p, request), context.Cause(ctx)
	}
}

// sendCreate creates the znode, in one transaction with the question whether
// it is alone where the answer is likely to be yes.
func (a *acquisition) sendCreate(guid string) *call[creation] {
	name := path.Join(a.path, protectedName(guid, a.marker))
	version, fast := a.session.directories.claim(a.path)
	return start(a.session, func(c Client) (creation, error) {
		if fast && !a.config.textbook {
			if made, err := a.createAndCount(c, name, version); err == nil || !answered(err) {
				return made, err
			}
		}
		node, err := c.Create(name, a.config.data, zk.FlagEphemeralSequential, a.config.acl)
		return creation{node: node, token: a.session.tokens.take(guid)}, err
	})
}

// createAndCount creates the znode and writes nothing into the directory,
// which has nothing in it: the reply to that write is the directory's metadata
// as of this transaction. One child means that nobody is ahead. The version
// makes sure that nobody's data is overwritten.
func (a *acquisition) createAndCount(c Client, name string, version int32) (creation, error) {
	replies, err := c.Multi(
		&zk.CreateRequest{Path: name, Data: a.config.data, Acl: a.config.acl, Flags: zk.FlagEphemeralSequential},
		&zk.SetDataRequest{Path: a.path, Version: version},
	)
	if err == nil && (len(replies) != 2 || replies[1].Stat == nil) {
		err = errShortReply
	}
	if err != nil {
		a.session.directories.refused(a.path, err)
		return creation{}, err
	}
	stat := replies[1].Stat
	alone := stat.NumChildren == 1
	a.session.directories.wrote(a.path, stat, alone)
	return creation{node: replies[0].String, token: Token(stat.Mzxid), alone: alone}, nil
}

// errShortReply says that a transaction was not answered as it should be.
var errShortReply = errors.New("zklock: the reply to a transaction is incomplete")

// recover looks for the znode of a create that got no reply.
func (a *acquisition) recover(ctx context.Context, p place) (place, *orphan, error) {
	node, err := a.session.find(ctx, a.path, p.guid)
	switch {
	case err != nil:
		return place{}, a.orphan(p, nil), err
	case node == "":
		return place{}, a.orphan(p, nil), errLostCreate
	default:
		p.node, p.recovered = node, true
		return p, nil, nil
	}
}

// find returns the path of the znode in dir whose name carries guid, or "".
// The sync lets the server catch up first with a create that was sent through
// another one.
func (s *Session) find(ctx context.Context, dir, guid string) (string, error) {
	found, err := do(ctx, s, func(c Client) (listing, error) {
		if _, err := c.Sync(dir); err != nil {
			return listing{}, err
		}
		return s.listing(c, dir, false)
	})
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return "", err
	}
	for _, name := range found.children {
		if strings.HasPrefix(name, protection+guid+"-") {
			return path.Join(dir, name), nil
		}
	}
	return "", nil
}
