package interop

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// kazooMarker is what kazoo's Lock and WriteLock have before the number in the names
// of their znodes.
const kazooMarker = "__lock__"

// One mutex, contended for by clients of three libraries, of which none is told of
// the others.
func TestMutex(t *testing.T) {
	c := newContest(t)
	c.addCurator("mutex", write)
	c.addGoZooKeeper()
	c.addMutex()
	c.run()
}

// The same with kazoo as the fourth. All but go-zookeeper have to be told of it.
func TestMutexWithKazoo(t *testing.T) {
	c := newContest(t)
	c.addKazoo("mutex")
	c.addCurator("mutex-beside-kazoo", write)
	c.addGoZooKeeper()
	c.addMutex(zklock.WithExtraMarkers(kazooMarker))
	c.run()
}

// One read/write lock, contended for by readers and writers of two libraries.
func TestReadWriteLock(t *testing.T) {
	c := newContest(t)
	c.addCurator("readwrite", read, write)
	c.addRWMutex()
	c.run()
}

// Writers of kazoo beside readers and writers of zklock. Curator's read/write lock
// cannot be told of kazoo, and kazoo's readers would end in a deadlock.
func TestReadWriteLockWithKazoo(t *testing.T) {
	c := newContest(t)
	c.addKazoo("writer")
	c.addRWMutex(zklock.WithExtraMarkers(kazooMarker))
	c.run()
}
