package interop

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock"
)

// kazooMarker is what kazoo's Lock and WriteLock have before the number in the names
// of their znodes.
const kazooMarker = "__lock__"

// kazooReadMarker is what its ReadLock has there.
const kazooReadMarker = "__rlock__"

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
	c.addKazoo("mutex", write)
	c.addCurator("mutex-beside-kazoo", write)
	c.addGoZooKeeper()
	c.addMutex(zklock.WithExtraMarkers(kazooMarker))
	c.run()
}
