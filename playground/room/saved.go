package room

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// A savedRoom is what a room keeps beyond the end of the program, beside the
// recordings of its runs. Fields may be added: what an older file lacks is at zero.
type savedRoom struct {
	// Version is raised when an older program would misread the file.
	Version int `json:"version"`
	// Used is about when somebody last did something in the room.
	Used time.Time `json:"used"`
	// Owner and Sandbox are Room's.
	Owner   string `json:"owner,omitempty"`
	Sandbox bool   `json:"sandbox,omitempty"`
	// Class is nil if the room is no class's.
	Class *savedClass `json:"class,omitempty"`
	// Runs are those that have a recording, oldest first.
	Runs []savedRun `json:"runs"`
}

// A savedClass has the fields of Class.
type savedClass struct {
	Code string `json:"code"`
	// Opener and Opened are not there in files of before they were kept.
	Opener  string    `json:"opener,omitempty"`
	Opened  time.Time `json:"opened,omitzero"`
	Locked  bool      `json:"locked,omitempty"`
	Members []string  `json:"members"`
	Driver  string    `json:"driver,omitempty"`
	Offered bool      `json:"offered,omitempty"`
	// Votes are by question.
	Votes map[string]savedVote `json:"votes,omitempty"`
	// Goals are those that members have met, with their IDs.
	Goals map[string][]string `json:"goals,omitempty"`
	// Presented is nil if nothing was.
	Presented *savedPresented `json:"presented,omitempty"`
}

// A savedPresented has fields of Presented.
type savedPresented struct {
	Lesson  string `json:"lesson"`
	Panel   string `json:"panel"`
	Section string `json:"section,omitempty"`
	Shown   int64  `json:"shown,omitempty"`
}

// A savedVote has the fields of question.
type savedVote struct {
	Choices  map[string]int `json:"choices"`
	Closed   bool           `json:"closed,omitempty"`
	Revealed bool           `json:"revealed,omitempty"`
}

// A savedRun is a run that has a recording, as long as Bytes.
type savedRun struct {
	ID    string `json:"id"`
	Bytes int64  `json:"bytes"`
}

// savedVersion is savedRoom's.
const savedVersion = 1

// errDamaged is for a file of a store that cannot be what was written there.
var errDamaged = errors.New("damaged")

const (
	roomFile        = "room.json"
	recordingEnding = ".ndjson.zst"
	asideEnding     = ".damaged"
	// goneEnding ends the name of a directory whose room is gone, until that is, too.
	goneEnding = ".gone"
)

// A store is the directory where a room keeps what outlasts the program: the file of
// the room itself, and one for the recording of each run.
type store struct {
	dir string
	log *slog.Logger

	mu      sync.Mutex // one writes the room's file at a time
	last    savedRoom  // what it has, without the time
	removed bool       // nothing is written any more
}

// newStore returns the store of the room called name, nil when nothing outlasts the
// program.
func newStore(config Config, name string) *store {
	if config.KeepDir == "" {
		return nil
	}
	return &store{dir: filepath.Join(config.KeepDir, name), log: config.Log.With("room", name)}
}

// recording is the name of the file of a run's recording.
func (s *store) recording(id string) string { return filepath.Join(s.dir, id+recordingEnding) }

// make makes the directory.
func (s *store) make() error { return os.MkdirAll(s.dir, 0o700) }

// remove removes all that the room has kept: under another name, so that a program
// that is killed meanwhile leaves no part of a room to the next one. Who still has the
// room, a vote that comes late for one, writes nothing any more.
func (s *store) remove() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.removed = true
	gone := s.dir + goneEnding
	err := os.Rename(s.dir, gone)
	if errors.Is(err, os.ErrNotExist) {
		return // it has kept nothing
	}
	if err := errors.Join(err, os.RemoveAll(gone)); err != nil {
		s.log.Warn("the room has gone, but not its files", "error", err)
	}
}

// write writes the room's file if anything but the time has changed.
func (s *store) write(current func() savedRoom) error {
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
	if err := s.make(); err != nil {
		return err
	}
	err := wholefile.Write(filepath.Join(s.dir, roomFile), func(w io.Writer) error { return json.NewEncoder(w).Encode(saved) })
	if err == nil {
		s.last = timeless
	}
	return err
}

// read reads the room's file.
func (s *store) read() (savedRoom, error) {
	var saved savedRoom
	text, err := os.ReadFile(filepath.Join(s.dir, roomFile))
	if err != nil {
		return saved, err
	}
	if err := json.Unmarshal(text, &saved); err != nil {
		return savedRoom{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	if saved.Version != savedVersion {
		return savedRoom{}, fmt.Errorf("%w: it has version %d, this program reads %d", errDamaged, saved.Version, savedVersion)
	}
	return saved, nil
}

// putAside renames a file that cannot be read, so that it is out of the way and can
// be looked at.
func (s *store) putAside(name string, why error) {
	aside := filepath.Join(s.dir, name+asideEnding)
	s.log.Warn("a kept file cannot be read and is put aside", "file", aside, "error", why)
	if err := os.Rename(filepath.Join(s.dir, name), aside); err != nil {
		s.log.Warn("a kept file cannot be put aside", "error", err)
	}
}

// unlisted are the runs that have a recording which the room's file does not tell of,
// because the program was killed between the two; oldest first. What was left half
// written is removed.
func (s *store) unlisted(listed []savedRun) []string {
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
		id, is := strings.CutSuffix(name, recordingEnding)
		if is && !slices.ContainsFunc(listed, func(run savedRun) bool { return run.ID == id }) {
			info, _ := entry.Info()
			written[id] = modified(info)
		}
	}
	ids := make([]string, 0, len(written))
	for id := range written {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b string) int { return cmp.Or(written[a].Compare(written[b]), cmp.Compare(a, b)) })
	return ids
}

func modified(info os.FileInfo) time.Time {
	if info == nil { // it has gone just now
		return time.Time{}
	}
	return info.ModTime()
}
