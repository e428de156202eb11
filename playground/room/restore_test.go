package room_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
)

// keepIn lets rooms outlast the program in dir.
func keepIn(dir string) func(*room.Config) {
	return func(c *room.Config) { c.KeepDir = dir }
}

// reopen returns the rooms that a next program finds.
func reopen(tb testing.TB, change ...func(*room.Config)) *house {
	tb.Helper()
	h := open(tb, change...)
	if err := h.Restore(); err != nil {
		tb.Fatal(err)
	}
	return h
}

// watchOnce makes a room one that somebody has used.
func (h *house) watchOnce(r *room.Room) {
	h.Helper()
	leave, err := r.Enter()
	if err != nil {
		h.Fatal(err)
	}
	leave()
}

// end ends a program.
func (h *house) end() {
	h.Helper()
	if err := h.Close(within(h)); err != nil {
		h.Fatal(err)
	}
}

func TestRoomsComeBack(t *testing.T) {
	dir := t.TempDir()
	before := reopen(t, keepIn(dir))
	main, own, unused := before.room(room.Main), before.create(), before.create()
	var runs []string
	for range 3 {
		runs = append(runs, before.startBounded(main).Describe().ID)
	}
	last := before.startBounded(own)
	before.end() // both runs are under way
	length, at := last.Log().Last()

	after := reopen(t, keepIn(dir))
	main, own = after.room(room.Main), after.room(own.Name())
	slices.Reverse(runs)
	if got := ids(main); !slices.Equal(got, runs) {
		t.Errorf("main has %v, want %v", got, runs)
	}
	for _, id := range append(runs, "") {
		if got := after.recorded(main, id); got.State != event.Finished || got.ID != id && id != "" {
			t.Errorf("run %q is recorded as %+v", id, got)
		}
	}
	if got := after.recorded(own, ""); got.ID != last.Describe().ID || got.Events != length || got.At != at {
		t.Errorf("the last run of the other room had %d events, the last at %d, it is recorded as %+v", length, at, got)
	}
	if _, err := after.Get(unused.Name()); !errors.Is(err, room.ErrNoRoom) {
		t.Errorf("a room where nothing was ever done: %v, want %v", err, room.ErrNoRoom)
	}
	if next := after.startBounded(main).Describe().ID; slices.Contains(runs, next) {
		t.Errorf("a run is called as one before: %s", next)
	}
	if got := ids(main); len(got) != 4 || !slices.Equal(got[1:], runs) {
		t.Errorf("main has %v, want a new run and %v", got, runs)
	}
}

