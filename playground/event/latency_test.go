package event_test

import (
	"testing"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/zkplayground/zkplayground/playground/event"
)

// burst is how many events come at a time, a millisecond after the ones before.
const burst = 100

// BenchmarkLogAppendTail tells how long an append takes at worst, which is how
// long every link of a run stands still, with some 80,000 events a second. Run it
// on a quiet machine, or above the others: chrt -f 1.
func BenchmarkLogAppendTail(b *testing.B) {
	log := event.NewLog(event.LogConfig{Dir: b.TempDir(), LimitBytes: 1 << 40})
	e := event.Event{Lane: "herd", Client: 12, Kind: event.WireReceived, Op: "getChildren",
		Path: "/playground/rooms/main/r1/herd", Watch: true, Xid: 812, Zxid: 98312, Latency: 1432, Children: 15}
	took := hdrhistogram.New(1, int64(time.Minute), 3)
	for i := 0; b.Loop(); i++ {
		if i%burst == 0 {
			time.Sleep(time.Millisecond)
		}
		begun := time.Now()
		if _, err := log.Append(e); err != nil {
			b.Fatal(err)
		}
		_ = took.RecordValue(time.Since(begun).Nanoseconds())
	}
	b.ReportMetric(float64(took.ValueAtPercentile(99))/1e3, "p99-µs")
	b.ReportMetric(float64(took.ValueAtPercentile(99.99))/1e3, "p99.99-µs")
	b.ReportMetric(float64(took.Max())/1e3, "max-µs")
	if err := log.Close(); err != nil {
		b.Fatal(err)
	}
}
