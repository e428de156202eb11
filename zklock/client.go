package zklock

import "github.com/go-zookeeper/zk"

// A Client is what a [Session] needs of a ZooKeeper connection. *zk.Conn is
// one; the methods mean what they mean there. It may grow with the package:
// embed a *zk.Conn in one of your own. That gets every request, where those of
// the fast path would go past a plain *zk.Conn.
type Client interface {
	Create(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
	CreateContainer(path string, data []byte, flags int32, acl []zk.ACL) (string, error)
	Delete(path string, version int32) error
	Exists(path string) (bool, *zk.Stat, error)
	Get(path string) ([]byte, *zk.Stat, error)
	GetW(path string) ([]byte, *zk.Stat, <-chan zk.Event, error)
	Set(path string, data []byte, version int32) (*zk.Stat, error)
	Children(path string) ([]string, *zk.Stat, error)
	ChildrenW(path string) ([]string, *zk.Stat, <-chan zk.Event, error)
	Multi(ops ...any) ([]zk.MultiResponse, error)
	Sync(path string) (string, error)
	State() zk.State
	SessionID() int64
}

var _ Client = (*zk.Conn)(nil)