// TestRolesComeBack: who was a member of a class, and whose room it was.
func TestRolesComeBack(t *testing.T) {
	dir := t.TempDir()
	anna, ben, teacher := room.Person{ID: "anna"}, room.Person{ID: "ben"}, room.Person{ID: "tom", Teacher: true}
	before := reopen(t, keepIn(dir))
	class, err := before.OpenClass(within(t), teacher)
	if err != nil {
		t.Fatal(err)
	}
	code := class.Class().Code()
	for _, p := range []room.Person{anna, ben} {
		if _, err := before.Join(p, code); err != nil {
			t.Fatal(err)
		}
	}
	class.Class().OfferSeat(true)
	if err := class.Class().TakeSeat(ben); err != nil {
		t.Fatal(err)
	}
	class.Class().Lock(true)
	standing := room.Presented{Run: "r-1", At: 7, Mode: "paused", Speed: 2, Lesson: "herd-effect", Panel: "belief", Subject: "herd 1 ", Section: "a-queue", Shown: 3}
	if err := class.Class().Present(ben, standing); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(class.Class().Vote(anna, "one", 2), class.Class().Vote(ben, "one", 0), class.Class().Vote(ben, "two", 1), class.Class().Reveal("one")); err != nil {
		t.Fatal(err)
	}
	votes := class.Class().Votes(ben, false)
	sandbox, unknown, alone := before.createFor(anna), before.createFor(ben), before.createFor(room.Person{ID: "carl"})
	for _, r := range []*room.Room{sandbox, unknown, alone} {
		before.watchOnce(r)
	}
	state := class.Class().State()
	before.end()
	rewrite(t, filepath.Join(dir, unknown.Name(), "room.json"), func([]byte) []byte { return []byte("a letter") })

	after := reopen(t, keepIn(dir))
	class = after.room(class.Name())
	if got := class.Class(); got == nil || got.Code() != code || got.State() != state {
		t.Fatalf("the class has come back as %+v, want %+v", got, state)
	}
	if got := class.Class().Votes(ben, false); len(got) != 2 || !reflect.DeepEqual(got, votes) {
		t.Errorf("the votes have come back as %+v, want %+v", got, votes)
	}
	want := room.Presented{Seq: 1, Mode: "live", Speed: 1, Lesson: "herd-effect", Panel: "belief", Section: "a-queue", Shown: 3}
	if got := class.Class().Presented(); got != want {
		t.Errorf("presented is %+v, want %+v: the place in the lesson, and no run", got, want)
	}
	if _, err := after.Join(room.Person{ID: "dora"}, code); !errors.Is(err, room.ErrLocked) {
		t.Errorf("Join = %v, want %v", err, room.ErrLocked)
	}
	for _, want := range []struct {
		room   *room.Room
		person room.Person
		role   room.Role
	}{
		{class, anna, room.Student}, {class, ben, room.Driver}, {class, room.Person{ID: "dora"}, room.Stranger},
		{sandbox, anna, room.Owner}, {sandbox, ben, room.Stranger}, {sandbox, teacher, room.Teacher},
		{alone, anna, room.Viewer}, {alone, room.Person{ID: "carl"}, room.Owner},
		{unknown, ben, room.Stranger}, {unknown, anna, room.Stranger}, {unknown, teacher, room.Teacher},
	} {
		if got := after.room(want.room.Name()).RoleOf(want.person); got != want.role {
			t.Errorf("%s is %s in %s, want %s", want.person.ID, got, want.room.Name(), want.role)
		}
	}
	if got := after.DoorsOf(teacher).Class; got != class {
		t.Errorf("the teacher's class is %v, want the one that it has opened", got)
	}
	if got := after.createFor(anna); got.Name() != sandbox.Name() {
		t.Errorf("a new room was made for who has one")
	}
}

// TestKilledProgram: a run that has ended by itself, or made way, is there again; of one
// under way there is what was recorded.
func TestKilledProgram(t *testing.T) {
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	main := h.room(room.Main)
	first := h.startBounded(main).Describe().ID
	second := h.startBounded(main).Describe().ID
	h.recorded(main, first)
	if err := main.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	h.eventually("both runs are listed", func() bool {
		return bytes.Contains(filesOf(t, dir)["main/room.json"], []byte(second))
	})
	third := h.startBounded(main)
	h.eventually("there is a journal of the third", func() bool {
		return len(filesOf(t, dir)["main/"+third.Describe().ID+".journal.zst"]) > 0
	})
	left := copyOf(t, dir)
	rewrite(t, filepath.Join(left, "main", "torn-1.journal.zst"), func([]byte) []byte { return []byte{0x28, 0xb5} }) // it was killed as that began
	after := reopen(t, keepIn(left))
	if got := filesOf(t, left); got["main/torn-1.journal.zst"] != nil || got["main/torn-1.journal.zst.damaged"] != nil {
		t.Error("a journal of no event is still there")
	}
	if got, want := ids(after.room(room.Main)), []string{third.Describe().ID, second, first}; !slices.Equal(got, want) {
		t.Errorf("main has %v, want %v", got, want)
	}
	header, last := after.read(after.room(room.Main), third.Describe().ID)
	if header.State != event.Finished || last.Kind != event.NoteFinished || !last.Reason.Has("server-lost") {
		t.Errorf("the third is %s and ends with %+v, want that its playground was lost", header.State, last)
	}
}

// TestStoppedRunIsKept: when the end of a run is answered, a kill loses nothing of it.
func TestStoppedRunIsKept(t *testing.T) {
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	r := h.create()
	run := h.start(r, 5)
	awaitKind(t, run, event.LockReleased)
	if err := r.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, r.Name(), run.ID()+".ndjson.zst")); err != nil {
		t.Error(err)
	}
}
