package run_test

import (
	"cmp"
	"context"
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A visitor is a guest, with the client that is its program.
type visitor struct {
	*wire.Client
	*client.Guest
	t       *testing.T
	session time.Duration
	served  sync.WaitGroup
}

// joined has a guest take part and open a session of that length.
func joined(t *testing.T, r *watched, session time.Duration, how run.Joining) *visitor {
	t.Helper()
	how.Sessions = chroot.NewSessions()
	how.Kind = cmp.Or(how.Kind, event.Guest)
	guest, err := r.Join(how)
	r.must(err)
	v := &visitor{Guest: guest, t: t, session: session}
	t.Cleanup(v.served.Wait)
	v.connect(wire.Options{})
	return v
}

// connect gives the guest's program a new connection.
func (v *visitor) connect(o wire.Options) {
	v.t.Helper()
	o.Timeout = v.session
	o.DialContext = func(context.Context, string, string) (net.Conn, error) {
		here, there := net.Pipe()
		v.served.Go(func() { _ = v.Serve(context.WithoutCancel(v.t.Context()), there) }) // why it ends the log has
		return here, nil
	}
	conn, err := wire.Dial(v.t.Context(), "the playground", o)
	if err != nil {
		v.t.Fatal(err)
	}
	v.Client = conn
	v.t.Cleanup(conn.Close)
}

// create creates a znode, by the guest's path.
func (v *visitor) create(path string, mode wire.CreateMode) string {
	v.t.Helper()
	node, err := v.CreateNode(v.t.Context(), wire.NewNode{Path: path, ACL: wire.OpenACL(), Mode: mode})
	if err != nil {
		v.t.Fatal(err)
	}
	return node
}

// queue creates a contender's znode.
func (v *visitor) queue() string { return v.create("/lock/lock-", wire.EphemeralSequential) }

// TestGuestInTheQueue: a guest's znode stands in the queue, the clients behind it wait
// until the guest deletes it, and all of that is the guest's in the log. The end of the
// run ends the guest's session, with what it has left.
func TestGuestInTheQueue(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 2))
	guest := joined(t, r, 30*time.Second, run.Joining{From: "a test"})
	told := r.untilKind(event.NoteJoined, 3)
	if told.Lane != "lane" || told.Participant != event.Guest || told.Why != "a test" {
		t.Errorf("joined: %+v", told)
	}
	node := guest.queue()
	if !strings.HasPrefix(node, "/lock/lock-") {
		t.Errorf("the guest is told of %s", node)
	}
	path := r.Describe().Lanes[0].Root + node
	if e := r.untilKind(event.TreeCreated, 3); e.Path != path || e.Cause != "client" {
		t.Errorf("created: %+v, want %s by a client", e, path)
	}
	waits := r.until("somebody waits behind the guest", func(e event.Event) bool {
		return e.Kind == event.LockWaiting && e.Predecessor == path
	})
	r.must(guest.Delete(t.Context(), node))
	if e := r.untilDeleted(path); e.Client != 3 || e.Cause != "client" {
		t.Errorf("deleted: %+v, want by client 3", e)
	}
	r.untilKind(event.LockAcquired, waits.Client)
	r.untilCount(3, event.LockAcquired)
	last := guest.queue()
	guest.create("/deep", wire.Persistent)
	guest.create("/deep/er", wire.Persistent)
	r.finish()
	left := r.untilKind(event.NoteLeft, 3)
	if gone := r.untilDeleted(r.Describe().Lanes[0].Root + last); gone.Seq < left.Seq || gone.Cause != "expiry" {
		t.Errorf("the guest's last znode: %+v, want an expiry after event %d", gone, left.Seq)
	}
	r.verdicts(untold)
}

// TestGuestSeesNothingElse: the lane's root is its "/".
func TestGuestSeesNothingElse(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	names, _, err := guest.Children(t.Context(), "/")
	r.must(err)
	if len(names) != 1 || names[0] != "lock" {
		t.Errorf("the guest sees %q, want the lock directory", names)
	}
	r.untilKind(event.NoteJoined, 2)
	if _, err := guest.Exists(t.Context(), r.Describe().Lanes[0].Root); !errors.Is(err, wire.NoNode) {
		t.Errorf("the guest sees the lane's root by its own path: %v", err)
	}
}

// TestGuestComesBack: after a lost connection it goes on with its session and its
// number; when it has closed its session it is gone, and another has another number.
func TestGuestComesBack(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	node := guest.queue()
	id, password, _ := guest.Client.Session()
	guest.Link().Cut()
	r.untilKind(event.SessionSuspended, 2)
	guest.connect(wire.Options{SessionID: id, Password: password})
	r.untilKind(event.SessionResumed, 2)
	if _, err := guest.Exists(t.Context(), node); err != nil {
		t.Errorf("the guest's znode: %v", err)
	}
	r.must(guest.CloseSession(t.Context()))
	r.untilKind(event.SessionClosed, 2)
	if left := r.untilKind(event.NoteLeft, 2); left.Why != "it has closed its session" {
		t.Errorf("left: %q", left.Why)
	}
	if other := joined(t, r, 30*time.Second, run.Joining{}).Number(); other != 3 {
		t.Errorf("the next guest is client %d, want 3", other)
	}
	if err := r.Inject(t.Context(), scenario.Fault{Name: "expire", Client: 2}); !errors.Is(err, step.ErrNoClient) && !errors.Is(err, client.ErrImpossible) {
		t.Errorf("a fault of a guest that has left: %v", err)
	}
}

