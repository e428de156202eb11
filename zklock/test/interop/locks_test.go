package interop

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// One mutex, contended for by clients of three libraries.
func TestMutex(t *testing.T) {
	c := newContest(t, "mutex", write)
	c.add("go-zookeeper", func() locker {
		return newGoZooKeeper(c.server.Session(t, sessionTimeout), c.path)
	})
	c.add("zklock", func() locker {
		return newOurs(map[mode]lockFunc{write: zklock.NewMutex(c.dial(), c.path).Lock})
	})
	c.run()
}

// One read/write lock, contended for by readers and writers of two libraries.
func TestReadWriteLock(t *testing.T) {
	c := newContest(t, "readwrite", read, write)
	c.add("zklock", func() locker {
		lock := zklock.NewRWMutex(c.dial(), c.path)
		return newOurs(map[mode]lockFunc{write: lock.Lock, read: lock.RLock})
	})
	c.run()
}
