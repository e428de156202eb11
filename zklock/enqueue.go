package zklock

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
	"github.com/zkplayground/zkplayground/zklock/internal/queue"
)

var (
	// errVanished says that an own znode was deleted by somebody else while it
	// was waiting.
	errVanished = fmt.Errorf("zklock: own znode was deleted by another: %w", zk.ErrNoNode)
	// errLostCreate says that a create has failed, as far as can be seen, and may
	// be repeated.
	errLostCreate = errors.New("zklock: connection lost while creating the znode")
	// errReset says that a directory whose numbers were used up was made anew.
	errReset = fmt.Errorf("zklock: the directory was made anew: %w", zk.ErrNoNode)
	// errNotOurs says that a reply names another znode than the request. What
	// became of the request is not known then.
	errNotOurs = errors.New("zklock: the reply to a create is another one's")
)

func isNoNode(err error) bool { return errors.Is(err, zk.ErrNoNode) }

// enqueue creates a znode in every queue, in the session of a.grant. When it fails,
// a znode that exists, or may come to exist, has been handed to the session's
// clean-up. ctx ends with the grant at the latest.
func (a *acquisition) enqueue(ctx context.Context) error {
	missing, pause := 0, minRetry
	for {
		for _, p := range a.places {
			a.traces.enqueueStart(EnqueueStartInfo{Path: p.path, Mode: a.mode})
		}
		err := a.create(ctx)
		if err == nil {
			err = a.examine(ctx)
		}
		if ctx.Err() == nil {
			a.traceEnqueued(err)
		}
		if err == nil {
			return nil
		}
		a.giveUp()
		switch {
		case errors.Is(err, errLostCreate):
			err = sleep(ctx, pause)
			pause = min(2*pause, maxRetry)
		case isNoNode(err) && missing < maxAttempts:
			missing++
			err = a.makeDirectories(ctx)
		default:
			return err
		}
		// A parent may vanish again while its child is made.
		if err != nil && !isNoNode(err) {
			return err
		}
	}
}

// traceEnqueued calls the traces with the outcome of an attempt.
func (a *acquisition) traceEnqueued(err error) {
	for _, p := range a.places {
		info := EnqueuedInfo{Path: p.path, Mode: a.mode, Err: err}
		if err == nil {
			info.Node, info.Sequence, info.Token, info.Recovered = p.node, p.sequence, p.token, p.recovered
		}
		a.traces.enqueued(info)
	}
}

// makeDirectories makes all lock directories: the answer of a transaction names
// only the first that is missing.
func (a *acquisition) makeDirectories(ctx context.Context) error {
	for _, p := range a.places {
		if err := p.makeDirectory(ctx, p.path); err != nil {
			return a.blame(p, err)
		}
	}
	return nil
}

// create makes all znodes by one request, and finds out what became of it. When it
// fails, the places have a guid if their znodes may exist all the same.
func (a *acquisition) create(ctx context.Context) error {
	if _, err := a.session.online(ctx); err != nil {
		return err
	}
	guid := a.session.config.newGUID()
	for _, p := range a.places {
		*p = place{lock: p.lock, kind: p.kind, guid: guid}
	}
	made, err := a.sendCreate(ctx)
	switch {
	case err == nil && ctx.Err() == nil:
		a.creating = nil
		if a.made(made) != nil {
			return a.recover(ctx)
		}
		return nil
	case a.creating.over() && answered(err):
		for _, p := range a.places {
			p.guid = ""
		}
		return err
	case ctx.Err() != nil:
		return errInterrupted
	default:
		a.creating = nil
		return a.recover(ctx)
	}
}

// made takes in the reply to a create.
func (a *acquisition) made(made results) error {
	for i, p := range a.places {
		if !strings.HasPrefix(made.ops[i].String, p.askedPath()) {
			return errNotOurs
		}
		p.node, p.token = made.ops[i].String, Token(made.zxid)
	}
	if len(made.ops) > len(a.places) { // the directory was counted
		p, stat := a.places[0], made.ops[1].Stat
		if stat == nil {
			return protocol.ErrShortReply
		}
		p.token, p.alone = Token(stat.Mzxid), stat.NumChildren == 1
		p.session.directories.wrote(p.path, stat, p.alone)
	}
	return nil
}

