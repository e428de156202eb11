package run_test

import (
	"errors"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// A visitor is a go-zookeeper client that takes part in a run as a guest.
type visitor struct {
	*zk.Conn
	guest  *client.Guest
	served sync.WaitGroup
}

// joined has a guest take part whose sessions last for that long.
func joined(t *testing.T, r *watched, session time.Duration, how run.Joining) *visitor {
	t.Helper()
	how.Sessions = chroot.NewSessions()
	if how.Kind == "" {
		how.Kind = event.Guest
	}
	guest, err := r.Join(how)
	r.must(err)
	v := &visitor{guest: guest}
	conn, _, err := zk.Connect([]string{"guest:1"}, session, zk.WithLogger(silent{}), zk.WithHostProvider(&only{}),
		zk.WithDialer(func(_, _ string, _ time.Duration) (net.Conn, error) {
			here, there := net.Pipe()
			v.served.Go(func() { _ = guest.Serve(t.Context(), there) }) // why it ends the log has
			return here, nil
		}))
	r.must(err)
	v.Conn = conn
	t.Cleanup(func() { conn.Close(); v.served.Wait() })
	return v
}

type silent struct{}

func (silent) Printf(string, ...any) {}

// only is a host provider of one address.
type only struct{}

func (*only) Init([]string) error  { return nil }
func (*only) Len() int             { return 1 }
func (*only) Next() (string, bool) { return "guest:1", false }
func (*only) Connected()           {}

// queue creates a contender's znode, as a guest sees its path.
func (v *visitor) queue(r *watched) string {
	r.t.Helper()
	node, err := v.Create("/lock/lock-", nil, zk.FlagEphemeral|zk.FlagSequence, allowAll)
	r.must(err)
	return node
}

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
	node := guest.queue(r)
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
	r.must(guest.Delete(node, -1))
	if e := r.untilDeleted(path); e.Client != 3 || e.Cause != "client" {
		t.Errorf("deleted: %+v, want by client 3", e)
	}
	r.untilKind(event.LockAcquired, waits.Client)
	r.untilCount(3, event.LockAcquired)
	last := guest.queue(r)
	_, err := guest.Create("/deep", nil, 0, allowAll)
	r.must(err)
	_, err = guest.Create("/deep/er", nil, 0, allowAll)
	r.must(err)
	r.finish()
	left := r.untilKind(event.NoteLeft, 3)
	if gone := r.untilDeleted(r.Describe().Lanes[0].Root + last); gone.Seq < left.Seq || gone.Cause != "expiry" {
		t.Errorf("the guest's last znode: %+v, want an expiry after event %d", gone, left.Seq)
	}
	r.verdicts(nil)
}

// TestGuestSeesNothingElse: the lane's root is its "/".
func TestGuestSeesNothingElse(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	names, _, err := guest.Children("/")
	r.must(err)
	if len(names) != 1 || names[0] != "lock" {
		t.Errorf("the guest sees %q, want the lock directory", names)
	}
	r.untilKind(event.NoteJoined, 2)
	if there, _, err := guest.Exists(r.Describe().Lanes[0].Root); err != nil || there {
		t.Errorf("the guest sees the lane's root by its own path: %v, %v", there, err)
	}
}

// TestGuestComesBack: after a lost connection it goes on with its session and its
// number; when it has closed its session it is gone, and another has another number.
func TestGuestComesBack(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	node := guest.queue(r)
	guest.guest.Link().Cut()
	r.untilKind(event.SessionSuspended, 2)
	r.untilKind(event.SessionResumed, 2)
	if there, _, err := guest.Exists(node); err != nil || !there {
		t.Errorf("the guest's znode has gone: %v, %v", there, err)
	}
	guest.Close()
	r.untilKind(event.SessionClosed, 2)
	if left := r.untilKind(event.NoteLeft, 2); left.Why != "it has closed its session" {
		t.Errorf("left: %q", left.Why)
	}
	if other := joined(t, r, 30*time.Second, run.Joining{}).guest.Number(); other != 3 {
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
	guest := joined(t, r, time.Second, run.Joining{})
	node := guest.queue(r)
	r.must(r.Inject(t.Context(), scenario.Fault{Name: client.Crash, Client: 2}))
	gone := r.untilDeleted(r.Describe().Lanes[0].Root + node)
	if gone.Cause != "expiry" {
		t.Errorf("deleted: %+v, want an expiry", gone)
	}
	r.untilKind(event.NoteLeft, 2)
	r.finish()
	r.verdicts(nil)
}

// TestFaultsOfAGuest: those of its link work; those of its program are refused, as that
// is elsewhere.
func TestFaultsOfAGuest(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	guest.queue(r)
	for _, name := range []string{"pause", "close", client.StartAgain} {
		if err := r.Inject(t.Context(), scenario.Fault{Name: name, Client: 2}); !errors.Is(err, client.ErrImpossible) {
			t.Errorf("%s: %v, want %v", name, err, client.ErrImpossible)
		}
	}
	for _, name := range []string{"partition", "partition-in", "partition-out", "slow"} {
		f := scenario.Fault{Name: name, Client: 2}
		if name == "slow" {
			f.Delay = time.Millisecond
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
	node := guest.queue(r)
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "expire", Client: 2}))
	r.untilDeleted(r.Describe().Lanes[0].Root + node)
	r.must(r.Inject(t.Context(), scenario.Fault{Name: "lose-reply", Client: 2}))
	if _, err := guest.Create("/lost", nil, 0, allowAll); err == nil {
		t.Error("the reply was not lost")
	}
}

// TestGuestIsHeldInStepMode: its frames wait as those of the clients.
func TestGuestIsHeldInStepMode(t *testing.T) {
	t.Parallel()
	r := start(t, zktest.Start(t), fast("mutex", 1))
	guest := joined(t, r, 30*time.Second, run.Joining{})
	guest.queue(r)
	_, err := r.Step(t.Context(), step.Command{Do: step.On})
	r.must(err)
	answered := make(chan error, 1)
	go func() {
		_, err := guest.Create("/held", nil, 0, allowAll)
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
	go func() { _, _, _ = late.Get("/lock") }()
	r.until("the late guest's request is held", func(e event.Event) bool {
		return e.Kind == event.WireHeld && e.Client == 3 && e.Op == "getData"
	})
}
