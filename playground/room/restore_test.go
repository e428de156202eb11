package room_test

import (
	"bytes"
	"errors"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
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

// filesOf are the files below dir, and what is in them.
func filesOf(tb testing.TB, dir string) map[string][]byte {
	tb.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "lock" {
			return err
		}
		text, err := os.ReadFile(name)
		files[strings.TrimPrefix(name, dir+"/")] = text
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

// copyOf is a directory with the same files: what a program that is killed now leaves.
func copyOf(tb testing.TB, dir string) string {
	tb.Helper()
	to := tb.TempDir()
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		tb.Fatal(err)
	}
	return to
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
	class, err := before.OpenClass(within(t))
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
	if got := after.createFor(anna); got.Name() != sandbox.Name() {
		t.Errorf("a new room was made for who has one")
	}
}

// TestKilledProgram: a run that has ended by itself, or made way, is there again.
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
	h.startBounded(main) // it is lost
	after := reopen(t, keepIn(copyOf(t, dir)))
	if got := ids(after.room(room.Main)); !slices.Equal(got, []string{second, first}) {
		t.Errorf("main has %v, want %v", got, []string{second, first})
	}
}

func TestDamagedFilesArePutAside(t *testing.T) {
	origin := t.TempDir()
	h := reopen(t, keepIn(origin))
	main := h.room(room.Main)
	one, two := h.startBounded(main).Describe().ID, h.startBounded(main).Describe().ID
	h.end()
	cut := func(text []byte) []byte { return text[:len(text)-100] }
	letter := func([]byte) []byte { return []byte("a letter") }
	tests := []struct {
		name   string
		change map[string]func([]byte) []byte // of files; what becomes nil is removed
		want   []string
		told   string // in the log
	}{
		{"nothing", nil, []string{two, one}, ""},
		{"recording cut off", map[string]func([]byte) []byte{one: cut}, []string{two}, one + ".ndjson.zst.damaged"},
		{"recording empty", map[string]func([]byte) []byte{two: func([]byte) []byte { return []byte{} }}, []string{one}, two + ".ndjson.zst.damaged"},
		{"something else", map[string]func([]byte) []byte{one: letter, two: letter}, nil, one + ".ndjson.zst.damaged"},
		{"recording gone", map[string]func([]byte) []byte{one: func([]byte) []byte { return nil }}, []string{two}, "a kept run is missing"},
		{"room's file", map[string]func([]byte) []byte{"": letter}, []string{two, one}, "room.json.damaged"},
		{"of a later version", map[string]func([]byte) []byte{"": func([]byte) []byte { return []byte(`{"version": 99}`) }}, []string{two, one}, "room.json.damaged"},
		{"room's file gone", map[string]func([]byte) []byte{"": func([]byte) []byte { return nil }}, []string{two, one}, ""},
		{"room's file gone, recording cut off", map[string]func([]byte) []byte{"": func([]byte) []byte { return nil }, one: cut}, []string{two}, one + ".ndjson.zst.damaged"},
		{"runs that are no names", map[string]func([]byte) []byte{"": func([]byte) []byte {
			return []byte(`{"version": 1, "runs": [{"id": "../../secret", "bytes": 3}, {"id": "", "bytes": 3}]}`)
		}}, []string{two, one}, "a kept run is missing"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := copyOf(t, origin)
			for id, change := range test.change {
				name := filepath.Join(dir, room.Main, "room.json")
				if id != "" {
					name = filepath.Join(dir, room.Main, id+".ndjson.zst")
				}
				rewrite(t, name, change)
			}
			rewrite(t, filepath.Join(dir, room.Main, "x.ndjson.zst.partial"), letter)
			var log bytes.Buffer
			after := reopen(t, keepIn(dir), func(c *room.Config) { c.Log = slog.New(slog.NewTextHandler(&log, nil)) })
			got := ids(after.room(room.Main))
			if slices.Sort(got); len(got) != len(test.want) || !slices.Equal(got, slices.Sorted(slices.Values(test.want))) {
				t.Errorf("there are %v, want %v", got, test.want)
			}
			if told := log.String(); !strings.Contains(told, test.told) || test.told == "" && told != "" {
				t.Errorf("the log has %q, want %q", told, test.told)
			}
			for _, id := range got {
				after.recorded(after.room(room.Main), id)
			}
			if _, left := filesOf(t, dir)["main/x.ndjson.zst.partial"]; left {
				t.Error("what was half written is left")
			}
			after.end()
			if again := reopen(t, keepIn(dir)); len(ids(again.room(room.Main))) != len(test.want) {
				t.Errorf("the next time there are %v, want %v", ids(again.room(room.Main)), test.want)
			}
		})
	}
}

