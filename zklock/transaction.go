package zklock

import (
	"context"
	"fmt"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/internal/direct"
	"github.com/zkplayground/zkplayground/zklock/internal/protocol"
)

// results are those of a transaction's operations, in their order. zxid is its
// number, 0 when the reply has passed through go-zookeeper, which drops it.
type results struct {
	ops  []zk.MultiResponse
	zxid int64
}

// transaction carries out operations, as go-zookeeper has them, all together or not
// at all.
func (s *Session) transaction(ops ...any) request[results] {
	frame, paths := encode(direct.Begin(protocol.OpMulti), ops)
	size := len(frame)
	return request[results]{
		frame: direct.End(frame, paths...),
		read: func(reply *protocol.Reader, zxid int64, err error) (results, error) {
			if err != nil {
				return results{}, err
			}
			found, err := readResults(reply)
			if err == nil && len(found) != len(ops) {
				err = protocol.ErrShortReply
			}
			return results{found, zxid}, err
		},
		by: func(c Client) (results, error) {
			// go-zookeeper panics at a transaction that finds no room in its buffer.
			if limit := s.config.send; limit > 0 && size > limit {
				return results{}, zk.ErrShortBuffer
			}
			found, err := c.Multi(ops...)
			if err == nil && len(found) != len(ops) {
				err = protocol.ErrShortReply
			}
			return results{ops: found}, err
		},
	}
}

// encode appends operations to a request.
func encode(m protocol.Message, ops []any) (_ protocol.Message, paths []string) {
	for _, op := range ops {
		var path string
		switch op := op.(type) {
		case *zk.CreateRequest:
			m = m.Op(protocol.OpCreate).Text(op.Path).Bytes(op.Data).ACL(op.Acl).Int32(op.Flags)
			path = op.Path
		case *zk.SetDataRequest:
			m = m.Op(protocol.OpSetData).Text(op.Path).Bytes(op.Data).Int32(op.Version)
			path = op.Path
		case *zk.DeleteRequest:
			m = m.Op(protocol.OpDelete).Text(op.Path).Int32(op.Version)
			path = op.Path
		case *zk.CheckVersionRequest:
			m = m.Op(protocol.OpCheck).Text(op.Path).Int32(op.Version)
			path = op.Path
		}
		paths = append(paths, path)
	}
	return m.EndOfOps(), paths
}

// readResults reads the reply to a transaction. Of one that failed every operation
// has an error, and the first that is not 0 says why.
func readResults(reply *protocol.Reader) (ops []zk.MultiResponse, err error) {
	for {
		op, done, _ := reply.Int32(), reply.Bool(), reply.Int32()
		var result zk.MultiResponse
		switch {
		case reply.Err() != nil:
			return nil, reply.Err()
		case done:
			return ops, err
		case op == protocol.OpCreate:
			result.String = reply.Text()
		case op == protocol.OpSetData:
			result.Stat = reply.Stat()
		case op == protocol.OpError:
			if code := reply.Int32(); err == nil {
				err = protocol.ErrorOf(code)
			}
		case op != protocol.OpDelete && op != protocol.OpCheck:
			return nil, fmt.Errorf("%w: it has an operation %d", protocol.ErrShortReply, op)
		}
		ops = append(ops, result)
	}
}

// transactOnce sends a transaction that must not be repeated.
func (s *Session) transactOnce(ctx context.Context, ops []any) (results, error) {
	if _, err := s.online(ctx); err != nil {
		return results{}, err
	}
	return send(s, s.transaction(ops...)).wait(ctx)
}

// existAll returns nil when, at one moment, all nodes exist. It asks by a
// transaction, which no server answers from a state that is out of date.
func (s *Session) existAll(ctx context.Context, nodes []string) error {
	_, err := ask(ctx, s, s.transaction(checksOf(nodes)...))
	return err
}

// deletionsOf are the operations that delete nodes, checksOf those that check that
// they exist.
func deletionsOf(nodes []string) []any {
	ops := make([]any, len(nodes))
	for i, node := range nodes {
		ops[i] = &zk.DeleteRequest{Path: node, Version: -1}
	}
	return ops
}

func checksOf(nodes []string) []any {
	ops := make([]any, len(nodes))
	for i, node := range nodes {
		ops[i] = &zk.CheckVersionRequest{Path: node, Version: -1}
	}
	return ops
}
