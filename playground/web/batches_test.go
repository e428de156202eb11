package web

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newBatches returns the batches of a log in which nothing is yet.
func newBatches(t *testing.T, config event.LogConfig) *batches {
	t.Helper()
	config.Dir = t.TempDir()
	log := event.NewLog(config)
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	return &batches{log: log, most: newestBatches}
}

func (b *batches) grow(t *testing.T, count int) {
	t.Helper()
	for range count {
		if _, err := b.log.Append(event.Event{Kind: event.WireSent, Op: "getData", Path: "/lock"}); err != nil {
			t.Fatal(err)
		}
	}
}

// get is next, which must have a batch.
func (b *batches) get(t *testing.T, first int64) *batch {
	t.Helper()
	got, err := b.next(first)
	if err != nil {
		t.Fatal(err)
	}
	if got == nil {
		t.Fatalf("there is no batch of event %d, the log has %d", first, b.log.Len())
	}
	return got
}

// none insists that there is no batch yet.
func (b *batches) none(t *testing.T, first int64) {
	t.Helper()
	if got, err := b.next(first); err != nil || got != nil {
		t.Fatalf("the batch of event %d: %+v, %v", first, got, err)
	}
}

// pass lets the time between two batches pass.
func (b *batches) pass() { b.due = b.due.Add(-batchTick) }

func TestViewersShareBatches(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.none(t, 1)
	b.grow(t, 5)
	first := b.get(t, 1)
	b.grow(t, 7)
	if b.get(t, 1) != first || first.next != 6 {
		t.Errorf("the first five events are sent as %+v and as %+v", first, b.get(t, 1))
	}
	b.none(t, 6) // it is not time yet
	b.pass()
	second := b.get(t, 6)
	if second.next != 13 || b.get(t, 6) != second {
		t.Errorf("the next seven events are sent as %+v", second)
	}
	between := b.get(t, 3) // who begins elsewhere comes to where the others are
	if between.next != 6 {
		t.Errorf("who begins at event 3 gets the events up to %d", between.next-1)
	}
	b.none(t, 20)
}

func TestSealedLogWaitsForNothing(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 5)
	b.get(t, 1)
	b.grow(t, 5)
	b.log.Seal()
	if last := b.get(t, 6); last.next != 11 {
		t.Errorf("the last batch is %+v", last)
	}
	b.none(t, 11)
}

func TestLateViewersShareOlderBatches(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 3*linesAtOnce)
	for next := int64(1); next <= b.log.Len(); b.pass() {
		next = b.get(t, next).next
	}
	one, other := b.get(t, 1), b.get(t, 1)
	if one != other {
		t.Error("two late viewers get batches of their own")
	}
	for next := int64(linesAtOnce / 2); next != linesAtOnce+1; {
		if next = b.get(t, next).next; next > linesAtOnce+1 {
			t.Fatalf("who began in between goes on at %d, others at %d", next, linesAtOnce+1)
		}
	}
}

func TestOlderBatchesAreForgotten(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 2*linesAtOnce+1)
	older := b.get(t, 1)
	end := b.get(t, b.get(t, older.next).next).next
	if b.get(t, 1) != older {
		t.Error("an older batch was forgotten although it was just read")
	}
	b.late = b.late.Add(-olderTime)
	b.grow(t, 1)
	b.pass()
	b.get(t, end)
	if len(b.older) > 0 {
		t.Errorf("%d older batches are kept that nobody reads", len(b.older))
	}
}

// TestNothingIsMissing lets viewers come, fall behind and catch up as they like.
func TestNothingIsMissing(t *testing.T) {
	for _, most := range []int{newestBatches, 2, 0} {
		b := newBatches(t, event.LogConfig{SegmentBytes: 64 << 10, MemorySegments: 2})
		b.most = most
		random := rand.New(rand.NewPCG(1, uint64(most)))
		next := make([]int64, 20)
		for i := range next {
			next[i] = 1 + random.Int64N(500)
		}
		for range 400 {
			b.grow(t, random.IntN(200))
			b.pass()
			for range random.IntN(40) {
				viewer := random.IntN(len(next))
				if got, err := b.next(next[viewer]); err != nil {
					t.Fatal(err)
				} else if got != nil {
					checkBatch(t, got, next[viewer])
					next[viewer] = got.next
				}
			}
			if len(b.newest) > most || len(b.older) > most {
				t.Fatalf("%d and %d batches are kept", len(b.newest), len(b.older))
			}
		}
		b.log.Seal()
		for _, from := range next {
			for from <= b.log.Len() {
				got := b.get(t, from)
				checkBatch(t, got, from)
				from = got.next
			}
		}
	}
}

// checkBatch insists that a batch begins where it should. What is in it the tests of
// the stream see.
func checkBatch(t *testing.T, b *batch, first int64) {
	t.Helper()
	if b.first != first || b.next <= first {
		t.Fatalf("the batch of event %d is %+v", first, b)
	}
}

func TestFrameOf(t *testing.T) {
	for lines, want := range map[string]string{
		"{\"seq\":1}\n":              `{"events":[{"seq":1}]}`,
		"{\"seq\":1}\n{\"seq\":2}\n": `{"events":[{"seq":1},{"seq":2}]}`,
	} {
		if got := string(frameOf([]byte(lines))); got != want {
			t.Errorf("%q becomes %s, want %s", lines, got, want)
		}
	}
}

func TestBatchesOfARemovedLog(t *testing.T) {
	b := newBatches(t, event.LogConfig{SegmentBytes: 64 << 10, MemorySegments: 2})
	b.grow(t, 20*linesAtOnce)
	if err := b.log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.next(1); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestBatchesAreForgotten(t *testing.T) {
	shared := newSharedBatches()
	log := newBatches(t, event.LogConfig{}).log
	one, other := shared.follow(log), shared.follow(log)
	if one != other {
		t.Error("two viewers follow one log by different batches")
	}
	shared.leave(one)
	if shared.follow(log) != one {
		t.Error("the batches were forgotten while somebody follows")
	}
	shared.leave(one)
	shared.leave(one)
	if len(shared.of) > 0 {
		t.Error("the batches are kept although nobody follows")
	}
}
