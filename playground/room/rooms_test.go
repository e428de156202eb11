package room_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

func TestGetKnowsOnlyWhatExists(t *testing.T) {
	h := open(t)
	for _, name := range []string{"", "nowhere", "MAIN", "../main", "main/x"} {
		if _, err := h.Get(name); !errors.Is(err, room.ErrNoRoom) {
			t.Errorf("Get(%q) = %v, want %v", name, err, room.ErrNoRoom)
		}
	}
	made := h.create()
	if got := h.room(made.Name()); got != made {
		t.Error("Get returns another room than Create")
	}
}

func TestTwoRoomsDoNotMeet(t *testing.T) {
	h := open(t)
	one, other := h.room(room.Main), h.create()
	first, second := h.start(one, 3), h.start(other, 3)
	awaitKind(t, first, event.LockReleased)
	awaitKind(t, second, event.LockReleased)
	if err := one.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if second.State() != event.Running {
		t.Errorf("the other room's run is %s, want running", second.State())
	}
	seen := second.Log().Len()
	if err := second.Log().Wait(within(t), seen+20); err != nil {
		t.Errorf("the other room's log stands still: %v", err)
	}
	if a, b := first.Describe().Lanes[0].Path, second.Describe().Lanes[0].Path; a == b {
		t.Errorf("both contend at %s", a)
	}
}

func TestRoomsAreLimited(t *testing.T) {
	h := open(t, func(c *room.Config) { c.MaxRooms = 3 })
	h.create()
	h.create()
	if _, err := h.Create(within(t), room.Person{}); !errors.Is(err, room.ErrFull) {
		t.Errorf("Create beyond the limit = %v, want %v", err, room.ErrFull)
	}
}

func TestLongestIdleRoomMakesWay(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.MaxRooms, c.IdleTime, c.Now = 4, time.Minute, clock.Now })
	oldest := h.create()
	clock.pass(time.Second)
	old := h.create()
	clock.pass(time.Minute - time.Millisecond)
	h.create()
	clock.pass(time.Minute)
	newest := h.create()
	if _, err := h.Get(oldest.Name()); !errors.Is(err, room.ErrNoRoom) {
		t.Errorf("Get(longest idle) = %v, want %v", err, room.ErrNoRoom)
	}
	for _, r := range []*room.Room{old, newest, h.room(room.Main)} {
		h.room(r.Name())
	}
	if _, err := oldest.Start(within(t), quick(1)); !errors.Is(err, room.ErrNoRoom) {
		t.Errorf("Start in a room that made way = %v, want %v", err, room.ErrNoRoom)
	}
}

// TestCreateThatFailsLeavesNoRoom: a call that does not wait until the old room
// has closed gets no new one, and does not take its place either.
func TestCreateThatFailsLeavesNoRoom(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.MaxRooms, c.IdleTime, c.Now = 2, time.Minute, clock.Now })
	old := h.create()
	run := h.start(old, 1)
	clock.pass(time.Minute + 1)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := h.Create(over, room.Person{}); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("Create = %v, %v, want no room and %v", r, err, context.Canceled)
	}
	if _, err := h.Get(old.Name()); !errors.Is(err, room.ErrNoRoom) {
		t.Errorf("Get(the room that makes way) = %v, want %v", err, room.ErrNoRoom)
	}
	h.room(h.create().Name())
	if !finished(run) {
		t.Error("the run of the room that made way goes on")
	}
	if n := h.count(); n != 2 {
		t.Errorf("%d rooms, want 2", n)
	}
}

