package room_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestCloseEndsEverything(t *testing.T) {
	// The default base is asked for here: it must be gone in the end as well.
	h := open(t, func(c *room.Config) { c.Base = "" })
	var runs []*run.Run
	for _, r := range []*room.Room{h.room(room.Main), h.create(), h.create()} {
		run := h.start(r, 3)
		awaitKind(t, run, event.LockAcquired)
		runs = append(runs, run)
	}
	if len(h.nodes("/playground")) == 0 {
		t.Fatal("the runs are not below /playground")
	}
	if err := h.Close(within(t)); err != nil {
		t.Fatal(err)
	}
	for _, run := range runs {
		if !finished(run) {
			t.Errorf("run %s is %s", run.Describe().ID, run.State())
		}
	}
	if left := h.nodes("/playground"); left != nil {
		t.Errorf("left on ZooKeeper: %v", left)
	}
}

// TestCloseAfterARunThatEndedBadly: what that could not clean up, as ZooKeeper was away,
// has been told, and is the sweep's.
func TestCloseAfterARunThatEndedBadly(t *testing.T) {
	server := zktest.StartOwn(t, zkserver.Config{})
	h := open(t, func(c *room.Config) {
		c.Servers, c.EndTimeout = []string{server.Address()}, 3*time.Second
	})
	run := h.start(h.room(room.Main), 1)
	awaitKind(t, run, event.LockAcquired)
	pid := server.Managed().PID()
	if err := zktest.Freeze(pid); err != nil {
		t.Fatal(err)
	}
	run.Stop()
	err := run.Wait(within(t))
	if thawed := zktest.Thaw(pid); thawed != nil {
		t.Fatal(thawed)
	}
	if err == nil {
		t.Fatal("the run has ended well without ZooKeeper")
	}
	if err := h.Close(within(t)); err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestNothingStartsAfterClose(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	if err := h.Close(within(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Start(within(t), quick(1)); !errors.Is(err, room.ErrClosed) {
		t.Errorf("Start = %v, want %v", err, room.ErrClosed)
	}
	if _, err := h.Create(within(t), room.Person{}); !errors.Is(err, room.ErrClosed) {
		t.Errorf("Create = %v, want %v", err, room.ErrClosed)
	}
	if err := h.Close(within(t)); err != nil {
		t.Errorf("Close once more: %v", err)
	}
}

func TestCloseWaitsForAStartUnderWay(t *testing.T) {
	arrived, pass := make(chan struct{}), make(chan struct{})
	h := open(t, func(c *room.Config) {
		c.Gate = func(ctx context.Context) error {
			close(arrived)
			select {
			case <-ctx.Done(): // the start is broken off
				<-pass
				return context.Cause(ctx)
			case <-pass:
				return errors.New("the start was not broken off")
			}
		}
	})
	r := h.room(room.Main)
	started, closed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := r.Start(within(t), quick(1)); started <- err }()
	<-arrived
	go func() { closed <- h.Close(within(t)) }()
	for r := h.room(room.Main); ; { // until the room has closed
		over, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := r.Start(over, quick(1)); errors.Is(err, room.ErrClosed) {
			break
		}
	}
	select {
	case err := <-closed:
		t.Fatalf("Close = %v before the start had ended", err)
	default:
	}
	close(pass)
	if err := <-started; !errors.Is(err, room.ErrClosed) {
		t.Errorf("Start = %v, want %v", err, room.ErrClosed)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestStartWithoutZooKeeper(t *testing.T) {
	h := open(t, func(c *room.Config) { c.Servers = []string{"127.0.0.1:1"} })
	r := h.room(room.Main)
	if _, err := r.Start(within(t), quick(1)); !errors.Is(err, room.ErrZooKeeper) {
		t.Errorf("Start = %v, want %v", err, room.ErrZooKeeper)
	}
	if run, _ := r.Current(); run != nil {
		t.Error("the room has a run that did not start")
	}
}

func TestFullLogEndsTheRun(t *testing.T) {
	h := open(t, func(c *room.Config) { c.LogLimit = 20_000 })
	run := h.start(h.room(room.Main), 3)
	awaitKind(t, run, event.NoteTruncated)
	if err := run.Wait(within(t)); err != nil {
		t.Errorf("the run ended with %v", err)
	}
	if left := h.nodes(h.base); left != nil {
		t.Errorf("left on ZooKeeper: %v", left)
	}
}
