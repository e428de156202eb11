// Package kept keeps on the disk what outlasts the program of a room: the room itself, with
// its class, and the recordings of its runs. See [Store].
package kept

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// A Room is what a room keeps beyond the end of the program, beside the
// recordings of its runs. Fields may be added: what an older file lacks is at zero.
type Room struct {
	// Version is raised when an older program would misread the file.
	Version int `json:"version"`
	// Used is about when somebody last did something in the room.
	Used time.Time `json:"used"`
	// Owner and Sandbox are the room's.
	Owner   string `json:"owner,omitempty"`
	Sandbox bool   `json:"sandbox,omitempty"`
	// Class is nil if the room is no class's.
	Class *Class `json:"class,omitempty"`
	// ClassRoom is the room of the class of which the owner was a member when it was made.
	ClassRoom string `json:"classRoom,omitempty"`
	// Runs are those that have a recording, oldest first.
	Runs []Run `json:"runs"`
	// Judgement is the newest that has ended, as playground/judging writes it.
	Judgement json.RawMessage `json:"judgement,omitempty"`
}

// A Class is the class of a room.
type Class struct {
	Code string `json:"code"`
	// Opener and Opened are not there in files of before they were kept.
	Opener  string    `json:"opener,omitempty"`
	Opened  time.Time `json:"opened,omitzero"`
	Locked  bool      `json:"locked,omitempty"`
	Members []string  `json:"members"`
	Driver  string    `json:"driver,omitempty"`
	Offered bool      `json:"offered,omitempty"`
	// Votes are by question.
	Votes map[string]Vote `json:"votes,omitempty"`
	// Goals are those that members have met, with their IDs.
	Goals map[string][]string `json:"goals,omitempty"`
	// Presented is nil if nothing was.
	Presented *Presented `json:"presented,omitempty"`
}

// A Presented is where a class is in its lesson.
type Presented struct {
	Lesson  string `json:"lesson"`
	Panel   string `json:"panel"`
	Section string `json:"section,omitempty"`
	Shown   int64  `json:"shown,omitempty"`
}

// A Vote is that on one question.
type Vote struct {
	Choices  map[string]int `json:"choices"`
	Closed   bool           `json:"closed,omitempty"`
	Revealed bool           `json:"revealed,omitempty"`
}

// A Run is a run that has a recording, as long as Bytes.
type Run struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"`
}

// Version is that of Room.
const Version = 1

// ErrDamaged is for a file of a store that cannot be what was written there.
var ErrDamaged = errors.New("damaged")

// ErrInUse is returned by [Lock] when another program keeps its rooms there.
var ErrInUse = errors.New("another playground keeps its rooms there, stop that or choose another directory")

const (
	// RoomFile and the endings name the files of a store.
	RoomFile        = "room.json"
	RecordingEnding = ".ndjson.zst"
	JournalEnding   = ".journal.zst"
	asideEnding     = ".damaged"
	// GoneEnding ends the name of a directory whose room is gone, until that is, too.
	GoneEnding = ".gone"
)

// A File is where a room's file is: on the disk, unless several programs share the rooms
// out among themselves. The error of Read wraps fs.ErrNotExist when there is none.
type File interface {
	Read() ([]byte, error)
	Write(text []byte) error
	Remove() error
}

// A Store is the directory where a room keeps what outlasts the program: the file of
// the room itself, and one for the recording of each run.
type Store struct {
	dir  string
	file File
	// Log is told what cannot be kept.
	Log *slog.Logger

	mu      sync.Mutex // one writes the room's file at a time
	last    Room       // what it has, without the time
	removed bool       // nothing is written any more
}

// NewStore returns the store of the room called name in a directory of such stores, nil
// for none: then nothing outlasts the program. A nil file means one in that directory.
func NewStore(dir, name string, file File, log *slog.Logger) *Store {
	if dir == "" {
		return nil
	}
	s := &Store{dir: filepath.Join(dir, name), file: file, Log: log.With("room", name)}
	if file == nil {
		s.file = onDisk(filepath.Join(s.dir, RoomFile))
	}
	return s
}

// onDisk is a room's file by its name on the disk. It goes with its directory.
type onDisk string

func (name onDisk) Read() ([]byte, error) { return os.ReadFile(string(name)) }

