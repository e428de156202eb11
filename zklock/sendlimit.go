package zklock

import "github.com/go-zookeeper/zk"

// A limited is a client whose requests fit into its send buffer, or fail with
// zk.ErrShortBuffer. go-zookeeper panics instead, on a goroutine of its own,
// where a flag is the first byte of a request that finds no room. Requests
// without a flag are left to it.
type limited struct {
	Client
	most int // bytes, with the length in front
}

// limited returns the client for requests of our own.
func (s *Session) limited() Client {
	if s.config.send == 0 {
		return s.client
	}
	return limited{s.client, s.config.send}
}

// check returns an error when a request with body does not fit.
func (c limited) check(body message) error {
	if 4+frameHeader+len(body) > c.most { // length, xid, operation
		return zk.ErrShortBuffer
	}
	return nil
}

// read checks a request that has a path and says whether to set a watch.
func (c limited) read(path string) error { return c.check(message{}.text(path).bool(false)) }

func (c limited) Exists(path string) (bool, *zk.Stat, error) {
	if err := c.read(path); err != nil {
		return false, nil, err
	}
	return c.Client.Exists(path)
}

func (c limited) Get(path string) ([]byte, *zk.Stat, error) {
	if err := c.read(path); err != nil {
		return nil, nil, err
	}
	return c.Client.Get(path)
}

func (c limited) GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error) {
	if err := c.read(path); err != nil {
		return nil, nil, nil, err
	}
	return c.Client.GetW(path)
}

func (c limited) Children(path string) ([]string, *zk.Stat, error) {
	if err := c.read(path); err != nil {
		return nil, nil, err
	}
	return c.Client.Children(path)
}

func (c limited) ChildrenW(path string) ([]string, *zk.Stat, <-chan zk.Event, error) {
	if err := c.read(path); err != nil {
		return nil, nil, nil, err
	}
	return c.Client.ChildrenW(path)
}

func (c limited) Multi(ops ...any) ([]zk.MultiResponse, error) {
	body := message{}
	for _, op := range ops {
		body = body.int32(0).bool(false).int32(-1).operation(op)
	}
	if err := c.check(body.int32(-1).bool(true).int32(-1)); err != nil {
		return nil, err
	}
	return c.Client.Multi(ops...)
}

// operation appends one of a transaction.
func (m message) operation(op any) message {
	switch op := op.(type) {
	case *zk.CreateRequest:
		return m.text(op.Path).bytes(op.Data).acl(op.Acl).int32(op.Flags)
	case *zk.SetDataRequest:
		return m.text(op.Path).bytes(op.Data).int32(op.Version)
	case *zk.DeleteRequest:
		return m.text(op.Path).int32(op.Version)
	case *zk.CheckVersionRequest:
		return m.text(op.Path).int32(op.Version)
	default:
		return m // which go-zookeeper refuses
	}
}
