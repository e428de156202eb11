package event

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/zkplayground/zkplayground/playground/internal/disk"
)

// Follow makes, for a run, the function that is shown each of its events in turn and
// returns those that follow from it: check.Follow. The returned function keeps state.
type Follow func(Run) func(Event) []Event

// UpgradeRecording reads a recording, of this version or an older one, and writes it to w
// as one of this version. It reads all of r before it writes anything, and of its text, when
// decompressed, no more than limit bytes. Its errors are those of [Recording.WriteText].
func UpgradeRecording(w io.Writer, r io.Reader, limit int64, follow Follow) error {
	recording, err := openRecording(r, limit, follow)
	if err != nil {
		return err
	}
	defer recording.Close()
	return writeCompressed(w, recording.writeCounted)
}

// upgraded yields those that were observed, each with all that follows from it, numbered anew.
func (r *Recording) upgraded(yield func(Event, error) bool) {
	seq := int64(0)
	for e, err := range r.written {
		if err != nil {
			yield(e, err)
			return
		}
		if e.Kind.Follows() {
			continue
		}
		seq++
		e.Seq = seq
		if !yield(e, nil) {
			return
		}
		for _, next := range r.follow(e) {
			seq++
			next.Seq, next.At, next.Why = seq, e.At, cmp.Or(next.Why, next.Reason.English())
			if !yield(next, nil) {
				return
			}
		}
	}
}

// writeCounted writes the events to a file first, as the header says how many there are.
func (r *Recording) writeCounted(w io.Writer) error {
	file, err := disk.Temporary("", "recording-*.ndjson")
	if err != nil {
		return fmt.Errorf("make a file for the events: %w", err)
	}
	buffered := bufio.NewWriter(file)
	run := r.Run
	run.Events, err = r.writeEvents(buffered)
	err = errors.Join(err, buffered.Flush())
	if err == nil {
		err = writeHeader(w, run)
	}
	if err == nil {
		_, err = io.Copy(w, io.NewSectionReader(file, 0, math.MaxInt64))
	}
	return errors.Join(err, disk.Remove(file))
}
