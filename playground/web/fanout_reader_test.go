package web_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"
)

// The viewers of the fan-out benchmark are in a process of their own, so that the
// processor time of the playground is known apart from theirs. They read frames as
// they are on the wire and decompress each only once, as a machine with 500 of
// them could not do that for each viewer.

// readersVariable tells the test binary that it is that process, and what to read.
const readersVariable = "PLAYGROUND_FANOUT_READERS"

// A reading says who is to read what.
type reading struct {
	Address string
	Query   string
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
}

// readAll is the process: it writes "connected", reads until each viewer has had the
// last event, and writes its report.
func readAll(asked string, out io.Writer) error {
	var r reading
	if err := json.Unmarshal([]byte(asked), &r); err != nil {
		return err
	}
	known := &frames{seed: maphash.MakeSeed(), known: make(map[uint64]extent)}
	var connected, done, counting sync.WaitGroup
	var mu sync.Mutex
	total := report{}
	over, end := context.WithCancel(context.Background()) // when all that check have had the last event
	ages := hdrhistogram.New(1, int64(time.Minute/time.Microsecond), 3)
	for i := range r.Viewers {
		connected.Add(1)
		group := &done
		if i >= r.Checked {
			group = &counting
		}
		group.Go(func() {
			v := &rawViewer{reading: r, known: known, checks: i < r.Checked, over: over, ages: hdrhistogram.New(1, int64(time.Minute/time.Microsecond), 3)}
			err := v.read(connected.Done)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				total.Errors = append(total.Errors, fmt.Sprintf("viewer %d: %v", i+1, err))
			}
			total.Bytes += v.bytes
			total.Frames += v.frames
			ages.Merge(v.ages)
		})
	}
	connected.Wait()
	fmt.Fprintln(out, "connected")
	done.Wait()
	end()
	counting.Wait()
	total.P50, total.P99 = ages.ValueAtQuantile(50), ages.ValueAtQuantile(99)
	return json.NewEncoder(out).Encode(total)
}

// frames remembers which events a frame holds.
type frames struct {
	seed  maphash.Seed
	mu    sync.Mutex
	known map[uint64]extent
}

// An extent is the first and the last event of a frame, and when the first was;
// first is 0 for a frame without events.
type extent struct{ first, last, at int64 }

func (f *frames) extent(payload []byte, compressed bool) (extent, error) {
	key := maphash.Bytes(f.seed, payload)
	f.mu.Lock()
	defer f.mu.Unlock()
	if e, ok := f.known[key]; ok {
		return e, nil
	}
	if compressed {
		text, err := io.ReadAll(flate.NewReader(io.MultiReader(bytes.NewReader(payload), strings.NewReader("\x00\x00\xff\xff\x01\x00\x00\xff\xff"))))
		if err != nil {
			return extent{}, err
		}
		payload = text
	}
	var frame struct{ Events []struct{ Seq, At int64 } }
	if err := json.Unmarshal(payload, &frame); err != nil {
		return extent{}, err
	}
	var e extent
	for i, event := range frame.Events {
		if i == 0 {
			e = extent{first: event.Seq, last: event.Seq - 1, at: event.At}
		}
		if event.Seq != e.last+1 {
			return e, fmt.Errorf("event %d after event %d in one frame", event.Seq, e.last)
		}
		e.last++
	}
	f.known[key] = e
	return e, nil
}

// A rawViewer reads one stream.
type rawViewer struct {
	reading
	known  *frames
	checks bool
	over   context.Context

	conn net.Conn
	in   *bufio.Reader
	// message is the beginning of a message that is on its way.
	message    []byte
	compressed bool
	next       int64
	bytes      int64
	frames     int64
	ages       *hdrhistogram.Histogram
}

// read reads up to the last event. A viewer that does not check its frames stops when
// those that do have had the last.
func (v *rawViewer) read(connected func()) error {
	connected = sync.OnceFunc(connected)
	defer connected()
	var err error
	if v.conn, err = net.Dial("tcp", v.Address); err != nil {
		return err
	}
	defer v.conn.Close()
	v.in = bufio.NewReaderSize(v.conn, 32<<10)
	if err := v.shakeHands(); err != nil {
		return err
	}
	connected()
	if !v.checks {
		stop := context.AfterFunc(v.over, func() { v.conn.Close() })
		defer stop()
	}
	for v.next = 1; v.next <= v.Last; {
		if err := v.frame(); v.over.Err() != nil {
			return nil
		} else if err != nil {
			return err
		}
	}
	return nil
}

func (v *rawViewer) shakeHands() error {
	request := "GET " + streamPath + "?" + v.Query + " HTTP/1.1\r\nHost: " + v.Address + "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
	if !v.Plain {
		request += "Sec-WebSocket-Extensions: permessage-deflate\r\n"
	}
	if _, err := io.WriteString(v.conn, request+"\r\n"); err != nil {
		return err
	}
	response, err := http.ReadResponse(v.in, nil)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusSwitchingProtocols {
		return errors.New(response.Status)
	}
	return nil
}

// frame reads one frame of the websocket.
func (v *rawViewer) frame() error {
	var head [2]byte
	if _, err := io.ReadFull(v.in, head[:]); err != nil {
		return err
	}
	length := int64(head[1] & 0x7f)
	switch length {
	case 126:
		var long [2]byte
		if _, err := io.ReadFull(v.in, long[:]); err != nil {
			return err
		}
		length = int64(binary.BigEndian.Uint16(long[:]))
	case 127:
		var long [8]byte
		if _, err := io.ReadFull(v.in, long[:]); err != nil {
			return err
		}
		length = int64(binary.BigEndian.Uint64(long[:]))
	}
	payload := make([]byte, length)
	if _, err := io.ReadFull(v.in, payload); err != nil {
		return err
	}
	v.bytes += length + 2
	switch opcode := head[0] & 0xf; opcode {
	case 0, 1: // a message, or a further part of one
		if opcode == 1 {
			v.compressed = head[0]&0x40 != 0
		}
		v.message = append(v.message, payload...)
		if head[0]&0x80 == 0 {
			return nil
		}
		v.frames++
		defer func() { v.message = v.message[:0] }()
		return v.take(v.message, v.compressed)
	case 9: // a ping, to be answered with the same; the mask may be zero
		_, err := v.conn.Write(append([]byte{0x8a, 0x80 | byte(length), 0, 0, 0, 0}, payload...))
		return err
	default:
		return fmt.Errorf("frame of kind %d: %.60q", opcode, payload)
	}
}

func (v *rawViewer) take(payload []byte, compressed bool) error {
	if !v.checks {
		return nil
	}
	now := time.Now().UnixMicro()
	e, err := v.known.extent(payload, compressed)
	if err != nil || e.first == 0 {
		return err
	}
	if e.first != v.next {
		return fmt.Errorf("event %d where %d was due", e.first, v.next)
	}
	v.next = e.last + 1
	if e.first > v.Last/4 { // the processes warm up before
		_ = v.ages.RecordValue(max(1, now-v.Began-e.at)) // or it took more than a minute
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
