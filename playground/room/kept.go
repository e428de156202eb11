package room

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// ErrNoRun is returned for a run that there has not been, or that is not kept any
// more.
var ErrNoRun = errors.New("no such run")

// A Recording is the recording of one of a room's runs.
type Recording struct {
	// Run describes the run.
	Run event.Run
	// Size is the recording's length in bytes; 0 for the current or last run, whose
	// recording is made while it is written.
	Size int64

	write func(io.Writer) error
}

// CopyTo writes the recording to w, that of a run under way as far as it has got.
// It fails when w does, or when the run makes way for others meanwhile.
func (r Recording) CopyTo(w io.Writer) error { return r.write(w) }

// A keptRun is one that has made way for another. The room's mutex guards it.
type keptRun struct {
	described event.Run
	recording *event.KeptRecording // nil until it is written
	written   chan struct{}        // closed once it has a recording, or will never have one
}

// size is how much of the room's bytes it takes.
func (k *keptRun) size() int64 {
	if k.recording == nil {
		return 0
	}
	return k.recording.Size()
}

func asRecording(kept *event.KeptRecording) Recording {
	return Recording{Run: kept.Run(), Size: kept.Size(), write: func(w io.Writer) error {
		_, err := kept.WriteTo(w)
		return err
	}}
}

func recordingOf(r *run.Run) Recording {
	described := r.Describe()
	described.Events, described.At = r.Log().Last()
	return Recording{Run: described, write: func(w io.Writer) error { return event.WriteRecording(w, described, r.Log()) }}
}

// Recording returns the recording of the run called id; without an id that of the
// current or last run. While a run that has just made way is still being written it
// waits for that. Its errors wrap ErrNoRun, or are ctx's.
func (r *Room) Recording(ctx context.Context, id string) (Recording, error) {
	for {
		current, kept := r.find(id)
		switch {
		case current != nil:
			return recordingOf(current), nil
		case kept == nil && id == "":
			return Recording{}, fmt.Errorf("%w: there has been none in this room yet", ErrNoRun)
		case kept == nil:
			return Recording{}, fmt.Errorf("%w: %q is not among the last runs of this room, or could not be kept", ErrNoRun, id)
		case kept.recording != nil:
			return asRecording(kept.recording), nil
		}
		select {
		case <-kept.written: // or it could not be, and has gone
		case <-ctx.Done():
			return Recording{}, context.Cause(ctx)
		}
	}
}

// find returns the run called id, as the current one or as one that is kept.
func (r *Room) find(id string) (*run.Run, *keptRun) {
	current, kept := r.runsNow()
	if current != nil && (id == "" || current.Describe().ID == id) {
		return current, nil
	}
	i := slices.IndexFunc(kept, func(k keptRun) bool { return k.described.ID == id })
	if i < 0 {
		return nil, nil
	}
	return nil, &kept[i]
}

// Recordings returns the recordings that can be had, newest run first. A run that is
// still being written is not among them.
func (r *Room) Recordings() []Recording {
	current, kept := r.runsNow()
	recordings := []Recording{}
	if current != nil {
		recordings = append(recordings, recordingOf(current))
	}
	for _, k := range slices.Backward(kept) {
		if k.recording != nil {
			recordings = append(recordings, asRecording(k.recording))
		}
	}
	return recordings
}

// runsNow returns the current run, nil before the first, and copies of what is kept,
// oldest first. A run is asked what it is without the room's mutex: it takes that
// itself when it tells of a change.
func (r *Room) runsNow() (current *run.Run, kept []keptRun) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.kept {
		kept = append(kept, *k)
	}
	return r.run, kept
}

// keep writes the recording of a run that has made way, and then frees its log. The
// start of the next run does not wait for that.
func (r *Room) keep(before *run.Run, entry *keptRun) {
	defer close(entry.written)
	defer before.Close() // its files have no name, so nothing can be left of them
	recording, err := event.KeepRecording(r.life, r.config.LogDir, entry.described, before.Log(), r.config.KeepBytes)
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil { // the disk is full, the run was very long, or the room closes
		r.kept = slices.DeleteFunc(r.kept, func(k *keptRun) bool { return k == entry })
		return
	}
	if !slices.Contains(r.kept, entry) { // it was dropped meanwhile
		_ = recording.Remove()
		return
	}
	entry.recording = recording
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

// dropKept drops all kept runs.
func (r *Room) dropKept() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.kept {
		k.remove()
	}
	r.kept = nil
}

// remove removes the recording, if there is one by now.
func (k *keptRun) remove() {
	if k.recording != nil {
		_ = k.recording.Remove() // it has no name
		k.recording = nil
	}
}
