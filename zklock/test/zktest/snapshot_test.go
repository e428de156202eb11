package zktest_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// counters are where the number of a sequential child matters.
var counters = map[string]int32{
	"/new":         0,
	"/used":        7,
	"/used/below":  1<<30 - 1,
	"/deep/er/yet": 1<<31 - 1<<20 - 2,
	"/last":        math.MaxInt32,
}

func TestSnapshotDir(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{Dir: zktest.SnapshotDir(t, counters)})
	conn := server.Conn(t)
	for path, counter := range counters {
		checkPrepared(t, conn, path, counter)
		node, err := conn.Create(path+"/n-", nil, zk.FlagEphemeralSequential, zk.WorldACL(zk.PermAll))
		if want := fmt.Sprintf("%s/n-%010d", path, counter); err != nil || node != want {
			t.Errorf("first child %s, %v; want %s", node, err, want)
		}
	}
	server.Root(t) // the prepared server is good for all else, too
}

func TestStartPrepared(t *testing.T) {
	t.Parallel()
	server := zktest.StartPrepared(t, counters)
	if again := zktest.StartPrepared(t, counters); again != server {
		t.Errorf("two servers, at %s and %s; want one", server.Address(), again.Address())
	}
	if shared := zktest.Start(t); shared == server {
		t.Error("the server without a past is the same")
	}
	conn := server.Conn(t)
	for path, counter := range counters {
		checkPrepared(t, conn, path, counter)
	}
}

// checkPrepared compares the Stat and the access control list of a znode.
func checkPrepared(t *testing.T, conn *zk.Conn, path string, counter int32) {
	t.Helper()
	data, stat, err := conn.Get(path)
	if err != nil || len(data) > 0 {
		t.Fatalf("%s: data %q, %v", path, data, err)
	}
	// The server reports changes of children, which deletes are, too.
	if want := 2*counter - stat.NumChildren; stat.Cversion != want || stat.EphemeralOwner != 0 {
		t.Errorf("%s: stat %+v, want Cversion %d", path, stat, want)
	}
	acl, _, err := conn.GetACL(path)
	if err != nil || len(acl) != 1 || acl[0] != zk.WorldACL(zk.PermAll)[0] {
		t.Errorf("%s: acl %v, %v; want it open", path, acl, err)
	}
}

// The prepared data outlives the server, as any other does.
func TestSnapshotDirAfterRestart(t *testing.T) {
	t.Parallel()
	dir := zktest.SnapshotDir(t, map[string]int32{"/dir": 41})
	for want := 41; want < 43; want++ {
		t.Run(fmt.Sprint(want), func(t *testing.T) {
			conn := zktest.StartOwn(t, zkserver.Config{Dir: dir}).Conn(t)
			node, err := conn.CreateProtectedEphemeralSequential("/dir/n-", nil, zk.WorldACL(zk.PermAll))
			if end := fmt.Sprintf("%010d", want); err != nil || node[len(node)-10:] != end {
				t.Errorf("child %s, %v; want number %s", node, err, end)
			}
		})
	}
}
