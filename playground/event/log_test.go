package event_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// small makes a log whose segments hold a few events each, so that a test of a
// few hundred events crosses memory and disk.
func small(t *testing.T) *event.Log {
	t.Helper()
	log := event.NewLog(event.LogConfig{Dir: t.TempDir(), SegmentBytes: 400, MemorySegments: 2})
	t.Cleanup(func() { _ = log.Close() })
	return log
}

func fill(t *testing.T, log *event.Log, n int) {
	t.Helper()
	for i := range n {
		if _, err := log.Append(event.Event{Kind: event.WireSent, Client: i%7 + 1, Path: fmt.Sprint("/lock/", i)}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestLogNumbersEventsWithoutAGap(t *testing.T) {
	log := small(t)
	var writers sync.WaitGroup
	for range 8 {
		writers.Go(func() { fill(t, log, 100) })
	}
	writers.Wait()
	last := event.Event{}
	for e, err := range log.Events(1) {
		if err != nil || e.Seq != last.Seq+1 || e.At < last.At {
			t.Fatalf("event %d at %d follows event %d at %d: %v", e.Seq, e.At, last.Seq, last.At, err)
		}
		last = e
	}
	if last.Seq != 800 {
		t.Fatalf("read %d events, want 800", last.Seq)
	}
}

func TestLogReadsFromMemoryAndDisk(t *testing.T) {
	log := small(t)
	fill(t, log, 200)
	for _, from := range []int64{1, 2, 50, 199, 200} {
		events, err := log.Read(from, 1)
		if err != nil || len(events) != 1 {
			t.Fatalf("Read(%d) = %v, %v", from, events, err)
		}
		if want := fmt.Sprint("/lock/", from-1); events[0].Path != want || events[0].Seq != from {
			t.Errorf("Read(%d) = event %d with path %s, want %s", from, events[0].Seq, events[0].Path, want)
		}
	}
	if events, err := log.Read(201, 10); err != nil || events != nil {
		t.Errorf("Read past the end = %v, %v", events, err)
	}
	if _, err := log.Read(0, 10); !errors.Is(err, event.ErrNoEvent) {
		t.Errorf("Read(0) = %v, want ErrNoEvent", err)
	}
}

func TestLogLeavesNoFile(t *testing.T) {
	dir := t.TempDir()
	log := event.NewLog(event.LogConfig{Dir: dir, SegmentBytes: 400, MemorySegments: 1})
	fill(t, log, 50)
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	if files, _ := os.ReadDir(dir); len(files) != 0 {
		t.Errorf("%d files left after Close", len(files))
	}
	if _, err := log.Read(1, 1); err == nil {
		t.Error("an event on disk could be read after Close")
	}
}

func TestLogSaysWhenItIsFull(t *testing.T) {
	log := event.NewLog(event.LogConfig{LimitBytes: 300})
	fill(t, log, 1)
	if log.Full() {
		t.Fatal("full after one event")
	}
	fill(t, log, 10)
	if !log.Full() {
		t.Fatalf("not full with %d bytes of 300", log.Size())
	}
}

func TestLogWait(t *testing.T) {
	log := small(t)
	ctx, cancel := context.WithCancel(t.Context())
	waited := make(chan error, 3)
	for range 3 {
		go func() { waited <- log.Wait(ctx, 3) }()
	}
	fill(t, log, 3)
	for range 3 {
		if err := <-waited; err != nil {
			t.Fatalf("Wait = %v", err)
		}
	}
	go func() { waited <- log.Wait(ctx, 4) }()
	cancel()
	if err := <-waited; !errors.Is(err, context.Canceled) {
		t.Errorf("Wait after cancel = %v", err)
	}
	go func() { waited <- log.Wait(t.Context(), 4) }()
	log.Seal()
	if err := <-waited; !errors.Is(err, event.ErrSealed) {
		t.Errorf("Wait after Seal = %v", err)
	}
	if _, err := log.Append(event.Event{}); !errors.Is(err, event.ErrSealed) {
		t.Errorf("Append after Seal = %v", err)
	}
}

func TestLogFollow(t *testing.T) {
	log := small(t)
	fill(t, log, 300)
	const more, from = 500, 7
	go func() {
		fill(t, log, more)
		log.Seal()
	}()
	next := int64(from)
	for e, err := range log.Follow(t.Context(), next) {
		if err != nil {
			if !errors.Is(err, event.ErrSealed) || next != 300+more+1 {
				t.Errorf("it ends before event %d: %v", next, err)
			}
			next = 0
		} else if next++; e.Seq != next-1 {
			t.Fatalf("event %d where %d is due", e.Seq, next-1)
		}
	}
	if next != 0 {
		t.Error("it ends without an error")
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, test := range map[string]struct {
		log  *event.Log
		from int64
		want error
	}{"ended": {small(t), 1, context.Canceled}, "wrong": {log, 0, event.ErrNoEvent}} {
		for e, err := range test.log.Follow(ended, test.from) {
			if !errors.Is(err, test.want) {
				t.Errorf("%s: event %d, %v, want %v", name, e.Seq, err, test.want)
			}
		}
	}
}

func TestLogClockNeverGoesBack(t *testing.T) {
	times := []time.Duration{5 * time.Second, 3 * time.Second, 6 * time.Second}
	log := event.NewLog(event.LogConfig{Clock: func() time.Duration {
		now := times[0]
		times = times[1:]
		return now
	}})
	fill(t, log, 3)
	events, err := log.Read(1, 3)
	if err != nil {
		t.Fatal(err)
	}
	if events[0].At != 5e6 || events[1].At != 5e6 || events[2].At != 6e6 {
		t.Errorf("stamps %d %d %d", events[0].At, events[1].At, events[2].At)
	}
}

func TestRecordingRoundTrip(t *testing.T) {
	log := small(t)
	fill(t, log, 300)
	want := event.Run{ID: "r1", Scenario: "herd", Lanes: []event.Lane{{Name: "herd", Clients: 7}}}
	var file bytes.Buffer
	if err := event.WriteRecording(&file, want, log); err != nil {
		t.Fatal(err)
	}
	recording, err := event.OpenRecording(&file, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	if recording.Run.ID != want.ID || !reflect.DeepEqual(recording.Run.Lanes[0], want.Lanes[0]) {
		t.Errorf("header %+v, want %+v", recording.Run, want)
	}
	n := int64(0)
	for e, err := range recording.Events() {
		if n++; err != nil || e.Seq != n {
			t.Fatalf("event %d: %+v, %v", n, e, err)
		}
	}
	if n != 300 {
		t.Errorf("%d events, want 300", n)
	}
}

// TestShortRecording: a recording that was cut between two events is refused.
func TestShortRecording(t *testing.T) {
	log := small(t)
	fill(t, log, 3)
	var file, short bytes.Buffer
	if err := event.WriteRecording(&file, event.Run{ID: "r1"}, log); err != nil {
		t.Fatal(err)
	}
	text, err := zstd.NewReader(&file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	lines, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	compressor, err := zstd.NewWriter(&short)
	if err != nil {
		t.Fatal(err)
	}
	head := bytes.Join(bytes.SplitAfter(lines, []byte{'\n'})[:3], nil)
	if _, err := compressor.Write(head); err != nil || compressor.Close() != nil {
		t.Fatal(err)
	}
	recording, err := event.OpenRecording(&short, check.Follow)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	var last error
	for _, err := range recording.Events() {
		last = err
	}
	if !errors.Is(last, event.ErrNotRecording) {
		t.Errorf("reading two of three events ended with %v", last)
	}
}

func FuzzOpenRecording(f *testing.F) {
	var file bytes.Buffer
	log := event.NewLog(event.LogConfig{})
	if _, err := log.Append(event.Event{Kind: event.NoteStarted}); err != nil {
		f.Fatal(err)
	}
	if err := event.WriteRecording(&file, event.Run{ID: "r1"}, log); err != nil {
		f.Fatal(err)
	}
	f.Add(file.Bytes())
	f.Add([]byte("no recording"))
	f.Fuzz(func(t *testing.T, data []byte) {
		recording, err := event.OpenRecording(bytes.NewReader(data), check.Follow)
		if err != nil {
			return
		}
		defer recording.Close()
		for _, err := range recording.Events() {
			if err != nil && !errors.Is(err, event.ErrNotRecording) {
				t.Fatalf("unexpected kind of error: %v", err)
			}
		}
	})
}

func BenchmarkLogAppend(b *testing.B) {
	log := event.NewLog(event.LogConfig{Dir: b.TempDir(), LimitBytes: 1 << 40})
	e := event.Event{Lane: "herd", Client: 12, Kind: event.WireReceived, Op: "getChildren",
		Path: "/playground/rooms/main/r1/herd", Watch: true, Xid: 812, Zxid: 98312, Latency: 1432, Children: 15}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := log.Append(e); err != nil {
			b.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}
