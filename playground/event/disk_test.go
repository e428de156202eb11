package event_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/disktest"
	"github.com/zkplayground/zkplayground/playground/event"
)

func mustBeFree(t *testing.T, dir string, want int64) {
	t.Helper()
	if got := disktest.Free(t, dir); got < want || got > want+64<<10 {
		t.Errorf("%d bytes are free, want %d", got, want)
	}
}

// fillUntilItFails appends until the log takes no more, and returns why.
func fillUntilItFails(t *testing.T, log *event.Log) error {
	t.Helper()
	for range 100_000 {
		if _, err := log.Append(event.Event{Kind: event.WireSent, Client: 3, Path: "/lock/" + strings.Repeat("a", 60)}); err != nil {
			return err
		}
	}
	t.Fatal("the log does not fail")
	return nil
}

// mustHave reads the whole log, which is to have so many events without a gap.
func mustHave(t *testing.T, log *event.Log, want int64) (last event.Event) {
	t.Helper()
	for e, err := range log.Events(1) {
		if err != nil || e.Seq != last.Seq+1 {
			t.Fatalf("event %d after %d: %v", e.Seq, last.Seq, err)
		}
		last = e
	}
	if last.Seq != want {
		t.Fatalf("%d events, want %d", last.Seq, want)
	}
	return last
}

// TestLogThatCannotBeKeptTakesNothingMore: not even what would still have room in
// memory, so that no event is missing between two that are there.
func TestLogThatCannotBeKeptTakesNothingMore(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gone")
	log := event.NewLog(event.LogConfig{Dir: dir, SegmentBytes: 400, MemorySegments: 2})
	defer log.Close()
	err := fillUntilItFails(t, log)
	if !errors.Is(err, event.ErrNotKept) || !errors.Is(err, os.ErrNotExist) || !errors.Is(log.Err(), event.ErrNotKept) {
		t.Errorf("Append = %v, Err = %v, want %v and the reason", err, log.Err(), event.ErrNotKept)
	}
	kept := log.Len()
	for range 20 {
		if _, again := log.Append(event.Event{Kind: event.NoteStep}); !errors.Is(again, event.ErrNotKept) {
			t.Errorf("a short Append = %v, want %v", again, event.ErrNotKept)
		}
	}
	mustHave(t, log, kept)

	for i := range 3 {
		e, err := log.AppendLast(event.Event{Kind: event.NoteTruncated, Why: fmt.Sprint(i)})
		if err != nil || e.Seq != kept+int64(i)+1 {
			t.Fatalf("AppendLast = %d, %v, want event %d", e.Seq, err, kept+int64(i)+1)
		}
	}
	log.Seal()
	if e := mustHave(t, log, kept+3); e.Kind != event.NoteTruncated || e.Why != "2" {
		t.Errorf("the log ends with %+v", e)
	}
	if _, err := log.AppendLast(event.Event{}); !errors.Is(err, event.ErrSealed) {
		t.Errorf("AppendLast after Seal = %v, want %v", err, event.ErrSealed)
	}
}

// TestFullDisk fills a small disk with a log and something else. What the log has
// by then can be read, the room that was set aside is free, and after Close all
// that the log took.
func TestFullDisk(t *testing.T) {
	dir := disktest.New(t, 2<<20)
	log := event.NewLog(event.LogConfig{Dir: dir, SegmentBytes: 16 << 10, MemorySegments: 2})
	defer log.Close()
	if err := log.CheckDisk(); err != nil {
		t.Fatal(err)
	}
	mustBeFree(t, dir, 1536<<10) // a quarter is set aside
	fill(t, log, 5_000)
	if log.Crowded() || log.CheckDisk() != nil {
		t.Error("the disk is said to be full")
	}
	err := fillUntilItFails(t, log)
	if !errors.Is(err, event.ErrNotKept) || !strings.HasSuffix(err.Error(), "no space left on device") {
		t.Errorf("Append = %v", err)
	}
	if err := log.CheckDisk(); !errors.Is(err, event.ErrNotKept) || !log.Crowded() {
		t.Errorf("CheckDisk = %v, Crowded = %v", err, log.Crowded())
	}
	log.Seal() // also waits until the room is given back
	mustBeFree(t, dir, 512<<10)
	mustHave(t, log, log.Len())
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	mustBeFree(t, dir, 2<<20)
}

// TestDiskFilledBySomethingElse: the log ends as soon as it can tell, though it
// has all its events in memory, and gives back what it had set aside.
func TestDiskFilledBySomethingElse(t *testing.T) {
	dir := disktest.New(t, 8<<20)
	log := event.NewLog(event.LogConfig{Dir: dir})
	defer log.Close()
	fill(t, log, 10)
	if err := log.CheckDisk(); err != nil {
		t.Fatal(err)
	}
	disktest.Fill(t, dir)
	err := log.CheckDisk()
	if want := "the log cannot be kept: the disk of " + dir + " is full, only 0 bytes are free"; err == nil || err.Error() != want {
		t.Errorf("CheckDisk = %v, want %s", err, want)
	}
	if _, err := log.Append(event.Event{}); !errors.Is(err, event.ErrNotKept) {
		t.Errorf("Append = %v, want %v", err, event.ErrNotKept)
	}
	mustBeFree(t, dir, 2<<20)
	mustHave(t, log, 10)
}

// TestLogOnADiskThatIsFullFromTheStart: it goes on in memory.
func TestLogOnADiskThatIsFullFromTheStart(t *testing.T) {
	dir := disktest.New(t, 1<<20)
	disktest.Fill(t, dir)
	log := event.NewLog(event.LogConfig{Dir: dir})
	defer log.Close()
	for range 3 {
		if err := log.CheckDisk(); err != nil {
			t.Fatal(err)
		}
		fill(t, log, 10)
	}
	mustHave(t, log, 30)
	if !log.Crowded() {
		t.Error("the disk is said to have room")
	}
}

// TestEndedLogSetsNothingAside: what is over needs no room for its end.
func TestEndedLogSetsNothingAside(t *testing.T) {
	dir := disktest.New(t, 8<<20)
	log := event.NewLog(event.LogConfig{Dir: dir})
	defer log.Close()
	if err := log.CheckDisk(); err != nil {
		t.Fatal(err)
	}
	log.Seal()
	if err := log.CheckDisk(); err != nil {
		t.Fatal(err)
	}
	mustBeFree(t, dir, 8<<20)
}
