package event

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"

	"github.com/klauspost/compress/zstd"
)

// RecordingFormat names the format of recordings, in their first line.
const RecordingFormat = "zkplayground-run"

// RecordingVersion is raised when old readers would misread new recordings. Those of
// version 1 lack the events that follow from others by the rules of playground/state.
const RecordingVersion = 2

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
	run.Events, run.At = log.Last()
	return writeCompressed(w, func(w io.Writer) error {
		if err := writeHeader(w, run); err != nil {
			return err
		}
		if err := log.WriteLines(w, 1, run.Events); err != nil {
			return fmt.Errorf("write the events: %w", err)
		}
		return nil
	})
}

func writeCompressed(w io.Writer, write func(io.Writer) error) error {
	compressor, err := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // one processor, beside a run
	if err != nil {
		return fmt.Errorf("start the compressor: %w", err)
	}
	return errors.Join(write(compressor), compressor.Close())
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
	// Run describes the recorded run. Of an older recording its Events are as many as
	// that has, which are fewer than Events yields.
	Run Run

	follow       func(Event) []Event // nil unless the recording is older
	decompressor io.ReadCloser
	decoder      *json.Decoder
}

// OpenRecording reads the header of the recording in r. An older recording is read as if
// it had been made today: what follows from its events is found anew by follow. The
// caller closes the recording, and r after it.
func OpenRecording(r io.Reader, follow Follow) (*Recording, error) {
	return openRecording(r, math.MaxInt64, follow)
}

func openRecording(r io.Reader, limit int64, follow Follow) (*Recording, error) {
	decompressor, err := decompress(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotRecording, err)
	}
	recording := &Recording{decompressor: decompressor, decoder: json.NewDecoder(io.LimitReader(decompressor, limit))}
	if err := recording.readHeader(follow); err != nil {
		recording.Close()
		return nil, err
	}
	return recording, nil
}

// decompress reads what is compressed by zstd, as the playground does, or by gzip, or not
// at all, as others may have done to look into it.
func decompress(r io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(r)
	switch magic, _ := buffered.Peek(4); {
	case bytes.HasPrefix(magic, []byte{0x1f, 0x8b}):
		return gzip.NewReader(buffered)
	case bytes.HasPrefix(magic, []byte{'{'}):
		return io.NopCloser(buffered), nil
	default:
		decoder, err := zstd.NewReader(buffered, zstd.WithDecoderMaxMemory(1<<28))
		if err != nil {
			return nil, err
		}
		return decoder.IOReadCloser(), nil
	}
}

func (r *Recording) readHeader(follow Follow) error {
	var header recordingHeader
	if err := r.decoder.Decode(&header); err != nil {
		return fmt.Errorf("%w: its first line: %w", ErrNotRecording, err)
	}
	if header.Format != RecordingFormat || header.Version < 1 || header.Version > RecordingVersion {
		return fmt.Errorf("%w: format %q version %d, this program reads %q up to version %d",
			ErrNotRecording, header.Format, header.Version, RecordingFormat, RecordingVersion)
	}
	r.Run = header.Run
	if header.Version < RecordingVersion {
		r.follow = follow(r.Run)
	}
	return nil
}

// Events yields the events in order, or an error that ends them. It checks
// that they are numbered from 1 without a gap, that time does not run back, and
// that none is missing.
func (r *Recording) Events() iter.Seq2[Event, error] {
	if r.follow == nil {
		return r.written
	}
	return r.upgraded
}

// written yields the events as they were written.
func (r *Recording) written(yield func(Event, error) bool) {
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
	e.giveEffects()
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
	if r.follow != nil {
		return r.writeCounted(w)
	}
	if err := writeHeader(w, r.Run); err != nil {
		return err
	}
	_, err := r.writeEvents(w)
	return err
}

// writeEvents says how many it wrote.
func (r *Recording) writeEvents(w io.Writer) (events int64, err error) {
	var line []byte
	for e, err := range r.Events() {
		if err != nil {
			return events, err
		}
		events++
		line = append(e.appendJSON(line[:0]), '\n')
		if _, err := w.Write(line); err != nil {
			return events, fmt.Errorf("write the events: %w", err)
		}
	}
	return events, nil
}

// Close frees what reading took.
func (r *Recording) Close() { _ = r.decompressor.Close() } // it was read, or is given up
