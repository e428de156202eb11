// Package streamtest reads the stream of a room as a browser does, for hundreds of
// viewers at once, and sees to it that each gets every event once and in order.
//
// The viewers of one machine share what they know of a frame: one that many get is
// decompressed and read only once, as a machine could not do that for all whose own
// machines would. What has come to each is compared byte by byte with what is known, by
// a hash.
package streamtest

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"io"
	"strings"
	"sync"
	"time"
)

// A Frame is what a viewer is told at once.
type Frame struct {
	Arrived time.Time
	// First and Last are its events; First is 0 for a frame without any. At is when
	// the first one was, in microseconds since the run began.
	First, Last, At int64
	// Run is there when the frame tells of a run, or that there is none.
	Run *Run
	// Probe says that it answers [Viewer.Probe].
	Probe bool
}

// A Run is what a frame tells of one.
type Run struct {
	ID string // empty if there is no run
	At int64  // its clock when this was sent, in microseconds
}

// Frames remembers frames, by their bytes on the wire. Its methods are safe for
// concurrent use.
type Frames struct {
	seed  maphash.Seed
	mu    sync.Mutex
	known map[uint64]Frame
}

// NewFrames knows none yet.
func NewFrames() *Frames {
	return &Frames{seed: maphash.MakeSeed(), known: make(map[uint64]Frame)}
}

// read tells what is in a frame, in which events must be consecutive.
func (f *Frames) read(payload []byte, compressed bool) (Frame, error) {
	key := maphash.Bytes(f.seed, payload)
	f.mu.Lock()
	defer f.mu.Unlock()
	if known, ok := f.known[key]; ok {
		return known, nil
	}
	if compressed {
		// The end of a message is left out on the wire, and there is no end of all.
		const end = "\x00\x00\xff\xff\x01\x00\x00\xff\xff"
		text, err := io.ReadAll(flate.NewReader(io.MultiReader(bytes.NewReader(payload), strings.NewReader(end))))
		if err != nil {
			return Frame{}, fmt.Errorf("decompress a frame: %w", err)
		}
		payload = text
	}
	frame, err := parse(payload)
	if err != nil {
		return Frame{}, err
	}
	f.known[key] = frame
	return frame, nil
}

func parse(text []byte) (frame Frame, err error) {
	var content struct {
		Events []struct{ Seq, At int64 }
		Run    json.RawMessage
		Probe  bool
	}
	if err := json.Unmarshal(text, &content); err != nil {
		return frame, fmt.Errorf("read a frame: %w", err)
	}
	frame.Probe = content.Probe
	if content.Run != nil { // it may be null
		frame.Run = new(Run)
		if err := json.Unmarshal(content.Run, frame.Run); err != nil {
			return frame, fmt.Errorf("read a frame about a run: %w", err)
		}
	}
	for i, event := range content.Events {
		if i == 0 {
			frame.First, frame.Last, frame.At = event.Seq, event.Seq-1, event.At
		}
		if event.Seq != frame.Last+1 {
			return frame, fmt.Errorf("%w: %d after %d in one frame", ErrWrongEvent, event.Seq, frame.Last)
		}
		frame.Last++
	}
	return frame, nil
}

// Quantile is that of sorted values, 0 if there are none.
func Quantile[T int64 | time.Duration](sorted []T, q float64) (value T) {
	if len(sorted) == 0 {
		return value
	}
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
