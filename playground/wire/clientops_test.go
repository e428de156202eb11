package wire_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestClientCreatesEveryKindOfZnode(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	session, _, _ := c.Session()
	for _, test := range []struct {
		name  string
		node  wire.NewNode
		owner int64 // the server shows none of a container, nor a time to live
	}{
		{"persistent", wire.NewNode{Data: []byte("x")}, 0},
		{"null", wire.NewNode{}, 0},
		{"ephemeral", wire.NewNode{Mode: wire.Ephemeral}, session},
		{"sequential", wire.NewNode{Mode: wire.PersistentSequential}, 0},
		{"ephemeral-sequential", wire.NewNode{Mode: wire.EphemeralSequential}, session},
		{"container", wire.NewNode{Mode: wire.Container}, 0},
		{"ttl", wire.NewNode{Mode: wire.PersistentWithTTL, TTL: 1 << 30}, 0},
		{"sequential-ttl", wire.NewNode{Mode: wire.PersistentSequentialWithTTL, TTL: 1 << 30}, 0},
	} {
		test.node.Path, test.node.ACL = root+"/"+test.name, wire.OpenACL()
		made, err := c.CreateNode(ctx, test.node)
		must(t, err)
		if sequential := strings.Contains(test.name, "sequential"); (made != test.node.Path) != sequential {
			t.Errorf("%s: created %s", test.name, made)
		}
		data, stat, err := c.GetData(ctx, made)
		if err != nil || !cmp.Equal(data, test.node.Data) || stat.EphemeralOwner != test.owner {
			t.Errorf("%s: data %q, owner %#x, want %q, %#x; %v", test.name, data, stat.EphemeralOwner, test.node.Data, test.owner, err)
		}
	}
	for _, node := range []wire.NewNode{
		{Path: root + "/no-ttl", ACL: wire.OpenACL(), Mode: wire.PersistentWithTTL},
		{Path: root + "/no-mode", ACL: wire.OpenACL(), Mode: 99},
	} {
		if _, err := c.CreateNode(ctx, node); !errors.Is(err, wire.BadArguments) {
			t.Errorf("CreateNode of %+v: %v", node, err)
		}
	}
	list, err := c.Ephemerals(ctx, root)
	if err != nil || len(list) != 2 || !slices.Contains(list, root+"/ephemeral") {
		t.Errorf("Ephemerals = %q, %v", list, err)
	}
	if n, err := c.AllChildrenNumber(ctx, root); err != nil || n != 8 {
		t.Errorf("AllChildrenNumber = %d, %v; want 8", n, err)
	}
}

func TestClientChangesOnlyTheVersionItNames(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	node := server.Root(t) + "/node"
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	must(t, c.Create(ctx, node))
	if _, err := c.SetData(ctx, node, []byte("x"), 7); !errors.Is(err, wire.BadVersion) {
		t.Errorf("SetData of another version: %v", err)
	}
	if stat, err := c.SetData(ctx, node, []byte("x"), 0); err != nil || stat.Version != 1 || stat.DataLength != 1 {
		t.Errorf("SetData = %+v, %v", stat, err)
	}
	acl := []wire.ACL{{Perms: wire.PermRead | wire.PermAdmin, Scheme: "world", ID: "anyone"}}
	if _, err := c.SetACL(ctx, node, acl, 7); !errors.Is(err, wire.BadVersion) {
		t.Errorf("SetACL of another version: %v", err)
	}
	if stat, err := c.SetACL(ctx, node, acl, 0); err != nil || stat.Aversion != 1 {
		t.Errorf("SetACL = %+v, %v", stat, err)
	}
	if got, stat, err := c.GetACL(ctx, node); err != nil || stat.Aversion != 1 || !cmp.Equal(got, acl) {
		t.Errorf("GetACL = %v, %+v, %v; want %v", got, stat, err, acl)
	}
	if err := c.DeleteVersion(ctx, node, 7); !errors.Is(err, wire.BadVersion) {
		t.Errorf("DeleteVersion of another version: %v", err)
	}
	must(t, c.DeleteVersion(ctx, node, 1))
}

func TestClientDeletesAllZnodesOrNone(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	must(t, c.CreateAll(ctx, root+"/a/b"))
	if err := c.DeleteNodes(ctx, []string{root + "/a/b", root + "/missing"}); !errors.Is(err, wire.NoNode) {
		t.Errorf("DeleteNodes with one that is missing: %v", err)
	}
	if _, err := c.Exists(ctx, root+"/a/b"); err != nil {
		t.Errorf("one was deleted without the other: %v", err)
	}
	must(t, c.DeleteNodes(ctx, []string{root + "/a/b", root + "/a"}))
	if _, err := c.Exists(ctx, root+"/a"); !errors.Is(err, wire.NoNode) {
		t.Errorf("after DeleteNodes: %v", err)
	}
}

