package run_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestGuestsWaitForEachOther makes the requests of the lock for readers and writers of
// kazoo 2.8.0: a reader watches the last writer, which comes behind it and watches the
// reader. When the writer ahead of both has released nobody goes on.
func TestGuestsWaitForEachOther(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	var guests []*visitor
	for range 3 {
		guests = append(guests, joined(t, r, 4*time.Second, run.Joining{}))
	}
	ahead, reader, writer := guests[0], guests[1], guests[2]
	ahead.create("/kazoo", wire.Persistent)
	queue := func(v *visitor, id, kind string) string {
		return v.create("/kazoo/"+strings.Repeat(id, 32)+kind, wire.EphemeralSequential)
	}
	first, read, last := queue(ahead, "a", "__lock__"), queue(reader, "b", "__rlock__"), queue(writer, "c", "__lock__")
	watch := func(v *visitor, znode string) {
		_, _, err := v.GetDataWatch(t.Context(), znode, func(wire.Code) {})
		r.must(err)
	}
	watch(reader, last)
	watch(writer, read)
	r.must(ahead.Delete(t.Context(), first))
	violated := r.until("progress is violated", func(e event.Event) bool {
		return e.Kind == event.CheckChanged && e.Check == "progress" && e.Verdict == event.Violated
	})
	root := r.Describe().Lanes[0].Root
	if want := "guest 3 watches the znode " + root + last + " of guest 4, guest 4 watches the znode " + root + read + " of guest 3"; !strings.HasPrefix(violated.Why, want) {
		t.Errorf("because %q, want %q", violated.Why, want)
	}
	r.must(writer.Delete(t.Context(), last)) // the reader goes on
	r.finish()
}

// TestGuestLeavesAnUnansweredZnode: the answer to a create is lost with the connection. The
// guest goes on with its session and makes another znode instead.
func TestGuestLeavesAnUnansweredZnode(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "lose-reply", Client: 2}))
	id, password, _ := guest.Client.Session()
	if _, err := guest.CreateNode(t.Context(), wire.NewNode{Path: "/lock/lock-", ACL: wire.OpenACL(), Mode: wire.EphemeralSequential}); err == nil {
		t.Fatal("the reply was not lost")
	}
	lost := r.untilKind(event.TreeCreated, 2)
	guest.connect(wire.Options{SessionID: id, Password: password})
	guest.queue()
	violated := r.until("an orphan is found", func(e event.Event) bool {
		return e.Kind == event.CheckChanged && e.Check == "orphans" && e.Verdict == event.Violated
	})
	if want := "guest 2 was never told that it had created " + lost.Path; !strings.HasPrefix(violated.Why, want) {
		t.Errorf("because %q, want %q", violated.Why, want)
	}
	r.finish()
}
