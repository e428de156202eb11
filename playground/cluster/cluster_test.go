package cluster_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/cluster"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

func join(t *testing.T, base, advertise string) *cluster.Cluster {
	t.Helper()
	c, err := cluster.Join(t.Context(), cluster.Config{Servers: []string{zktest.Start(t).Address()}, Base: base,
		Name: "tests", Advertise: advertise, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close(t.Context()) })
	return c
}

func claim(t *testing.T, c *cluster.Cluster, room string) *cluster.Claim {
	t.Helper()
	claimed, err := c.Claim(t.Context(), room)
	if err != nil {
		t.Fatal(err)
	}
	return claimed
}

// must wants no error.
func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestClaim: a room has one owner, who alone changes what it keeps; that outlasts the owner.
func TestClaim(t *testing.T) {
	base := zktest.Start(t).Root(t)
	a, b := join(t, base, "http://a:1"), join(t, base, "http://b:1")
	if replicas, err := a.Replicas(t.Context()); err != nil || !slices.Equal(replicas, []string{"http://a:1", "http://b:1"}) {
		t.Fatalf("the replicas are %q, %v", replicas, err)
	}
	if a.Key("teacher") != b.Key("teacher") || a.Key("teacher") == a.Key("replica") {
		t.Error("two replicas make different keys of one use, or the same of two")
	}
	first := claim(t, a, "room")
	if _, err := b.Claim(t.Context(), "room"); !errors.Is(err, cluster.ErrOwned) {
		t.Errorf("a second claim: %v, want %v", err, cluster.ErrOwned)
	}
	if owner, err := b.Owner(t.Context(), "room"); err != nil || owner != "http://a:1" {
		t.Errorf("the owner is %q, %v", owner, err)
	}
	if _, err := first.Read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before the first Write: %v, want %v", err, fs.ErrNotExist)
	}
	must(t, first.Write([]byte(`{"used": 1}`)))
	must(t, first.Write([]byte(`{"used": 2, "class": {"code": "abcdef"}}`)))
	must(t, first.Write([]byte(`{"used": 3, "class": {"code": "abcdef"}}`)))
	if room, err := b.RoomOfCode(t.Context(), "abcdef"); err != nil || room != "room" {
		t.Errorf("the code leads to %q, %v", room, err)
	}
	must(t, first.Release(t.Context()))

	second := claim(t, b, "room")
	text, err := second.Read()
	must(t, err)
	if string(text) != `{"used": 3, "class": {"code": "abcdef"}}` {
		t.Errorf("the next owner finds %s", text)
	}
	if err := first.Write([]byte(`{"used": 4}`)); err == nil {
		t.Error("who has released the room has written")
	}
	must(t, second.Remove())
	if room, err := a.RoomOfCode(t.Context(), "abcdef"); err != nil || room != "" {
		t.Errorf("after the room's end its code leads to %q, %v", room, err)
	}
	must(t, second.Release(t.Context()))
}

// TestLargeRoom: a class of 300 that has voted a hundred times and met all goals is kept; a
// room that is too large for ZooKeeper is refused, and harms nothing.
func TestLargeRoom(t *testing.T) {
	base := zktest.Start(t).Root(t)
	a, b := join(t, base, "http://a:1"), join(t, base, "http://b:1")
	claimed := claim(t, a, "room")
	text := roomOf(300, 200)
	must(t, claimed.Write(text))
	if kept, err := b.Kept(t.Context(), "room"); err != nil || !bytes.Equal(kept, text) {
		t.Errorf("of %d bytes there are %d, %v", len(text), len(kept), err)
	}
	random := make([]byte, 2<<20)
	_, _ = rand.Read(random) // it never fails
	if err := claimed.Write([]byte(`{"judgement": "` + hex.EncodeToString(random) + `"}`)); !errors.Is(err, cluster.ErrTooLarge) {
		t.Errorf("4 MiB that cannot be made smaller: %v, want %v", err, cluster.ErrTooLarge)
	}
	must(t, claimed.Write([]byte(`{"used": 1}`)))
}

// roomOf is about what a room keeps of members who each have said so much.
func roomOf(members, said int) []byte {
	var ids []string
	for range members {
		ids = append(ids, strings.ToLower(rand.Text()[:16]))
	}
	votes := make(map[string]map[string]int)
	for q := range said {
		question := make(map[string]int)
		for i, id := range ids {
			question[id] = (q + i*i) % 10
		}
		votes[fmt.Sprint("question ", q)] = question
	}
	text, _ := json.Marshal(map[string]any{"class": map[string]any{"votes": votes}}) // it can be
	return text
}

// TestLostClaim: a replica that does not know that its claim has ended writes nothing.
func TestLostClaim(t *testing.T) {
	base := zktest.Start(t).Root(t)
	a, b := join(t, base, "http://a:1"), join(t, base, "http://b:1")
	first := claim(t, a, "room")
	must(t, first.Write([]byte(`{"used": 1}`)))
	owner := base + "/clusters/tests/owners/room"
	conn := zktest.Start(t).Conn(t)
	nodes, _, err := conn.Children(owner)
	must(t, err)
	must(t, conn.Delete(owner+"/"+nodes[0], -1)) // as the end of its session does
	second := claim(t, b, "room")
	_, err = second.Read()
	must(t, err)
	must(t, second.Write([]byte(`{"used": 2}`)))
	if err := first.Write([]byte(`{"used": 3}`)); err == nil {
		t.Error("who has lost the room has written")
	}
	if text, err := b.Kept(t.Context(), "room"); err != nil || string(text) != `{"used": 2}` {
		t.Errorf("the room keeps %s, %v", text, err)
	}
}

// TestSilentZooKeeper: who asks for a room while ZooKeeper says nothing is told so before long.
func TestSilentZooKeeper(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	c, err := cluster.Join(t.Context(), cluster.Config{Servers: []string{server.Address()}, Base: server.Root(t),
		Name: "tests", Advertise: "http://a:1", Timeout: time.Second, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	t.Cleanup(func() { _ = c.Close(context.WithoutCancel(t.Context())) })
	pid := server.Managed().PID()
	must(t, zktest.Freeze(pid))
	defer func() { must(t, zktest.Thaw(pid)) }()
	asked := time.Now()
	if owner, err := c.Owner(t.Context(), "room"); err == nil {
		t.Errorf("the owner is %q", owner)
	}
	if text, err := c.Kept(t.Context(), "room"); err == nil {
		t.Errorf("the room keeps %q", text)
	}
	if took := time.Since(asked); took > 20*time.Second {
		t.Errorf("that took %v", took)
	}
}
