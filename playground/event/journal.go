package event

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/klauspost/compress/zstd"
)

// journalEvery is the time between two writes to a journal: what a program that is killed
// leaves ends at most so long before.
const journalEvery = 100 * time.Millisecond

// WriteJournal writes the events of a run to a file as they come, until the log is sealed.
// What a killed program leaves there is for [RecoverRecording]. It gives up when ctx ends, and
// when the file cannot be written or would become larger than limit; then it removes the file.
func WriteJournal(ctx context.Context, name string, run Run, log *Log, limit int64) error {
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("make a journal: %w", err)
	}
	err = writeJournal(&boundedWriter{ctx: ctx, to: file, limit: limit}, run, log)
	if err != nil {
		err = fmt.Errorf("write the journal of run %s: %w", run.ID, err)
	}
	if err != nil && ctx.Err() == nil {
		err = errors.Join(err, os.Remove(name))
	}
	return errors.Join(err, file.Close())
}

func writeJournal(w io.Writer, run Run, log *Log) error {
	compressor, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest))
	if err != nil {
		return fmt.Errorf("start the compressor: %w", err)
	}
	run.Events = 0 // there will be as many as there are
	if err := errors.Join(writeHeader(compressor, run), compressor.Flush()); err != nil {
		return err
	}
	for next := int64(1); ; {
		sealed, grown := log.Sealed(), log.Grown(next-1)
		text, n, err := log.Lines(next, readBatch)
		if err != nil {
			return err
		}
		next += int64(n)
		_, err = compressor.Write(text)
		if err := errors.Join(err, compressor.Flush()); err != nil { // what is flushed can be read
			return err
		}
		switch {
		case n > 0:
			continue
		case sealed:
			return compressor.Close()
		}
		time.Sleep(journalEvery)
		<-grown
	}
}

// RecoverRecording saves what is in a journal as the recording called name, with two more
// events: that the run stopped, and finished, for the reason why. What is torn at the
// journal's end is left out. See [OpenRecording] for follow.
func RecoverRecording(ctx context.Context, journal, name string, why *Reason, limit int64, follow Follow) error {
	file, err := os.Open(journal)
	if err != nil {
		return err
	}
	defer file.Close()
	recording, err := OpenRecording(file, follow)
	if err != nil {
		return err
	}
	defer recording.Close()
	var at time.Duration
	log := NewLog(LogConfig{Clock: func() time.Duration { return at }})
	defer log.Close()
	for e, err := range recording.Events() {
		if err != nil {
			break // its end was being written
		}
		at = time.Duration(e.At) * time.Microsecond
		if _, err := log.Append(e); err != nil {
			return fmt.Errorf("recover run %s: %w", recording.Run.ID, err)
		}
	}
	run := recording.Run
	run.State = Finished
	for _, kind := range []Kind{NoteStopping, NoteFinished} {
		if _, err := log.Append(Event{Kind: kind, Reason: why}); err != nil {
			return fmt.Errorf("recover run %s: %w", run.ID, err)
		}
	}
	_, err = SaveRecording(ctx, name, run, log, limit)
	return err
}
