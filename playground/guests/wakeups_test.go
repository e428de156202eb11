package guests_test

import (
	"strings"
	"testing"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestWakeupsOfGuests: the cost of guests that all watch the queue is that of a herd, though they
// tell nothing: two are woken, one of them for nothing, and then one.
func TestWakeupsOfGuests(t *testing.T) {
	h := open(t, zktest.Start(t), nil)
	run := h.start(h.room(room.Main), 1)
	run.untilKind(event.LockReleased, 1)
	h.must(run.Inject(h.within(), scenario.Fault{Name: "close", Client: 1}))
	run.untilKind(event.SessionClosed, 1)
	var guests []*zk.Conn
	var nodes []string
	for range 3 {
		conn := h.connected(h.address(room.Main))
		node, err := conn.Create("/lock/lock-", nil, zk.FlagEphemeral|zk.FlagSequence, zk.WorldACL(zk.PermAll))
		h.must(err)
		guests, nodes = append(guests, conn), append(nodes, node)
	}
	watch := func(i int) <-chan zk.Event {
		_, _, fired, err := guests[i].ChildrenW("/lock")
		h.must(err)
		return fired
	}
	leave := func(i int) { h.must(guests[i].Delete(nodes[i], -1)) }
	before := run.Summary().Lanes[0]
	second, third := watch(1), watch(2)
	leave(0)
	<-second
	<-third
	third = watch(2)
	leave(1)
	<-third
	leave(2)
	for range nodes {
		run.until("a guest's znode goes", func(e event.Event) bool {
			return e.Kind == event.TreeDeleted && e.Client > 1 && strings.Contains(e.Path, "lock-")
		})
	}
	run.until("the tree is known", func(e event.Event) bool { return e.Kind == event.TreeSynced })
	after := run.Summary().Lanes[0]
	if woken, wasted := after.Wakeups-before.Wakeups, after.WastedWakeups-before.WastedWakeups; woken != 3 || wasted != 1 {
		t.Errorf("%d woken, %d of them for nothing; want 3 and 1", woken, wasted)
	}
	if rounds, woken := after.Rounds.Complete-before.Rounds.Complete, after.Rounds.Wakeups-before.Rounds.Wakeups; rounds != 3 || woken != 3 {
		t.Errorf("%d releases woke %d; want 3 and 3", rounds, woken)
	}
	run.finish()
}