// rewrite changes a file, or removes it when nothing is left of it.
func rewrite(tb testing.TB, name string, change func([]byte) []byte) {
	tb.Helper()
	before, _ := os.ReadFile(name)
	after := change(before)
	err := os.Remove(name)
	if after != nil {
		err = os.WriteFile(name, after, 0o600)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

func TestRestoredRunsFitTheLimits(t *testing.T) {
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	main := h.room(room.Main)
	var runs []string
	for range 4 {
		runs = append(runs, h.startBounded(main).Describe().ID)
	}
	h.end()
	after := reopen(t, keepIn(dir), func(c *room.Config) { c.KeepRuns = 2 })
	if got := ids(after.room(room.Main)); !slices.Equal(got, []string{runs[3], runs[2]}) {
		t.Errorf("of %v there are %v, want the last two", runs, got)
	}
	files := filesOf(t, dir)
	if len(files) != 3 || files["main/"+runs[0]+".ndjson.zst"] != nil {
		t.Errorf("there are %v", slices.Collect(maps.Keys(files)))
	}
}

// TestRoomThatGivesWayLeavesNoFiles, neither now nor when the program starts again.
func TestRoomThatGivesWayLeavesNoFiles(t *testing.T) {
	dir, now := t.TempDir(), newClock()
	h := reopen(t, keepIn(dir), func(c *room.Config) { c.MaxRooms, c.Now = 2, now.Now })
	old := h.create()
	h.startBounded(old)
	h.startBounded(old)
	now.pass(1e12)
	h.create()
	for name := range filesOf(t, dir) {
		if strings.HasPrefix(name, old.Name()) {
			t.Errorf("%s is left", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, old.Name())); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("its directory: %v", err)
	}
}

// TestClassThatHasEndedLeavesNoFiles, not even by a vote that was under way, nor when the
// program is killed while they are removed.
func TestClassThatHasEndedLeavesNoFiles(t *testing.T) {
	dir := t.TempDir()
	h := reopen(t, keepIn(dir))
	r, err := h.OpenClass(within(t))
	if err != nil {
		t.Fatal(err)
	}
	killed := copyOf(t, dir)
	if err := os.Rename(filepath.Join(killed, r.Name()), filepath.Join(killed, r.Name()+".gone")); err != nil {
		t.Fatal(err)
	}
	if err := h.Remove(within(t), r); err != nil {
		t.Fatal(err)
	}
	r.Class().Lock(true)
	if files := filesOf(t, dir); len(files) != 0 {
		t.Errorf("files %v are left", slices.Sorted(maps.Keys(files)))
	}
	next := reopen(t, keepIn(killed))
	if files := filesOf(t, killed); len(files) != 0 || next.count() != 1 {
		t.Errorf("after a kill there are %d rooms and the files %v", next.count(), slices.Sorted(maps.Keys(files)))
	}
}

func TestKeepDirIsForOneProgram(t *testing.T) {
	dir := t.TempDir()
	first := reopen(t, keepIn(dir))
	second := open(t, keepIn(dir))
	if err := second.Restore(); !errors.Is(err, room.ErrKeepDirInUse) {
		t.Errorf("Restore = %v, want %v", err, room.ErrKeepDirInUse)
	}
	first.end()
	if err := second.Restore(); err != nil {
		t.Errorf("once the first has ended: %v", err)
	}
}

func TestKeepDirThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	rewrite(t, file, func([]byte) []byte { return []byte{} })
	if err := open(t, keepIn(file)).Restore(); err == nil {
		t.Error("rooms are kept in a file")
	}
}
