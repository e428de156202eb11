package web_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/streamtest"
)

// The viewers of the fan-out benchmark are in a process of their own, so that the
// processor time of the playground is known apart from theirs.

// readersVariable tells the test binary that it is that process, and what to read.
const readersVariable = "PLAYGROUND_FANOUT_READERS"

// A reading says who is to read what.
type reading struct {
	Address string
	Viewers int
	// Checked is how many of the viewers look into what they get; the others count.
	Checked int
	// Plain viewers want no compression.
	Plain bool
	// Began is when the run began, in microseconds of Unix time.
	Began int64
	// Last is the event to read up to.
	Last int64
}

// A report is what the readers have seen.
type report struct {
	Bytes  int64 // of all viewers
	Frames int64
	// P50 and P99 are the age of a frame's oldest event when it has come, in
	// microseconds.
	P50, P99 int64
	Errors   []string
	// Behind is how much later than the log the last of them was done.
	Behind time.Duration
	// Came is how often the slow viewer beside them came, if there was one.
	Came int
}

// readAll is the process: it writes "connected", reads until each viewer has had the
// last event, and writes its report.
func readAll(asked string, out io.Writer) error {
	var r reading
	if err := json.Unmarshal([]byte(asked), &r); err != nil {
		return err
	}
	frames := streamtest.NewFrames()
	var connected, done, counting sync.WaitGroup
	var mu sync.Mutex
	total := report{}
	var ages []int64
	over, end := context.WithCancel(context.Background()) // when all that check have had the last event
	for i := range r.Viewers {
		connected.Add(1)
		group := &done
		if i >= r.Checked {
			group = &counting
		}
		group.Go(func() {
			v := &reader{reading: r, over: over}
			err := v.read(frames, i >= r.Checked, connected.Done)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				total.Errors = append(total.Errors, fmt.Sprintf("viewer %d: %v", i+1, err))
			}
			total.Bytes += v.bytes
			total.Frames += v.frames
			ages = append(ages, v.ages...)
		})
	}
	connected.Wait()
	fmt.Fprintln(out, "connected")
	done.Wait()
	end()
	counting.Wait()
	slices.Sort(ages)
	total.P50, total.P99 = streamtest.Quantile(ages, 0.5), streamtest.Quantile(ages, 0.99)
	return json.NewEncoder(out).Encode(total)
}

// A reader is one viewer.
type reader struct {
	reading
	over          context.Context
	bytes, frames int64
	ages          []int64
}

// read reads up to the last event. A viewer that does not check its frames stops when
// those that do have had the last.
func (r *reader) read(known *streamtest.Frames, unchecked bool, connected func()) error {
	connected = sync.OnceFunc(connected)
	defer connected()
	v, err := known.Dial(context.Background(), streamtest.Config{Address: r.Address, Path: streamPath, Plain: r.Plain, Unchecked: unchecked})
	if err != nil {
		return err
	}
	defer v.Close()
	connected()
	if unchecked {
		stop := context.AfterFunc(r.over, func() { v.Close() })
		defer stop()
	}
	defer func() { r.bytes, r.frames = v.Bytes, v.Frames }()
	for v.Due() <= r.Last {
		frame, err := v.Next()
		if r.over.Err() != nil {
			return nil
		}
		if err != nil {
			return err
		}
		if frame.First > r.Last/4 { // the processes warm up before
			r.ages = append(r.ages, frame.Arrived.UnixMicro()-r.Began-frame.At)
		}
	}
	return nil
}

// beReaders turns the test binary into the readers' process when it was started as
// that.
func beReaders() {
	asked := os.Getenv(readersVariable)
	if asked == "" {
		return
	}
	if err := readAll(asked, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}
