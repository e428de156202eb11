package run_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// tree reads what the log tells of a znode below the lane's root, from its beginning.
func (w *watched) tree(kind event.Kind, znode string) event.Event {
	w.t.Helper()
	path := w.Describe().Lanes[0].Root + znode
	return w.rewound().until(fmt.Sprintf("%s of %s", kind, znode), func(e event.Event) bool { return e.Kind == kind && e.Path == path })
}

// TestZnodesBesideTheQueue: what guests make outside of the lock directory is told, of
// which kind it is, whose, with what text, and how it went; and no check minds.
func TestZnodesBesideTheQueue(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 2))
	guest, other := joined(t, r, 30*time.Second, run.Joining{}), joined(t, r, 30*time.Second, run.Joining{})
	r.untilKind(event.SessionGranted, 4)
	create := func(v *visitor, path, data string, mode wire.CreateMode) string {
		t.Helper()
		node, err := v.CreateNode(t.Context(), wire.NewNode{Path: path, Data: []byte(data), ACL: wire.OpenACL(), Mode: mode})
		r.must(err)
		return node
	}
	create(guest, "/kinds", "hello", wire.Persistent)
	create(guest, "/kinds/mine", "", wire.Ephemeral)
	item := create(guest, "/kinds/item-", "x\ny", wire.PersistentSequential)
	create(guest, "/box", "", wire.Container)
	_, err := guest.SetData(t.Context(), "/kinds", []byte("changed"), wire.AnyVersion)
	r.must(err)
	_, err = guest.CreateNode(t.Context(), wire.NewNode{Path: "/secret", Data: []byte("mine"), Mode: wire.Persistent,
		ACL: []wire.ACL{{Perms: wire.PermAll &^ wire.PermRead, Scheme: "world", ID: "anyone"}}})
	if err == nil { // a guest may be kept from closing a znode
		if e := r.tree(event.TreeCreated, "/secret"); e.Data != "" {
			t.Errorf("what not everybody may read is told: %+v", e)
		}
	}
	id, _, _ := guest.Client.Session()
	session := wire.SessionHex(id)
	for znode, want := range map[string]event.Event{
		"/kinds":      {Client: 3, Data: "hello", Bytes: 5},
		"/kinds/mine": {Client: 3, Flags: "ephemeral", Session: session},
		item:          {Client: 3, Flags: "sequential", Bytes: 3},
		"/box":        {Client: 3, Flags: "container"},
	} {
		e := r.tree(event.TreeCreated, znode)
		got := event.Event{Client: e.Client, Flags: e.Flags, Session: e.Session, Data: e.Data, Bytes: e.Bytes}
		if znode == "/kinds" && got.Data == "" {
			got.Data, got.Bytes = want.Data, want.Bytes // it had changed when the observer asked
		}
		if fmt.Sprint(got) != fmt.Sprint(want) || e.Cause != "client" {
			t.Errorf("%s was created: %+v, want %+v", znode, e, want)
		}
	}
	if e := r.tree(event.TreeChanged, "/kinds"); e.Data != "changed" || e.Bytes != 7 {
		t.Errorf("/kinds was changed: %+v", e)
	}
	r.must(other.Delete(t.Context(), item))
	if e := r.tree(event.TreeDeleted, item); e.Client != 3 || e.By != 4 || e.Cause != "client" {
		t.Errorf("%s was deleted: %+v, want that of client 3 by client 4", item, e)
	}
	r.must(guest.CloseSession(t.Context()))
	if e := r.tree(event.TreeDeleted, "/kinds/mine"); e.Client != 3 || e.Cause != "close" {
		t.Errorf("/kinds/mine was deleted: %+v, want by the end of its session", e)
	}
	r.untilCount(3, event.LockAcquired)
	r.finish()
	r.verdicts(untold)
	for _, e := range r.all() {
		if e.Kind == event.TreeCreated && r.Describe().Lanes[0].Makes(e.Path) {
			t.Errorf("what the run makes for itself is told: %+v", e)
		}
	}
}

// TestObserverFindsWhatItMissed: while the server is away nothing is told; what guests had
// made is still known then, and what they make next is told.
func TestObserverFindsWhatItMissed(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 2)
	given.Session = scenario.Duration(20 * time.Second)
	r := startOn(t, startNodes(t, 1), given)
	guest := joined(t, r, 30*time.Second, run.Joining{})
	guest.create("/a", wire.Persistent)
	guest.create("/a/b", wire.Persistent)
	r.tree(event.TreeCreated, "/a/b")
	r.injectIntoServers("restart", 0)
	r.untilKind(event.TreeLost, 0)
	r.untilKind(event.TreeSynced, 0)
	again := joined(t, r, 30*time.Second, run.Joining{})
	again.create("/a/c", wire.Persistent)
	r.tree(event.TreeCreated, "/a/c")
	r.finish()
	counts := map[event.Kind]int{}
	for _, e := range r.all() {
		if e.Lane != "" && !r.Describe().Lanes[0].InQueue(e.Path) {
			counts[e.Kind]++
		}
	}
	if counts[event.TreeCreated] != 3 || counts[event.TreeDeleted] != 0 {
		t.Errorf("%d znodes were created and %d deleted, want 3 and none", counts[event.TreeCreated], counts[event.TreeDeleted])
	}
}