func TestClientIsWhoItShows(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	must(t, c.AddAuth(ctx, "digest", []byte("me:secret"), nil))
	who, err := c.WhoAmI(ctx)
	if want := (wire.ClientInfo{Scheme: "digest", User: "me"}); err != nil || !slices.Contains(who, want) {
		t.Errorf("WhoAmI = %v, %v; want %v in it", who, err, want)
	}
	var told wire.Code
	err = c.AddAuth(ctx, "nonsense", nil, func(code wire.Code) { told = code })
	if !errors.Is(err, wire.AuthFailed) || told != wire.AuthFailed {
		t.Errorf("AddAuth of a scheme that is not: %v, told %v", err, told)
	}
	select {
	case <-c.Done():
	case <-ctx.Done():
		t.Error("the connection outlives a refused auth")
	}
}

func TestClientSetsWatchesAgain(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	root := server.Root(t)
	events := make(chan wire.WatchEvent, 10)
	other, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	for _, name := range []string{"/data", "/parent", "/kept"} {
		must(t, other.Create(ctx, root+name))
	}
	since := other.Zxid()
	_, err := other.SetData(ctx, root+"/data", nil, wire.AnyVersion)
	must(t, err)
	must(t, other.Create(ctx, root+"/exists"))
	must(t, other.Create(ctx, root+"/parent/child"))

	c := dial(t, server.Address(), wire.Options{OnEvent: func(e wire.WatchEvent) { events <- e }})
	must(t, c.SetWatches(ctx, since, wire.Watches{
		Data: []string{root + "/data", root + "/kept"}, Exists: []string{root + "/exists"},
		Children: []string{root + "/parent"}, Persistent: []string{root + "/kept"}, Recursive: []string{root + "/parent"},
	}))
	_, err = other.SetData(ctx, root+"/kept", nil, wire.AnyVersion)
	must(t, err)
	must(t, other.Create(ctx, root+"/parent/second"))
	must(t, c.Sync(ctx, root))
	close(events)
	var got []string
	for e := range events {
		got = append(got, e.Type+" "+strings.TrimPrefix(e.Path, root))
	}
	slices.Sort(got[:min(3, len(got))]) // those that had fired before
	want := []string{"NodeChildrenChanged /parent", "NodeCreated /exists", "NodeDataChanged /data",
		"NodeDataChanged /kept", "NodeCreated /parent/second"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("events -want +got:\n%s", diff)
	}
	must(t, c.RemoveWatches(ctx, root+"/kept", wire.AnyWatcher))
	if err := c.RemoveWatches(ctx, root+"/kept", wire.AnyWatcher); !errors.Is(err, wire.NoWatcher) {
		t.Errorf("RemoveWatches once more: %v", err)
	}
}

// TestClientTellsOfReplyBeforeLaterEvents has a watch fire as soon as it is set: who
// keeps a list must have it there.
func TestClientTellsOfReplyBeforeLaterEvents(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	node := server.Root(t) + "/node"
	var order []string // by the one goroutine that reads the connection
	c, ctx := dial(t, server.Address(), wire.Options{OnEvent: func(e wire.WatchEvent) { order = append(order, e.Type) }}), within(t, timeout)
	must(t, c.Create(ctx, node))
	told := func(code wire.Code) { order = append(order, "told "+code.String()) }
	for _, ask := range []func() error{
		func() error { _, _, err := c.GetDataWatch(ctx, node, told); return err },
		func() error { _, err := c.ExistsWatch(ctx, node, told); return err },
		func() error { _, _, err := c.ChildrenWatch(ctx, node, told); return err },
		func() error { return c.AddWatchTold(ctx, node, false, told) },
	} {
		must(t, ask())
	}
	must(t, c.Delete(ctx, node))
	if _, err := c.ExistsWatch(ctx, node, told); !errors.Is(err, wire.NoNode) {
		t.Errorf("ExistsWatch of a znode that is gone: %v", err)
	}
	c.Close() // nothing is told any more
	want := []string{"told ", "told ", "told ", "told ", "NodeDeleted", "told NoNode"}
	if diff := cmp.Diff(want, order); diff != "" {
		t.Errorf("order -want +got:\n%s", diff)
	}
}
