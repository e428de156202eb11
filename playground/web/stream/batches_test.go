package stream

import (
	"errors"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
)

// newBatches returns the batches of a log in which nothing is yet.
func newBatches(t *testing.T, config event.LogConfig) *Batches {
	t.Helper()
	config.Dir = t.TempDir()
	log := event.NewLog(config)
	t.Cleanup(func() {
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	})
	return &Batches{log: log, most: newestBatches}
}

func (b *Batches) grow(t *testing.T, count int) {
	t.Helper()
	for range count {
		if _, err := b.log.Append(event.Event{Kind: event.WireSent, Op: "getData", Path: "/lock"}); err != nil {
			t.Fatal(err)
		}
	}
}

// get is Next, which must have a batch.
func (b *Batches) get(t *testing.T, first int64) *Batch {
	t.Helper()
	got, err := b.Next(first)
	if err != nil {
		t.Fatal(err)
	}
	if got == nil {
		t.Fatalf("there is no batch of event %d, the log has %d", first, b.log.Len())
	}
	return got
}

// none insists that there is no batch yet.
func (b *Batches) none(t *testing.T, first int64) {
	t.Helper()
	if got, err := b.Next(first); err != nil || got != nil {
		t.Fatalf("the batch of event %d: %+v, %v", first, got, err)
	}
}

// pass lets the time between two batches pass.
func (b *Batches) pass() { b.due = b.due.Add(-batchTick) }

func TestViewersShareBatches(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.none(t, 1)
	b.grow(t, 5)
	first := b.get(t, 1)
	b.grow(t, 7)
	if b.get(t, 1) != first || first.Next != 6 {
		t.Errorf("the first five events are sent as %+v and as %+v", first, b.get(t, 1))
	}
	b.none(t, 6) // it is not time yet
	b.pass()
	second := b.get(t, 6)
	if second.Next != 13 || b.get(t, 6) != second {
		t.Errorf("the next seven events are sent as %+v", second)
	}
	between := b.get(t, 3) // who begins elsewhere comes to where the others are
	if between.Next != 6 {
		t.Errorf("who begins at event 3 gets the events up to %d", between.Next-1)
	}
	b.none(t, 20)
}

func TestSealedLogWaitsForNothing(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 5)
	b.get(t, 1)
	b.grow(t, 5)
	b.log.Seal()
	if last := b.get(t, 6); last.Next != 11 {
		t.Errorf("the last batch is %+v", last)
	}
	b.none(t, 11)
}

func TestLateViewersShareOlderBatches(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 3*mostEvents)
	for next := int64(1); next <= b.log.Len(); b.pass() {
		next = b.get(t, next).Next
	}
	one, other := b.get(t, 1), b.get(t, 1)
	if one != other {
		t.Error("two late viewers get batches of their own")
	}
	for next := int64(mostEvents / 2); next != mostEvents+1; {
		if next = b.get(t, next).Next; next > mostEvents+1 {
			t.Fatalf("who began in between goes on at %d, others at %d", next, mostEvents+1)
		}
	}
}

func TestOlderBatchesAreForgotten(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 2*mostEvents+1)
	older := b.get(t, 1)
	end := b.get(t, b.get(t, older.Next).Next).Next
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
				if got, err := b.Next(next[viewer]); err != nil {
					t.Fatal(err)
				} else if got != nil {
					checkBatch(t, got, next[viewer])
					next[viewer] = got.Next
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
				from = got.Next
			}
		}
	}
}

// checkBatch insists that a batch begins where it should. What is in it the tests of
// the stream see.
func checkBatch(t *testing.T, b *Batch, first int64) {
	t.Helper()
	if b.first != first || b.Next <= first {
		t.Fatalf("the batch of event %d is %+v", first, b)
	}
}

// TestSlowDiskHoldsUpNobodyElse: while a late viewer's batch is being made, the others
// get theirs.
func TestSlowDiskHoldsUpNobodyElse(t *testing.T) {
	b := newBatches(t, event.LogConfig{})
	b.grow(t, 5)
	slow, asked, read := b.get(t, 1), make(chan struct{}), make(chan struct{})
	slow.prepare = func() error { close(asked); <-read; return nil }
	late := make(chan *Batch)
	go func() { got, _ := b.Next(1); late <- got }()
	<-asked
	if !b.mu.TryLock() {
		t.Fatal("all viewers wait for the disk")
	}
	b.mu.Unlock()
	b.grow(t, 5)
	b.pass()
	b.get(t, 6)
	close(read)
	if got := <-late; got != slow {
		t.Errorf("the late viewer gets %+v", got)
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
	b.grow(t, 20*mostEvents)
	if err := b.log.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Next(1); !errors.Is(err, os.ErrClosed) {
		t.Errorf("the error is %v", err)
	}
}

func TestBatchesAreForgotten(t *testing.T) {
	shared := NewShared()
	log := newBatches(t, event.LogConfig{}).log
	one, other := shared.Follow(log), shared.Follow(log)
	if one != other {
		t.Error("two viewers follow one log by different batches")
	}
	shared.Leave(one)
	if shared.Follow(log) != one {
		t.Error("the batches were forgotten while somebody follows")
	}
	shared.Leave(one)
	shared.Leave(one)
	if len(shared.of) > 0 {
		t.Error("the batches are kept although nobody follows")
	}
}
