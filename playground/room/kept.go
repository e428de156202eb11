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

// find returns the run called id, as the current one or as one that is kept. Without
// an id that is the newest: in a room that has come back there is no current one.
func (r *Room) find(id string) (*run.Run, *keptRun) {
	current, kept := r.runsNow()
	if current != nil && (id == "" || current.Describe().ID == id) {
		return current, nil
	}
	for _, k := range slices.Backward(kept) {
		if id == "" || k.id == id {
			return nil, &k
		}
	}
	return nil, nil
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
