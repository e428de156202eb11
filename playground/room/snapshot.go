package room

import (
	"errors"
	"fmt"
)

// ErrSnapshot is returned for a snapshot that is not one of the room's run.
var ErrSnapshot = errors.New("this is no snapshot of this room's run")

// A Snapshot is what a page has made of the first events of a run. The page of who comes
// late to a long run goes on from it, and need not read all events first. The playground
// folds no events into pictures, so it knows nothing of what is in a snapshot: whoever may
// control the run may also say what it looks like.
type Snapshot struct {
	Run string `json:"run"`
	// Seq is the newest event that is in it.
	Seq int64 `json:"seq"`
	// View is the page's own text.
	View string `json:"view"`
}

// TakeSnapshot keeps a snapshot of the current run, unless there is a newer one.
func (r *Room) TakeSnapshot(s Snapshot) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || r.run.ID() != s.Run {
		return fmt.Errorf("%w: its run is %q", ErrSnapshot, s.Run)
	}
	if there := r.run.Log().Len(); s.Seq < 1 || s.Seq > there || s.View == "" {
		return fmt.Errorf("%w: its newest event is %d of %d, its view has %d bytes", ErrSnapshot, s.Seq, there, len(s.View))
	}
	if r.snapshot.Run != s.Run || r.snapshot.Seq < s.Seq {
		r.snapshot = s
	}
	return nil
}

// Snapshot is the newest one of a run; its Seq is 0 if there is none.
func (r *Room) Snapshot(run string) Snapshot {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.snapshot.Run != run {
		return Snapshot{}
	}
	return r.snapshot
}