// TestGuestStaysAway: one that does not come back to its session has left.
func TestGuestStaysAway(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	r.untilCount(3, event.LockAcquired)
	guest := joined(t, r, 4*time.Second, run.Joining{})
	node := guest.queue()
	r.must(r.Inject(t.Context(), scenario.Fault{Name: client.Crash, Client: 2}))
	gone := r.untilDeleted(r.Describe().Lanes[0].Root + node)
	if gone.Cause != "expiry" {
		t.Errorf("deleted: %+v, want an expiry", gone)
	}
	r.untilKind(event.NoteLeft, 2)
	r.finish()
	r.verdicts(untold)
}

// TestFaultsOfAGuest: those of its link work; those of its program are refused, as that
// is elsewhere.
func TestFaultsOfAGuest(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	guest.queue()
	for _, name := range []string{"pause", "close", client.StartAgain} {
		if err := r.Inject(t.Context(), scenario.Fault{Name: name, Client: 2}); !errors.Is(err, client.ErrImpossible) {
			t.Errorf("%s: %v, want %v", name, err, client.ErrImpossible)
		}
	}
	for _, name := range []string{"partition", "partition-in", "partition-out", "slow"} {
		f := scenario.Fault{Name: name, Client: 2}
		if name == "slow" {
			f.Delay = scenario.Duration(time.Millisecond)
		}
		r.must(r.Inject(t.Context(), f))
		r.untilKind(event.FaultInjected, 2)
		r.must(r.Inject(t.Context(), scenario.Fault{Name: client.Heal, Client: 2}))
		r.untilKind(event.FaultHealed, 2)
	}
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "delete", Client: 2}))
	if e := r.untilKind(event.TreeDeleted, 2); e.Cause != "outsider" {
		t.Errorf("an operator's delete: %+v", e)
	}
	node := guest.queue()
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "expire", Client: 2}))
	r.untilDeleted(r.Describe().Lanes[0].Root + node)
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "lose-reply", Client: 2}))
	if _, err := guest.CreateNode(t.Context(), wire.NewNode{Path: "/lost", ACL: wire.OpenACL()}); err == nil {
		t.Error("the reply was not lost")
	}
}

// TestScheduledFaultsOfGuests: a scenario names a guest by the number that it will have. The
// fault waits until the guest has joined, and if it never does, the log says so.
func TestScheduledFaultsOfGuests(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 1)
	for client := 2; client <= 3; client++ {
		given.Faults = append(given.Faults, scenario.ScheduledFault{Fault: scenario.Fault{Name: "partition", Client: client}})
	}
	r := start(t, zktest.Start(t), given)
	r.untilCount(3, event.LockAcquired)
	joined(t, r, 30*time.Second, run.Joining{})
	if e := r.untilKind(event.FaultInjected, 2); e.Fault != "partition" {
		t.Errorf("injected: %+v", e)
	}
	r.finish()
	if e := r.untilKind(event.NoteFault, 3); !strings.Contains(e.Why, "guest 3 has not joined") {
		t.Errorf("of who is not there: %q", e.Why)
	}
}

// TestGuestIsHeldInStepMode: its frames wait as those of the clients.
func TestGuestIsHeldInStepMode(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	guest.queue()
	_, err := r.Step(t.Context(), step.Command{Do: step.On})
	r.must(err)
	answered := make(chan error, 1)
	go func() {
		_, err := guest.CreateNode(t.Context(), wire.NewNode{Path: "/held", ACL: wire.OpenACL()})
		answered <- err
	}()
	sent := r.until("the guest's create", func(e event.Event) bool {
		return e.Kind == event.WireSent && e.Client == 2 && strings.HasSuffix(e.Path, "/held")
	})
	for _, dir := range []event.Direction{event.Out, event.In} {
		frame := sent.Frame
		if dir == event.In {
			frame = r.until("the reply is held", func(e event.Event) bool {
				return e.Kind == event.WireHeld && e.Client == 2 && e.Dir == event.In && e.Op == "create"
			}).Frame
		}
		select {
		case err := <-answered:
			t.Fatalf("answered before it is delivered: %v", err)
		default:
		}
		_, err := r.Step(t.Context(), step.Command{Do: step.Deliver, Lane: "lane", Client: 2, Dir: dir, Frame: frame})
		r.must(err)
	}
	r.must(<-answered)
	late := joined(t, r, 30*time.Second, run.Joining{}) // whoever comes later is held as well
	asking, cancel := context.WithCancel(t.Context())
	var asked sync.WaitGroup
	asked.Go(func() { _, _, _ = late.GetData(asking, "/lock") })
	defer asked.Wait()
	defer cancel()
	r.until("the late guest's request is held", func(e event.Event) bool {
		return e.Kind == event.WireHeld && e.Client == 3 && e.Op == "getData"
	})
}
