package wire_test

import (
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestClientMakesAndRemovesTrees(t *testing.T) {
	server := zktest.Start(t)
	root := server.Root(t)
	c, ctx := dial(t, server.Address(), wire.Options{}), within(t, timeout)
	exists := func(path string) bool {
		_, err := c.Exists(ctx, path)
		if err != nil && !errors.Is(err, wire.NoNode) {
			t.Fatal(err)
		}
		return err == nil
	}
	top := root + "/top"
	for _, node := range []string{top + "/a/b/c", top + "/a/b/d", top + "/a/b", root + "/topmost"} {
		must(t, c.CreateAll(ctx, node))
	}
	must(t, c.DeleteTree(ctx, top+"/a/b/c"))
	must(t, c.DeleteEmpty(ctx, top+"/a/b/c", top)) // it is gone, and its parent has another child
	if exists(top+"/a/b/c") || !exists(top+"/a/b/d") {
		t.Error("c is left, or d is gone")
	}
	must(t, c.DeleteTree(ctx, top+"/a/b"))
	must(t, c.DeleteTree(ctx, top+"/a/b"))
	must(t, c.DeleteEmpty(ctx, top+"/a", top))
	must(t, c.DeleteEmpty(ctx, root+"/topmost", top)) // not below it
	if exists(top) || !exists(root+"/topmost") {
		t.Error("top is left, or what stands beside it is gone")
	}
}

func TestEphemeralEndsWithItsSession(t *testing.T) {
	server := zktest.Start(t)
	node, ctx := server.Root(t)+"/own", within(t, timeout)
	owner, other := dial(t, server.Address(), wire.Options{}), dial(t, server.Address(), wire.Options{})
	must(t, owner.CreateEphemeral(ctx, node))
	session, _, _ := owner.Session()
	if stat, err := other.Exists(ctx, node); err != nil || stat.EphemeralOwner != session {
		t.Errorf("Exists = %+v, %v; want the owner %x", stat, err, session)
	}
	if err := other.CreateEphemeral(ctx, node); !errors.Is(err, wire.NodeExists) {
		t.Errorf("once more: %v, want %v", err, wire.NodeExists)
	}
	must(t, owner.CloseSession(ctx))
	if _, err := other.Exists(ctx, node); !errors.Is(err, wire.NoNode) {
		t.Errorf("after its session: %v, want %v", err, wire.NoNode)
	}
}
