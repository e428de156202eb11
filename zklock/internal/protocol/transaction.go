package protocol

import (
	"fmt"

	"github.com/go-zookeeper/zk"
)

// Operations appends those of a transaction, as go-zookeeper has them, and returns the
// paths that they are about.
func (m Message) Operations(ops []any) (_ Message, paths []string) {
	for _, op := range ops {
		var path string
		switch op := op.(type) {
		case *zk.CreateRequest:
			m = m.op(OpCreate).Text(op.Path).Bytes(op.Data).ACL(op.Acl).Int32(op.Flags)
			path = op.Path
		case *zk.SetDataRequest:
			m = m.op(OpSetData).Text(op.Path).Bytes(op.Data).Int32(op.Version)
			path = op.Path
		case *zk.DeleteRequest:
			m = m.op(OpDelete).Text(op.Path).Int32(op.Version)
			path = op.Path
		case *zk.CheckVersionRequest:
			m = m.op(opCheck).Text(op.Path).Int32(op.Version)
			path = op.Path
		}
		paths = append(paths, path)
	}
	return m.Int32(-1).Bool(true).Int32(-1), paths
}

// op appends what comes before each operation.
func (m Message) op(op int32) Message { return m.Int32(op).Bool(false).Int32(-1) }

// Results reads the reply to a transaction. Of one that failed every operation has an
// error, and the first that is not 0 says why.
func (r *Reader) Results() (ops []zk.MultiResponse, err error) {
	for {
		op, done, _ := r.Int32(), r.Bool(), r.Int32()
		var result zk.MultiResponse
		switch {
		case r.Err() != nil:
			return nil, r.Err()
		case done:
			return ops, err
		case op == OpCreate:
			result.String = r.Text()
		case op == OpSetData:
			result.Stat = r.Stat()
		case op == opError:
			if code := r.Int32(); err == nil {
				err = ErrorOf(code)
			}
		case op != OpDelete && op != opCheck:
			return nil, fmt.Errorf("%w: it has an operation %d", ErrShortReply, op)
		}
		ops = append(ops, result)
	}
}
