package web_test

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	fanout     = flag.Duration("fanout", 2*time.Second, "how long BenchmarkFanout measures each kind of viewers")
	fanoutRate = flag.Int("fanout.rate", 10_000, "events a second in BenchmarkFanout")
)

// BenchmarkFanout lets viewers follow a log that grows by 10,000 events a second, and
// tells what they cost the playground beyond the log itself. The log is that of a run
// that does next to nothing; the events are those of a recorded run, over and over.
func BenchmarkFanout(b *testing.B) {
	cores := make(map[string]float64)
	for _, kind := range []fanoutKind{
		{name: "none"},
		{name: "200", reading: reading{Viewers: 200, Checked: 200}},
		{name: "200-unshared", reading: reading{Viewers: 200, Checked: 4}, unshared: true, than: "200"},
		{name: "500", reading: reading{Viewers: 500, Checked: 500}},
		{name: "500-plain", reading: reading{Viewers: 500, Checked: 500, Plain: true}, than: "500"},
		{name: "500-unshared", reading: reading{Viewers: 500, Checked: 4}, unshared: true, than: "500"},
	} {
		b.Run("viewers="+kind.name, func(b *testing.B) {
			for b.Loop() {
				told, took := kind.measure(b)
				cores[kind.name] = took
				kind.report(b, told, took)
			}
			if kind.Viewers > 0 {
				b.ReportMetric(cores[kind.name]-cores["none"], "cores-above")
			}
			if kind.than != "" {
				b.ReportMetric((cores[kind.name]-cores["none"])/(cores[kind.than]-cores["none"]), "times-"+kind.than)
			}
		})
	}
}

// BenchmarkLateViewers tells how long viewers need to catch up with a log, and what that
// costs the playground: one, and a class that comes within a second.
func BenchmarkLateViewers(b *testing.B) {
	for _, kind := range []struct {
		events  int64
		viewers int
	}{{1_000_000, 1}, {100_000, 1}, {100_000, 50}} {
		b.Run(fmt.Sprintf("events=%d/viewers=%d", kind.events, kind.viewers), func(b *testing.B) {
			for b.Loop() {
				measureLateViewers(b, kind.events, reading{Viewers: kind.viewers, Checked: kind.viewers})
			}
		})
	}
}

func measureLateViewers(b *testing.B, length int64, r reading) {
	s := open(b, func(u *setup) { u.web.WriteTimeout = time.Minute })
	s.start(`{"scenario": ` + still + `}`)
	log, events := s.run().Log(), recorded(b)
	for log.Len() < length {
		if _, err := log.Append(events[int(log.Len())%len(events)]); err != nil {
			b.Fatal(err)
		}
	}
	r.Address, r.Last = s.address, log.Len()
	cpu, began := zktest.ProcessorTime(b), time.Now()
	told := startReaders(b, r).report()
	if len(told.Errors) > 0 {
		b.Errorf("%d viewers failed, first %s", len(told.Errors), told.Errors[0])
	}
	b.ReportMetric(time.Since(began).Seconds(), "s")
	b.ReportMetric((zktest.ProcessorTime(b) - cpu).Seconds(), "cpu-s")
	b.ReportMetric(float64(told.Bytes)/float64(r.Viewers)/(1<<20), "MiB/viewer")
	b.ReportMetric(0, "ns/op")
}

// A fanoutKind is one way to follow the log.
type fanoutKind struct {
	name string
	reading
	unshared bool
	than     string    // the kind that it is compared with
	slow     *slowKind // another viewer
}

