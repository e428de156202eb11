package zklock

import (
	"context"
	"errors"
	"github.com/zkplayground/zkplayground/zklock/internal/mechanism"
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
	var p place
	p.guid, p.before = a.names.next()
	request, err := a.sendCreate(ctx, p)
	switch {
	case err == nil && ctx.Err() == nil:
		made := request.value
		p.node, p.token, p.alone = made.node, made.token, made.alone
		return p, nil, nil
	case request.over() && answered(request.err):
		return place{}, nil, err
	case ctx.Err() == nil:
		return a.recover(ctx, p)
	default:
		return place{}, a.orphan(p, request), interrupted(ctx)
	}
}

// sendCreate creates the znode. Where that is likely to be alone, its number is to
// show it, or the same transaction finds out. It returns the request that decides,
// with its error, or with the cause of ctx if that ends first.
func (a *acquisition) sendCreate(ctx context.Context, p place) (*call[creation], error) {
	name := childOf(a.path, protectedName(p.guid, a.marker))
	a.byNumber = a.goesByNumber(p.before)
	if version, fast := a.session.directories.claim(a.path); fast && !a.config.without.Has(mechanism.OneTransaction) && !a.config.textbook && !a.byNumber {
		request := send(a.session, a.createAndCount(name, version))
		_, err := request.wait(ctx)
		if err == nil || !request.over() {
			return request, err
		}
		a.session.directories.refused(a.path, err)
		if !answered(err) {
			return request, err
		}
	}
	a.foresee()
	request := a.sendForeseeing(createRequest(name, a.config.data, a.config.acl, func(create func() (string, error)) (string, Token, error) {
		return a.session.tokens.during(p.guid, create)
	}))
	_, err := request.wait(ctx)
	return request, err
}

// createAndCount creates the znode and writes nothing into the directory,
// which has nothing in it: the reply to that write is the directory's metadata
// as of this transaction. One child means that nobody is ahead. The version
// makes sure that nobody's data is overwritten.
func (a *acquisition) createAndCount(name string, version int32) request[creation] {
	return then(countRequest(name, a.config.data, a.config.acl, a.path, version), func(made counted, err error) (creation, error) {
		if err != nil {
			return creation{}, err
		}
		alone := made.stat.NumChildren == 1
		one, err := creation{node: made.node, token: Token(made.stat.Mzxid), alone: alone}.of(name, nil)
		if err == nil {
			a.session.directories.wrote(a.path, made.stat, alone)
		}
		return one, err
	})
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
			return childOf(dir, name), nil
		}
	}
	return "", nil
}
