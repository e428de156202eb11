package event

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zkplayground/zkplayground/playground/internal/disk"
	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// ErrTooLarge is returned for a recording that is larger than it may be.
var ErrTooLarge = errors.New("the recording is too large to be kept")

// A KeptRecording is the recording of a run that has ended, in a file. One that goes
// with the program has no name where the system allows that, like the segments of a
// log. Its methods are safe for concurrent use.
type KeptRecording struct {
	run  Run
	file *os.File // nil if it has a name
	name string
	size int64
	old  Follow // how to upgrade the recording while it is read; nil if it is of today
}

// KeepRecording writes the recording of a run to a file in dir that goes with the
// program; empty means the system's directory for temporary files. It leaves nothing
// behind when ctx ends meanwhile, or when the file would become larger than limit: then
// the error wraps ErrTooLarge.
func KeepRecording(ctx context.Context, dir string, run Run, log *Log, limit int64) (*KeptRecording, error) {
	file, err := disk.Temporary(dir, "recording-*.ndjson.zst")
	if err != nil {
		return nil, fmt.Errorf("make a file for the recording: %w", err)
	}
	kept := &KeptRecording{run: run, file: file}
	if err := kept.write(ctx, file, log, limit); err != nil {
		return nil, errors.Join(err, disk.Remove(file))
	}
	return kept, nil
}

// SaveRecording is KeepRecording to a file that outlasts the program. The file has its
// name when all of it is on the disk.
func SaveRecording(ctx context.Context, name string, run Run, log *Log, limit int64) (*KeptRecording, error) {
	kept := &KeptRecording{run: run, name: name}
	if err := wholefile.Write(name, func(w io.Writer) error { return kept.write(ctx, w, log, limit) }); err != nil {
		return nil, err
	}
	return kept, nil
}

// OpenSaved returns the recording in a file that SaveRecording has written, perhaps in
// an earlier program. It reads what the file begins with, or whole all of it. The error
// wraps ErrNotRecording if that is damaged. See [OpenRecording] for follow.
func OpenSaved(name string, whole bool, follow Follow) (*KeptRecording, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	recording, err := OpenRecording(file, follow)
	if err != nil {
		return nil, err
	}
	defer recording.Close()
	if whole {
		if err := recording.verify(); err != nil {
			return nil, err
		}
	}
	kept := &KeptRecording{run: recording.Run, name: name, size: info.Size()}
	if recording.follow != nil {
		kept.old = follow
	}
	return kept, nil
}

func (k *KeptRecording) write(ctx context.Context, to io.Writer, log *Log, limit int64) error {
	w := &boundedWriter{ctx: ctx, to: to, limit: limit}
	if err := WriteRecording(w, k.run, log); err != nil {
		return fmt.Errorf("keep the recording of run %s: %w", k.run.ID, err)
	}
	k.run.Events, k.run.At = log.Last()
	k.size = w.written
	return nil
}

// Run describes the recorded run.
func (k *KeptRecording) Run() Run { return k.run }

// Size is the length of the recording in bytes.
func (k *KeptRecording) Size() int64 { return k.size }

// WriteTo writes the recording to w. It fails when the recording was removed, or is
// removed meanwhile.
func (k *KeptRecording) WriteTo(w io.Writer) (int64, error) {
	file := k.file
	if file == nil {
		opened, err := os.Open(k.name)
		if err != nil {
			return 0, err
		}
		defer opened.Close()
		file = opened
	}
	content := io.NewSectionReader(file, 0, k.size)
	if k.old == nil {
		return io.Copy(w, content)
	}
	recording, err := OpenRecording(content, k.old)
	if err != nil {
		return 0, err
	}
	defer recording.Close()
	return 0, writeCompressed(w, recording.WriteText)
}

// Remove removes the file. It must be called once.
func (k *KeptRecording) Remove() error {
	if k.file == nil {
		return os.Remove(k.name)
	}
	return disk.Remove(k.file)
}

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