// measure returns what the readers saw, and the processor time of the playground for a
// second of the log, in cores.
func (k fanoutKind) measure(b *testing.B) (told report, cores float64) {
	b.Helper()
	s := open(b, func(u *setup) {
		u.room.MaxViewers = 1000
		u.web.WriteTimeout = time.Minute // for those that share nothing
		if k.slow != nil {
			u.web.WriteTimeout = time.Second
		}
	})
	if k.unshared {
		s.server.ShareNothing()
	}
	s.start(`{"scenario": ` + still + `}`)
	log := s.run().Log()
	count := int64(float64(*fanoutRate) * fanout.Seconds())
	k.Address, k.Last = s.address, log.Len()+count
	k.Began = time.Now().Add(-log.Now()).UnixMicro()
	var viewers *readers
	if k.Viewers > 0 {
		viewers = startReaders(b, k.reading)
	}
	if k.slow != nil {
		end := s.follow(b, *k.slow, k.Last)
		defer func() { told.Came = end() }()
	}
	cpu, began := zktest.ProcessorTime(b), time.Now()
	grow(b, log, recorded(b), count)
	if viewers != nil {
		told = viewers.report()
		if len(told.Errors) > 0 {
			b.Errorf("%d viewers failed, first %s", len(told.Errors), told.Errors[0])
		}
		told.Behind = time.Since(began) - *fanout
	}
	return told, (zktest.ProcessorTime(b) - cpu).Seconds() / fanout.Seconds()
}

// report reports a measurement.
func (k fanoutKind) report(b *testing.B, told report, cores float64) {
	b.ReportMetric(cores, "cores")
	b.ReportMetric(0, "ns/op")
	if k.Viewers == 0 {
		return
	}
	count := float64(*fanoutRate) * fanout.Seconds()
	b.ReportMetric(told.Behind.Seconds(), "s-behind")
	b.ReportMetric(float64(told.P50)/1000, "p50-ms")
	b.ReportMetric(float64(told.P99)/1000, "p99-ms")
	b.ReportMetric(float64(told.Bytes)/float64(k.Viewers)/count, "B/event")
	b.ReportMetric(float64(told.Frames)/float64(k.Viewers)/fanout.Seconds(), "frames/s")
}

// still is a scenario whose only client takes its lock and keeps it.
const still = `{"name": "still", "title": "Still", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 1, "session": "10s", "hold": {"min": "1m", "max": "1m"}, "think": {"min": "1m", "max": "1m"}, "seed": 1}`

// grow appends count events to the log, evenly.
func grow(b *testing.B, log *event.Log, events []event.Event, count int64) {
	ticker := time.NewTicker(time.Millisecond)
	defer ticker.Stop()
	began := time.Now()
	for done := int64(0); done < count; <-ticker.C {
		due := min(count, int64(time.Since(began).Seconds()*float64(*fanoutRate)))
		for ; done < due; done++ {
			if _, err := log.Append(events[int(done)%len(events)]); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// recorded returns the events of a recorded run.
func recorded(tb testing.TB) []event.Event {
	tb.Helper()
	file, err := os.Open("../../static/test/fixtures/herd-vs-predecessor.ndjson.zst")
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		tb.Fatal(err)
	}
	defer recording.Close()
	var events []event.Event
	for e, err := range recording.Events() {
		if err != nil {
			tb.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

// readers are viewers in a process of their own.
type readers struct {
	testing.TB
	command *exec.Cmd
	out     *bufio.Reader
}

// startReaders returns when all are connected.
func startReaders(tb testing.TB, r reading) *readers {
	tb.Helper()
	asked, err := json.Marshal(r)
	if err != nil {
		tb.Fatal(err)
	}
	command := exec.CommandContext(tb.Context(), os.Args[0])
	command.Env = append(os.Environ(), fmt.Sprintf("%s=%s", readersVariable, asked))
	command.Stderr = os.Stderr
	out, err := command.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	viewers := &readers{TB: tb, command: command, out: bufio.NewReader(out)}
	if _, err := viewers.out.ReadString('\n'); err != nil {
		tb.Fatal(err)
	}
	return viewers
}

// report is what they have seen, when they have had the last event.
func (v *readers) report() report {
	v.Helper()
	var told report
	if err := json.NewDecoder(v.out).Decode(&told); err != nil {
		v.Fatal(err)
	}
	if err := v.command.Wait(); err != nil {
		v.Fatal(err)
	}
	return told
}
