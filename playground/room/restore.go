package room

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room/kept"
)

// ErrKeepDirInUse is returned by Restore when another program keeps its rooms there.
var ErrKeepDirInUse = kept.ErrInUse

// roomName is what a room, and so its directory, may be called.
var roomName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,63}$`)

// IsName says whether a room may have the name.
func IsName(name string) bool { return roomName.MatchString(name) }

// Restore brings back the rooms that an earlier program has kept in Config.KeepDir,
// with the recordings of their runs, and takes the directory for this program. It is
// called once, before the rooms are used. A file that cannot be read is put aside and
// told of in the log; an error means that nothing can be kept there.
func (rs *Rooms) Restore() error {
	dir := rs.config.KeepDir
	if dir == "" || rs.config.Claim != nil { // then each room comes when it is asked for
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the directory of kept rooms: %w", err)
	}
	lock, err := kept.Lock(dir)
	if err != nil {
		return err
	}
	rs.lock = lock
	entries, err := os.ReadDir(dir)
	if err != nil {
		return errors.Join(fmt.Errorf("look for kept rooms: %w", err), rs.unlock())
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case entry.IsDir() && roomName.MatchString(name):
			rs.restore(name)
		case entry.IsDir() && strings.HasSuffix(name, kept.GoneEnding):
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, name)))
		}
	}
	if err != nil {
		rs.config.Log.Warn("the files of a room that has gone are left", "error", err)
	}
	return nil
}

func (rs *Rooms) restore(name string) {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	if rs.rooms[name] == nil {
		rs.rooms[name] = newRoom(name, rs.config, nil)
		rs.config.Opened(rs.rooms[name])
	}
	rs.rooms[name].restore()
}

// unlock lets another program have the directory of kept rooms.
func (rs *Rooms) unlock() error {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	lock := rs.lock
	rs.lock = nil
	if lock == nil {
		return nil
	}
	return lock.Close()
}

// restore takes up what an earlier program has kept of the room.
func (r *Room) restore() {
	before, err := r.store.Read()
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		r.store.PutAside(kept.RoomFile, err)
	}
	if err != nil && r.name != Main {
		before.Sandbox = true // nobody knows whose it was: only the teacher may look in
	}
	r.owner, r.sandbox, r.classRoom = before.Owner, before.Sandbox, before.ClassRoom
	if before.Class != nil {
		r.class = restoredClass(before.Class, r.config.Goals, r.classChanged, r.classWritten)
	}
	if r.takeUp(before); err != nil || !slices.Equal(r.saved().Runs, before.Runs) {
		r.save()
	}
}

func (r *Room) takeUp(before kept.Room) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fresh, r.judgement = false, before.Judgement
	if before.Used.Before(r.used) {
		r.used = before.Used
	}
	for _, run := range before.Runs {
		r.takeUpRun(run.ID, run.Bytes)
	}
	r.recover()
	for _, id := range r.store.Unlisted(before.Runs) {
		r.takeUpRun(id, 0)
	}
	r.dropOldest()
}

// serverLost is why a run has ended whose program was killed.
var serverLost = event.NewCode("server-lost", "the playground that ran it ended suddenly; this is what was recorded until then")

// recover makes recordings of the runs that were under way when the program was killed.
func (r *Room) recover() {
	for _, id := range r.store.Journals() {
		journal := r.store.Journal(id)
		_, err := os.Stat(r.store.Recording(id))
		if errors.Is(err, os.ErrNotExist) {
			err = event.RecoverRecording(r.writing, journal, r.store.Recording(id), serverLost.With(), r.config.KeepBytes, check.Follow)
		}
		switch {
		case err == nil || errors.Is(err, event.ErrNotRecording): // it was killed before there was an event
			r.store.Forget(journal)
		default:
			r.store.PutAside(id+kept.JournalEnding, err)
		}
	}
}

// takeUpRun takes up the recording of a run, unless it is not what the room's file
// says. Of one that the file does not tell of, with 0 bytes, every event is read. The
// caller holds the mutex.
func (r *Room) takeUpRun(id string, bytes int64) {
	recording, err := event.OpenSaved(r.store.Recording(id), bytes == 0, check.Follow)
	switch {
	case errors.Is(err, os.ErrNotExist) || !filepath.IsLocal(id):
		r.store.Log.Warn("a kept run is missing", "run", id)
		return
	case err == nil && bytes != 0 && recording.Size() != bytes:
		err = fmt.Errorf("%w: it has %d bytes, %d were written", kept.ErrDamaged, recording.Size(), bytes)
	case err == nil && recording.Run().ID != id:
		err = fmt.Errorf("%w: it is of run %q", kept.ErrDamaged, recording.Run().ID)
	}
	if err != nil {
		r.store.PutAside(id+kept.RecordingEnding, err)
		return
	}
	r.kept = append(r.kept, &keptRun{id: id, recording: recording})
}
