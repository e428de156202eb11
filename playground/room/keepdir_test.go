package room_test

import (
	"bytes"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
)

// filesOf are the files below dir, and what is in them.
func filesOf(tb testing.TB, dir string) map[string][]byte {
	tb.Helper()
	files := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() == "lock" {
			return err
		}
		text, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it has its last name by now, or is gone
		}
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
	r, err := h.OpenClass(within(t), teacher)
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
