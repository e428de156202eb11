package event

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
)

// ErrTooLarge is returned for a recording that is larger than it may be.
var ErrTooLarge = errors.New("the recording is too large to be kept")

// A KeptRecording is the recording of a run that has ended, in a file. Like the
// segments of a log it has no name where the system allows that. Its methods are
// safe for concurrent use.
type KeptRecording struct {
	run  Run
	file *os.File
	size int64
}

// KeepRecording writes the recording of a run to a file in dir; empty means the
// system's directory for temporary files. It leaves nothing behind when ctx ends
// meanwhile, or when the file would become larger than limit: then the error wraps
// ErrTooLarge.
func KeepRecording(ctx context.Context, dir string, run Run, log *Log, limit int64) (*KeptRecording, error) {
	file, err := createNameless(dir, "recording-*.ndjson.zst")
	if err != nil {
		return nil, fmt.Errorf("make a file for the recording: %w", err)
	}
	w := &boundedWriter{ctx: ctx, to: file, limit: limit}
	if err := WriteRecording(w, run, log); err != nil {
		return nil, errors.Join(fmt.Errorf("keep the recording of run %s: %w", run.ID, err), removeFile(file))
	}
	run.Events, run.At = log.Last()
	return &KeptRecording{run: run, file: file, size: w.written}, nil
}

// Run describes the recorded run.
func (k *KeptRecording) Run() Run { return k.run }

// Size is the length of the recording in bytes.
func (k *KeptRecording) Size() int64 { return k.size }

// WriteTo writes the recording to w. It fails when the recording is removed
// meanwhile.
func (k *KeptRecording) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, io.NewSectionReader(k.file, 0, k.size))
}

// Remove removes the file. It must be called once.
func (k *KeptRecording) Remove() error { return removeFile(k.file) }

// A boundedWriter takes so many bytes, and as long as its context lasts.
type boundedWriter struct {
	ctx     context.Context
	to      io.Writer
	written int64
	limit   int64
}

func (w *boundedWriter) Write(b []byte) (int, error) {
	if w.ctx.Err() != nil {
		return 0, context.Cause(w.ctx)
	}
	if w.written+int64(len(b)) > w.limit {
		return 0, fmt.Errorf("%w: it has more than %d bytes", ErrTooLarge, w.limit)
	}
	n, err := w.to.Write(b)
	w.written += int64(n)
	return n, err
}