// sendCreate creates the znodes. Where a queue is likely to be empty, the same
// transaction writes nothing into the directory, whose data is empty and has the
// version that was seen: the reply to that is the directory's metadata as of this
// transaction. One child means that nobody is ahead. The version makes sure that
// nobody's data is overwritten; if it is another, nothing is done.
func (a *acquisition) sendCreate(ctx context.Context) (results, error) {
	var creates []any
	for _, p := range a.places {
		creates = append(creates, &zk.CreateRequest{
			Path: p.askedPath(), Data: p.config.data, Acl: p.config.acl, Flags: zk.FlagEphemeralSequential,
		})
	}
	p := a.places[0]
	if len(a.places) > 1 {
		a.creating = send(a.session, a.session.transaction(creates...))
		return a.creating.wait(ctx)
	}
	if version, likely := a.session.directories.likelyEmpty(p.path); likely && p.config.recipe.OneTransaction {
		count := &zk.SetDataRequest{Path: p.path, Version: version}
		a.creating = send(a.session, a.session.transaction(creates[0], count))
		made, err := a.creating.wait(ctx)
		if err == nil || !a.creating.over() {
			return made, err
		}
		a.session.directories.refused(p.path, err)
		if !answered(err) {
			return results{}, err
		}
	}
	a.creating = send(a.session, p.create())
	return a.creating.wait(ctx)
}

// askedPath is the path in the create request of p.
func (p *place) askedPath() string { return childOf(p.path, queue.Name(p.guid, p.kind.Marker)) }

// create creates one znode.
func (p *place) create() request[results] {
	name, data, acl := p.askedPath(), p.config.data, p.config.acl
	return request[results]{
		frame: direct.End(direct.Begin(protocol.OpCreate).Text(name).Bytes(data).ACL(acl).Int32(zk.FlagEphemeralSequential), name),
		read: func(reply *protocol.Reader, zxid int64, err error) (results, error) {
			if err != nil {
				return results{}, err
			}
			return results{[]zk.MultiResponse{{String: reply.Text()}}, zxid}, nil
		},
		by: func(c Client) (results, error) {
			node, err := c.Create(name, data, zk.FlagEphemeralSequential, acl)
			return results{ops: []zk.MultiResponse{{String: node}}}, err
		},
	}
}

// recover looks for the znodes of a create that got no reply. There are either all
// or none, unless somebody deletes one.
func (a *acquisition) recover(ctx context.Context) error {
	complete := true
	for _, p := range a.places {
		node, err := a.session.find(ctx, p.path, p.guid)
		if err != nil {
			return err
		}
		p.node, p.recovered = node, true
		complete = complete && node != ""
	}
	if !complete {
		return errLostCreate
	}
	return nil
}

// find returns the path of the znode in dir whose name carries guid, or "".
// The sync lets the server catch up first with a create that was sent through
// another one.
func (s *Session) find(ctx context.Context, dir, guid string) (string, error) {
	found, err := do(ctx, s, func(c Client) ([]string, error) {
		if _, err := c.Sync(dir); err != nil {
			return nil, err
		}
		got, err := s.listRequest(dir, false).by(c)
		return got.children, err
	})
	if err != nil && !isNoNode(err) {
		return "", err
	}
	i := slices.IndexFunc(found, func(name string) bool { return queue.IsOf(name, guid) })
	if i < 0 {
		return "", nil
	}
	return childOf(dir, found[i]), nil
}

// examine completes what is known of new znodes, and refuses them when the number
// of one is too close to the counter's end. Those of one acquisition have the same
// token, as one transaction made them.
func (a *acquisition) examine(ctx context.Context) error {
	for _, p := range a.places {
		_, sequence, ok := queue.Parse(path.Base(p.node), p.kind.Markers)
		if !ok {
			return fmt.Errorf("zklock: the server made a name that is no contender's: %q", p.node)
		}
		p.sequence = sequence
		if queue.Exhausted(sequence) {
			return a.blame(p, a.exhausted(ctx, p))
		}
	}
	token := a.places[0].token
	if token == 0 {
		// The connection did not show it; and a znode found again may be of a
		// former session.
		stat, err := stat(ctx, a.session, a.places[0].node)
		if err != nil {
			return err
		}
		if stat.EphemeralOwner != a.grant.id {
			return fmt.Errorf("%w: znode is of session %#x", ErrSessionLost, stat.EphemeralOwner)
		}
		token = Token(stat.Czxid)
	}
	for _, p := range a.places {
		p.token, p.czxid = token, int64(token)
	}
	return nil
}

// exhausted makes a used-up directory anew, together with the end of the own znode,
// if that is alone there: a contender that comes to be alone in such a directory ends its being
// refused.
func (a *acquisition) exhausted(ctx context.Context, p *place) error {
	if len(a.places) == 1 && p.resetDirectory(ctx) == nil {
		p.guid = "" // it is gone
		return errReset
	}
	return ErrSequenceExhausted
}
