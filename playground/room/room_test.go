package room_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

func TestMainRoomIsThereWithoutARun(t *testing.T) {
	r := open(t).room(room.Main)
	if run, changed := r.Current(); run != nil || changed == nil || r.Name() != "main" {
		t.Errorf("room %q has run %v, channel %v; want no run", r.Name(), run, changed)
	}
	if err := r.Stop(within(t)); err != nil {
		t.Errorf("Stop without a run: %v", err)
	}
}

func TestStartReplacesTheRunBefore(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	first := h.start(r, 3)
	awaitKind(t, first, event.LockAcquired)
	_, changed := r.Current()
	second := h.start(r, 2)

	if current, _ := r.Current(); current != second {
		t.Error("the current run is not the one started last")
	}
	<-changed
	if !finished(first) {
		t.Errorf("the run before is %s, want finished", first.State())
	}
	before, now := first.Describe(), second.Describe()
	if before.ID == now.ID || now.Room != room.Main || now.Clients != 2 || now.ZooKeeper.Version != "3.8.0" {
		t.Errorf("runs %+v and then %+v", before, now)
	}
	for _, node := range h.nodes(h.base) {
		if node == h.base+"/rooms/main/"+before.ID {
			t.Errorf("%s is left of the run before", node)
		}
	}
	awaitKind(t, second, event.LockAcquired)
}

func TestRefusedScenarioLeavesTheRunAlone(t *testing.T) {
	h := open(t, func(c *room.Config) { c.MaxClients = 4 })
	r := h.room(room.Main)
	run := h.start(r, 4)
	for _, clients := range []int{-1, 0, 5, 1e9} {
		if _, err := r.Start(within(t), quick(clients)); !errors.Is(err, scenario.ErrInvalid) {
			t.Errorf("Start with %d clients: %v, want %v", clients, err, scenario.ErrInvalid)
		}
	}
	crowded := quick(1)
	for _, name := range []string{"second", "third", "fourth"} {
		crowded.Lanes = append(crowded.Lanes, scenario.Lane{Name: name, Recipe: "mutex"})
	}
	if _, err := r.Start(within(t), crowded); !errors.Is(err, scenario.ErrInvalid) {
		t.Errorf("Start with four lanes: %v, want %v", err, scenario.ErrInvalid)
	}
	if current, _ := r.Current(); current != run || run.State() != event.Running {
		t.Errorf("run %v is %s, want the same, running", current.Describe().ID, run.State())
	}
	if h.MaxClients() != 4 {
		t.Errorf("MaxClients = %d, want 4", h.MaxClients())
	}
}

func TestStopWaitsForTheEnd(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run := h.start(r, 3)
	awaitKind(t, run, event.LockReleased)
	if err := r.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if !finished(run) || !run.Log().Sealed() {
		t.Errorf("after Stop the run is %s", run.State())
	}
	if left := h.nodes(h.base); left != nil {
		t.Errorf("left on ZooKeeper: %v", left)
	}
	if current, _ := r.Current(); current != run {
		t.Error("the finished run cannot be looked at any more")
	}
	if err := r.Stop(within(t)); err != nil {
		t.Errorf("Stop once more: %v", err)
	}
}

func TestStopGivesUpWithItsContext(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	h.start(r, 3)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if err := r.Stop(over); err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("Stop = %v, want nil or %v", err, context.Canceled)
	}
}

func TestEachChangeIsTold(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	_, changed := r.Current()
	run := h.start(r, 1)
	<-changed
	_, changed = r.Current()
	run.Stop()
	for run.State() != event.Finished {
		select {
		case <-changed:
			_, changed = r.Current()
		case <-within(t).Done():
			t.Fatalf("no change was told, the run is %s", run.State())
		}
	}
}

func TestStartsTakeTurns(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	runs := make([]*run.Run, 4)
	var starting sync.WaitGroup
	for i := range runs {
		starting.Go(func() {
			var err error
			if runs[i], err = r.Start(within(t), quick(2)); err != nil {
				t.Error(err)
			}
		})
	}
	starting.Wait()
	current, _ := r.Current()
	running := slices.DeleteFunc(slices.Clone(runs), finished)
	if len(running) != 1 || running[0] != current {
		t.Errorf("%d of %d runs are running, want the current one alone", len(running), len(runs))
	}
}

func TestStartWhoseTimeIsOverStopsNothing(t *testing.T) {
	h := open(t)
	r := h.room(room.Main)
	run := h.start(r, 2)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := r.Start(over, quick(2)); !errors.Is(err, context.Canceled) {
		t.Errorf("Start = %v, want %v", err, context.Canceled)
	}
	if run.State() != event.Running {
		t.Errorf("the run is %s, want running", run.State())
	}
}

// TestSharedIsMadeOnce for all who ask with the same key, until the room changes.
func TestSharedIsMadeOnce(t *testing.T) {
	h := open(t)
	r := h.openClass()
	var made atomic.Int64
	for change := range int64(3) {
		_, changed := r.Current()
		r.Class().Lock(change%2 == 0)
		<-changed
		var asking sync.WaitGroup
		for i := range 50 {
			asking.Go(func() {
				if got := r.Shared(i%2, func() any { made.Add(1); return i % 2 }); got != i%2 {
					t.Errorf("who asks for %d gets %v", i%2, got)
				}
			})
		}
		asking.Wait()
		if got, want := made.Load(), 2*(change+1); got != want {
			t.Errorf("after %d changes %d were made, want %d", change+1, got, want)
		}
	}
}
