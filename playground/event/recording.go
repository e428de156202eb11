package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/klauspost/compress/zstd"
)

// RecordingFormat names the format of recordings, in their first line.
const RecordingFormat = "zkplayground-run"

// RecordingVersion is raised when old readers would misread new recordings.
const RecordingVersion = 1

// ErrNotRecording is returned for a file that is no recording, is of a later
// version, or is damaged.
var ErrNotRecording = errors.New("not a readable recording")

type recordingHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Run     Run    `json:"run"`
}

// WriteRecording writes run and every event that log has at the time of the call to
// w: a header line and the events, one line of JSON each, compressed by zstd.
func WriteRecording(w io.Writer, run Run, log *Log) error {
	compressor, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // one processor, beside a run
	if err != nil {
		return fmt.Errorf("start the compressor: %w", err)
	}
	run.Events, run.At = log.Last()
	if err := writeHeader(compressor, run); err != nil {
		return errors.Join(err, compressor.Close())
	}
	if err := log.writeFirst(compressor, run.Events); err != nil {
		return errors.Join(fmt.Errorf("write the events: %w", err), compressor.Close())
	}
	return compressor.Close()
}

func writeHeader(w io.Writer, run Run) error {
	header := recordingHeader{Format: RecordingFormat, Version: RecordingVersion, Run: run}
	if err := json.NewEncoder(w).Encode(header); err != nil {
		return fmt.Errorf("write the header: %w", err)
	}
	return nil
}

// A Recording is a recorded run that is being read.
type Recording struct {
	// Run describes the recorded run.
	Run Run

	decompressor *zstd.Decoder
	decoder      *json.Decoder
}

// OpenRecording reads the header of the recording in r. The caller closes the
// recording, and r after it.
func OpenRecording(r io.Reader) (*Recording, error) {
	decompressor, err := zstd.NewReader(r, zstd.WithDecoderMaxMemory(1<<28))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecording, err)
	}
	recording := &Recording{decompressor: decompressor, decoder: json.NewDecoder(decompressor)}
	if err := recording.readHeader(); err != nil {
		decompressor.Close()
		return nil, err
	}
	return recording, nil
}

func (r *Recording) readHeader() error {
	var header recordingHeader
	if err := r.decoder.Decode(&header); err != nil {
		return fmt.Errorf("%w: its first line: %w", ErrNotRecording, err)
	}
	if header.Format != RecordingFormat || header.Version != RecordingVersion {
		return fmt.Errorf("%w: format %q version %d, this program reads %q version %d",
			ErrNotRecording, header.Format, header.Version, RecordingFormat, RecordingVersion)
	}
	r.Run = header.Run
	return nil
}

// Events yields the events in order, or an error that ends them. It checks
// that they are numbered from 1 without a gap, that time does not run back, and
// that none is missing.
func (r *Recording) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		last := int64(0)
		for next := int64(1); ; next++ {
			e, err := r.read(next)
			if err == nil && e.At < last {
				err = fmt.Errorf("%w: time runs back at event %d", ErrNotRecording, next)
			}
			last = e.At
			if errors.Is(err, io.EOF) && next > r.Run.Events {
				return
			}
			if errors.Is(err, io.EOF) {
				err = fmt.Errorf("%w: it ends after event %d of %d", ErrNotRecording, next-1, r.Run.Events)
			}
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

func (r *Recording) read(next int64) (Event, error) {
	var e Event
	switch err := r.decoder.Decode(&e); {
	case errors.Is(err, io.EOF):
		return e, io.EOF
	case err != nil:
		return e, fmt.Errorf("%w: event %d: %w", ErrNotRecording, next, err)
	case e.Seq != next:
		return e, fmt.Errorf("%w: event %d where %d was due", ErrNotRecording, e.Seq, next)
	}
	return e, nil
}

// verify reads all events.
func (r *Recording) verify() error {
	for _, err := range r.Events() {
		if err != nil {
			return err
		}
	}
	return nil
}

// WriteText writes the recording as it is when decompressed: a header line and the
// events, one line of JSON each. The events are read to their end for that. Its errors
// are those of Events, or the writer's.
func (r *Recording) WriteText(w io.Writer) error {
	if err := writeHeader(w, r.Run); err != nil {
		return err
	}
	var line []byte
	for e, err := range r.Events() {
		if err != nil {
			return err
		}
		line = append(e.appendJSON(line[:0]), '\n')
		if _, err := w.Write(line); err != nil {
			return fmt.Errorf("write the events: %w", err)
		}
	}
	return nil
}

// Close frees what reading took.
func (r *Recording) Close() { r.decompressor.Close() }
