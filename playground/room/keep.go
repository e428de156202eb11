package room

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room/kept"
	"github.com/zkplayground/zkplayground/playground/run"
)

// Keeps says what each room keeps of the runs before the current one.
type Keeps struct {
	// Runs and Bytes are the most that it keeps.
	Runs  int   `json:"runs"`
	Bytes int64 `json:"bytes"`
	// Restart says that they are there again when the playground is started again.
	Restart bool `json:"restart"`
}

// Keeps says what each room keeps.
func (rs *Rooms) Keeps() Keeps {
	return Keeps{Runs: rs.config.KeepRuns, Bytes: rs.config.KeepBytes, Restart: rs.config.KeepDir != ""}
}

// A keptRun is what is kept of a run that has ended. The room's mutex guards it.
type keptRun struct {
	id        string
	recording *event.KeptRecording // nil until it is written
	written   chan struct{}        // closed once it has a recording, or will never have one
	once      *sync.Once           // writes it
}

func newKeptRun(run *run.Run) *keptRun {
	return &keptRun{id: run.Describe().ID, written: make(chan struct{}), once: new(sync.Once)}
}

// size is how much of the room's bytes it takes.
func (k *keptRun) size() int64 {
	if k.recording == nil {
		return 0
	}
	return k.recording.Size()
}

// remove removes the recording, if there is one by now.
func (k *keptRun) remove() {
	if k.recording != nil {
		_ = k.recording.Remove() // it has no name, or goes with the room
		k.recording = nil
	}
}

// succeed makes a run the current one, and keeps the last one if it has its log, as
// before, or has been recorded. The start of the next run does not wait for the writing.
func (r *Room) succeed(run, before *run.Run) {
	var entry *keptRun
	if run != nil {
		entry = newKeptRun(run)
	}
	r.mu.Lock()
	last := r.last
	r.run, r.last = run, entry
	if run != nil && r.store != nil {
		r.keeping.Go(func() { r.keepEarly(run, entry) })
	}
	if before != nil {
		r.keeping.Go(func() { r.keepLast(before, last) })
	}
	recorded := last != nil && last.recording != nil
	if before != nil || recorded {
		r.kept = append(r.kept, last)
	}
	if recorded {
		r.dropOldest()
	}
	r.mu.Unlock()
	r.broadcast()
}

// Keep keeps a run that has ended and was never the room's, as one of a trial, unless the
// room has closed: as the newest, or as the first to go if it is not needed. It returns when
// that is written, or could not be.
func (r *Room) Keep(run *run.Run, needed bool) {
	entry := newKeptRun(run)
	r.mu.Lock()
	if r.life.Err() != nil {
		r.mu.Unlock()
		return
	}
	if needed {
		r.kept = append(r.kept, entry)
	} else {
		r.kept = slices.Insert(r.kept, 0, entry)
	}
	r.keeping.Add(1)
	r.mu.Unlock()
	defer r.keeping.Done()
	r.keep(run, entry)
	r.broadcast()
}

// KeepJudgement keeps the room's newest judgement, in JSON, for [Room.Judgement] of the next
// program, if anything outlasts this one.
func (r *Room) KeepJudgement(judgement json.RawMessage) {
	if r.store == nil {
		return
	}
	r.mu.Lock()
	r.judgement = judgement
	r.mu.Unlock()
	r.save()
}

// Judgement is the newest one that was kept; nil for none.
func (r *Room) Judgement() json.RawMessage {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.judgement
}

// keepLast keeps a run that has made way for another.
func (r *Room) keepLast(before *run.Run, entry *keptRun) {
	r.keep(before, entry)
	_ = before.Close() // its files have no name, so nothing can be left of them
	r.save()
}

// keepEarly keeps a run as soon as it has ended, where that outlasts the program: it
// may be killed before there is another run. Until then a journal has what was recorded.
func (r *Room) keepEarly(run *run.Run, entry *keptRun) {
	journal := r.store.Journal(entry.id)
	err := r.store.Make()
	if err == nil {
		err = event.WriteJournal(r.writing, journal, run.Describe(), run.Log(), r.config.KeepBytes)
	}
	if err != nil && r.writing.Err() == nil {
		r.store.Log.Warn("a run under way is lost if the program is killed", "run", entry.id, "error", err)
	}
	<-run.Done()
	r.keep(run, entry)
	if r.writing.Err() == nil { // otherwise the next program may need it
		r.store.Forget(journal)
	}
}

// keep writes the recording of a run that has ended, unless that has been done.
func (r *Room) keep(run *run.Run, entry *keptRun) {
	entry.once.Do(func() {
		defer close(entry.written)
		recording, err := r.record(run)
		r.take(entry, recording, err)
		r.save()
	})
}

func (r *Room) record(run *run.Run) (*event.KeptRecording, error) {
	described := run.Describe()
	if r.store == nil {
		return event.KeepRecording(r.writing, r.config.LogDir, described, run.Log(), r.config.KeepBytes)
	}
	if err := r.store.Make(); err != nil {
		return nil, err
	}
	return event.SaveRecording(r.writing, r.store.Recording(described.ID), described, run.Log(), r.config.KeepBytes)
}

// take adds a recording to its entry, or forgets the entry when there is none: the disk
// is full, the run was very long, or the room closes.
func (r *Room) take(entry *keptRun, recording *event.KeptRecording, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		r.kept = slices.DeleteFunc(r.kept, func(k *keptRun) bool { return k == entry })
		if r.store != nil {
			r.store.Log.Warn("a run is not kept", "run", entry.id, "error", err)
		}
		return
	}
	entry.recording = recording
	if entry != r.last && !slices.Contains(r.kept, entry) { // it was dropped meanwhile
		entry.remove()
		return
	}
	r.dropOldest()
}

// dropOldest makes the kept runs fit the limits. The caller holds the mutex.
func (r *Room) dropOldest() {
	size := int64(0)
	for _, k := range r.kept {
		size += k.size()
	}
	for len(r.kept) > r.config.KeepRuns || size > r.config.KeepBytes {
		size -= r.kept[0].size()
		r.kept[0].remove()
		r.kept = r.kept[1:]
	}
}

// dropWhile drops kept runs, the oldest first, and the last one's recording at last,
// for as long as full says so.
func (r *Room) dropWhile(full func() bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ; len(r.kept) > 0 && full(); r.kept = r.kept[1:] {
		r.kept[0].remove()
	}
	if r.last != nil && full() {
		r.last.remove()
	}
}

// save writes down what outlasts the program, if anything does.
func (r *Room) save() {
	if r.store == nil {
		return
	}
	err := r.store.Write(r.saved)
	if err != nil {
		r.store.Log.Warn("the room cannot be kept", "error", err)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.unsaved = err
}

// saved is what outlasts the program.
func (r *Room) saved() kept.Room {
	saved := kept.Room{Version: kept.Version, Owner: r.owner, Sandbox: r.sandbox, ClassRoom: r.classRoom, Runs: []kept.Run{}}
	if r.class != nil {
		saved.Class = r.class.saved()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	saved.Used, saved.Judgement = r.used, r.judgement
	for _, k := range r.kept {
		k.addTo(&saved)
	}
	if r.last != nil {
		r.last.addTo(&saved)
	}
	return saved
}

func (k *keptRun) addTo(s *kept.Room) {
	if k.recording != nil {
		s.Runs = append(s.Runs, kept.Run{ID: k.id, Bytes: k.recording.Size()})
	}
}