func (name onDisk) Write(text []byte) error {
	if err := os.MkdirAll(filepath.Dir(string(name)), 0o700); err != nil {
		return err
	}
	return wholefile.Write(string(name), func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

func (onDisk) Remove() error { return nil }

// Recording is the name of the file of a run's recording.
func (s *Store) Recording(id string) string { return filepath.Join(s.dir, id+RecordingEnding) }

// Journal is the name of the file of a run under way.
func (s *Store) Journal(id string) string { return filepath.Join(s.dir, id+JournalEnding) }

// Forget removes a file that is of no use any more.
func (s *Store) Forget(name string) {
	if err := os.Remove(name); err != nil && !errors.Is(err, os.ErrNotExist) {
		s.Log.Warn("a file is of no use, and cannot be removed", "file", name, "error", err)
	}
}

// Journals are the runs that were under way when a program was killed.
func (s *Store) Journals() []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there is none
	}
	var ids []string
	for _, entry := range entries {
		if id, is := strings.CutSuffix(entry.Name(), JournalEnding); is {
			ids = append(ids, id)
		}
	}
	return ids
}

// Make makes the directory.
func (s *Store) Make() error { return os.MkdirAll(s.dir, 0o700) }

// Remove removes all that the room has kept: under another name, so that a program
// that is killed meanwhile leaves no part of a room to the next one. Who still has the
// room, a vote that comes late for one, writes nothing any more.
func (s *Store) Remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = true
	if err := s.file.Remove(); err != nil {
		s.Log.Warn("the room has gone, but not its file", "error", err)
	}
	gone := s.dir + GoneEnding
	err := os.Rename(s.dir, gone)
	if errors.Is(err, os.ErrNotExist) {
		return // it has kept nothing
	}
	if err := errors.Join(err, os.RemoveAll(gone)); err != nil {
		s.Log.Warn("the room has gone, but not its files", "error", err)
	}
}

// Write writes the room's file if anything but the time has changed.
func (s *Store) Write(current func() Room) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.removed {
		return nil
	}
	saved := current()
	timeless := saved
	timeless.Used = time.Time{}
	if reflect.DeepEqual(timeless, s.last) {
		return nil
	}
	text, err := json.Marshal(saved)
	if err == nil {
		err = s.file.Write(append(text, '\n'))
	}
	if err == nil {
		s.last = timeless
	}
	return err
}

// Read reads the room's file.
func (s *Store) Read() (Room, error) {
	var saved Room
	text, err := s.file.Read()
	if err != nil {
		return saved, err
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return Room{}, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if saved.Version != Version {
		return Room{}, fmt.Errorf("%w: it has version %d, this program reads %d", ErrDamaged, saved.Version, Version)
	}
	return saved, nil
}

// PutAside renames a file that cannot be read, so that it is out of the way and can
// be looked at.
func (s *Store) PutAside(name string, why error) {
	aside := filepath.Join(s.dir, name+asideEnding)
	s.Log.Warn("a kept file cannot be read and is put aside", "file", aside, "error", why)
	if err := os.Rename(filepath.Join(s.dir, name), aside); err != nil {
		s.Log.Warn("a kept file cannot be put aside", "error", err)
	}
}

// Unlisted are the runs that have a recording which the room's file does not tell of,
// because the program was killed between the two; oldest first. What was left half
// written is removed.
func (s *Store) Unlisted(listed []Run) []string {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there is none
	}
	written := make(map[string]time.Time)
	for _, entry := range entries {
		name := entry.Name()
		if strings.HasSuffix(name, wholefile.Partial) {
			_ = os.Remove(filepath.Join(s.dir, name))
		}
		id, is := strings.CutSuffix(name, RecordingEnding)
		if is && !slices.ContainsFunc(listed, func(run Run) bool { return run.ID == id }) {
			info, _ := entry.Info()
			written[id] = modified(info)
		}
	}
	return slices.SortedFunc(maps.Keys(written), func(a, b string) int {
		return cmp.Or(written[a].Compare(written[b]), cmp.Compare(a, b))
	})
}

func modified(info os.FileInfo) time.Time {
	if info == nil { // it has gone just now
		return time.Time{}
	}
	return info.ModTime()
}
