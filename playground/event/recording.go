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
	compressor, err := zstd.NewWriter(w)
	if err != nil {
		return fmt.Errorf("start the compressor: %w", err)
	}
	run.Events, run.At = log.Last()
	header := recordingHeader{Format: RecordingFormat, Version: RecordingVersion, Run: run}
	if err := json.NewEncoder(compressor).Encode(header); err != nil {
		return errors.Join(fmt.Errorf("write the header: %w", err), compressor.Close())
	}
	if err := log.writeFirst(compressor, run.Events); err != nil {
		return errors.Join(fmt.Errorf("write the events: %w", err), compressor.Close())
	}
	return compressor.Close()
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
// that they are numbered from 1 without a gap, and that none is missing.
func (r *Recording) Events() iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		for next := int64(1); ; next++ {
			e, err := r.read(next)
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

// Close frees what reading took.
func (r *Recording) Close() { r.decompressor.Close() }