// TestRoomThatCannotCleanUpMakesWay: what its run leaves on ZooKeeper is no
// reason to refuse a new room.
func TestRoomThatCannotCleanUpMakesWay(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.MaxRooms, c.IdleTime, c.Now = 2, time.Minute, clock.Now })
	run := h.start(h.create(), 1)
	guest := run.Describe().Lanes[0].Path + "/guest"
	for _, node := range []string{guest, guest + "/below"} {
		if _, err := h.conn.Create(node, nil, 0, zk.WorldACL(zk.PermAll)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.conn.SetACL(guest, zk.WorldACL(zk.PermRead|zk.PermAdmin), -1); err != nil { // nobody may delete what is below it
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := h.conn.SetACL(guest, zk.WorldACL(zk.PermAll), -1); err != nil {
			t.Error(err)
		}
	})
	clock.pass(time.Minute + 1)
	h.room(h.create().Name())
	if n := h.count(); n != 2 {
		t.Errorf("%d rooms, want 2", n)
	}
}

// TestRoomsInUseStay: a room stays while somebody watches it; a run alone keeps
// no place, and ends when its room makes way.
func TestRoomsInUseStay(t *testing.T) {
	clock := newClock()
	h := open(t, func(c *room.Config) { c.MaxRooms, c.IdleTime, c.Now = 3, time.Minute, clock.Now })
	watched, running := h.create(), h.create()
	leave, err := watched.Enter()
	if err != nil {
		t.Fatal(err)
	}
	run := h.start(running, 1)
	if _, err := h.Create(within(t), room.Person{}); !errors.Is(err, room.ErrFull) {
		t.Errorf("Create with all rooms in use = %v, want %v", err, room.ErrFull)
	}
	leave() // counts as use
	if _, err := h.Create(within(t), room.Person{}); !errors.Is(err, room.ErrFull) {
		t.Errorf("Create with a room just left = %v, want %v", err, room.ErrFull)
	}
	if _, err = watched.Enter(); err != nil {
		t.Fatal(err)
	}
	clock.pass(time.Minute + 1)
	h.create()
	h.room(watched.Name())
	if _, err := h.Get(running.Name()); !errors.Is(err, room.ErrNoRoom) || !finished(run) {
		t.Errorf("Get(unwatched room) = %v, want %v and its run ended", err, room.ErrNoRoom)
	}
}

func TestViewersAreLimited(t *testing.T) {
	r := open(t, func(c *room.Config) { c.MaxViewers = 2 }).room(room.Main)
	var leave func()
	for range 2 {
		var err error
		if leave, err = r.Enter(); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Enter(); !errors.Is(err, room.ErrFull) || r.Viewers() != 2 {
		t.Errorf("Enter = %v with %d viewers, want %v with 2", err, r.Viewers(), room.ErrFull)
	}
	leave()
	if _, err := r.Enter(); err != nil {
		t.Errorf("Enter after one has left: %v", err)
	}
}

func TestZooKeeperIsNotedInRunsUnderWay(t *testing.T) {
	h := open(t)
	over, running := h.room(room.Main), h.create()
	done := h.start(over, 1)
	if err := over.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	length := done.Log().Len()
	run := h.start(running, 1)
	_, changed := over.Current()
	h.NoteZooKeeper(event.Text("it went for a walk"))
	awaitKind(t, run, event.NoteZooKeeper)
	if done.Log().Len() != length {
		t.Error("the finished run's log has grown")
	}
	select {
	case <-changed:
	default:
		t.Error("the viewers of the other room were not told")
	}
}

// TestRemovalThatIsBrokenOffGoesOn: who asked for it has gone, and nobody needs the place.
func TestRemovalThatIsBrokenOffGoesOn(t *testing.T) {
	h := open(t)
	r := h.create()
	run := h.start(r, 2)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if err := h.Remove(gone, r); !errors.Is(err, context.Canceled) {
		t.Errorf("Remove = %v, want %v", err, context.Canceled)
	}
	h.eventually("the room gives up its place", func() bool { return h.count() == 1 })
	if !finished(run) {
		t.Errorf("its run is %s", run.State())
	}
	if err := h.Remove(within(t), r); err != nil {
		t.Errorf("Remove once more = %v", err)
	}
}
