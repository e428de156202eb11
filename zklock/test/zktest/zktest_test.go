package zktest_test

import (
	"slices"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

func TestStartSharesOneServer(t *testing.T) {
	first, second := zktest.Start(t), zktest.Start(t)
	if first != second {
		t.Errorf("two servers, at %s and %s; want one", first.Address(), second.Address())
	}
}

func TestStartOwnIsAnother(t *testing.T) {
	own := zktest.StartOwn(t, zkserver.Config{})
	if shared := zktest.Start(t); own.Address() == shared.Address() {
		t.Errorf("own and shared server both at %s", own.Address())
	}
	own.Conn(t)
}

func TestRootsDiffer(t *testing.T) {
	server := zktest.Start(t)
	if a, b := server.Root(t), server.Root(t); a == b {
		t.Errorf("two roots at %s", a)
	}
}

func TestRootIsRemovedWithAllBelow(t *testing.T) {
	server := zktest.Start(t)
	conn := server.Conn(t)
	var root string
	t.Run("with/children", func(t *testing.T) {
		root = server.Root(t)
		mustCreate(t, conn, root+"/a", 0)
		mustCreate(t, conn, root+"/a/b", zk.FlagEphemeral)
	})
	exists, _, err := conn.Exists(root)
	if err != nil || exists {
		t.Errorf("Exists(%s) = %v, %v after the test; want false", root, exists, err)
	}
}

func TestConnEndsWithItsTest(t *testing.T) {
	server := zktest.Start(t)
	root, conn := server.Root(t), server.Conn(t)
	t.Run("holder", func(t *testing.T) {
		mustCreate(t, server.Conn(t), root+"/e", zk.FlagEphemeral)
	})
	// The library does not wait for long until the server has closed a session.
	for end := time.Now().Add(zktest.DefaultSession / 2); ; time.Sleep(10 * time.Millisecond) {
		exists, _, err := conn.Exists(root + "/e")
		if err == nil && !exists {
			return
		}
		if err != nil || time.Now().After(end) {
			t.Fatalf("Exists = %v, %v after the session closed; want false", exists, err)
		}
	}
}

func TestWatches(t *testing.T) {
	server := zktest.Start(t)
	root, conn, other := server.Root(t), server.Conn(t), server.Conn(t)
	if watches := server.Watches(t)[root]; len(watches) != 0 {
		t.Errorf("watches before any was set: %v", watches)
	}
	for _, c := range []*zk.Conn{conn, other} {
		if _, _, _, err := c.ExistsW(root); err != nil {
			t.Fatal(err)
		}
	}
	want := []int64{conn.SessionID(), other.SessionID()}
	slices.Sort(want)
	if got := server.Watches(t)[root]; !slices.Equal(got, want) {
		t.Errorf("watches = %v, want %v", got, want)
	}
}

func mustCreate(t *testing.T, conn *zk.Conn, path string, flags int32) {
	t.Helper()
	if _, err := conn.Create(path, nil, flags, zk.WorldACL(zk.PermAll)); err != nil {
		t.Fatalf("create %s: %v", path, err)
	}
}
