//go:build linux

package run_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	// scale is how long BenchmarkRun measures.
	scale = flag.Duration("scale", 3*time.Second, "how long BenchmarkRun measures")
	// scaleClients is how many clients contend for each of five locks.
	scaleClients = flag.Int("scale.clients", 200, "how many clients of BenchmarkRun contend for each of its five locks")
	// scaleHold is how long its clients hold; the shorter, the more frames.
	scaleHold = flag.Duration("scale.hold", 2*time.Millisecond, "how long the clients of BenchmarkRun hold their lock")
)

// promised is the load, in frames a second, for which the playground promises
// to take no more than half a core.
const promised = 15000

// BenchmarkRun is a whole run of 1000 clients, 200 for each of five locks, or of as many as
// -scale.clients says. It measures from when all have a session.
// ZooKeeper is a process of its own, and not in the figures.
func BenchmarkRun(b *testing.B) {
	server := zktest.Start(b)
	for b.Loop() {
		measureRun(b, server)
	}
	b.ReportMetric(0, "ns/op")
}

// A measurement is of one run.
type measurement struct {
	*testing.B
	run *run.Run
}

func measureRun(b *testing.B, server *zktest.Server) {
	b.Helper()
	dir := b.TempDir()
	run, err := run.Start(b.Context(), run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(b) + "/playground", Room: "test", ID: "run", Scenario: manyLocks(5, *scaleClients), LogDir: dir})
	if err != nil {
		b.Fatal(err)
	}
	m := measurement{b, run}
	m.awaitSessions(5 * *scaleClients)
	from := m.meter()
	select {
	case <-time.After(*scale):
	case <-run.Done():
		b.Error("the run ended by itself")
	}
	to := m.meter()
	m.finish()
	m.report(from, to)
	b.ReportMetric(float64(m.onDisk(dir)), "disk-B")
	m.must(run.Close())
}

// manyLocks is a scenario in which clients contend for as many locks as there
// are lanes, as fast as they can.
func manyLocks(lanes, clients int) scenario.Scenario {
	s := fast("mutex", clients)
	hold := scenario.Duration(*scaleHold)
	s.Lanes, s.Hold, s.Think = nil, scenario.Range{Min: hold, Max: hold}, between(0, 0)
	s.Session = scenario.Duration(30 * time.Second)
	for i := range lanes {
		s.Lanes = append(s.Lanes, scenario.Lane{Name: fmt.Sprintf("lock-%d", i+1), Recipe: "mutex"})
	}
	return s
}

func (m measurement) must(err error) {
	m.Helper()
	if err != nil {
		m.Fatal(err)
	}
}

// awaitSessions waits until n sessions were granted.
func (m measurement) awaitSessions(n int) {
	m.Helper()
	ctx, cancel := context.WithTimeout(m.Context(), timeout)
	defer cancel()
	for e, err := range m.run.Log().Follow(ctx, 1) {
		m.must(err)
		if e.Kind == event.SessionGranted {
			n--
		}
		if n == 0 {
			return
		}
	}
}

func (m measurement) finish() {
	m.Helper()
	m.run.Stop()
	ctx, cancel := context.WithTimeout(context.WithoutCancel(m.Context()), timeout)
	defer cancel()
	m.must(m.run.Wait(ctx))
}

// count counts the events after one and up to another, by kind.
func (m measurement) count(after, to int64) map[event.Kind]int {
	m.Helper()
	kinds := make(map[event.Kind]int)
	for next := after + 1; next <= to; {
		events, err := m.run.Log().Read(next, int(min(512, to-next+1)))
		m.must(err)
		next += int64(len(events))
		for _, e := range events {
			kinds[e.Kind]++
		}
	}
	return kinds
}

// A reading is what the meters say at a moment.
type reading struct {
	at     time.Time
	cpu    time.Duration // of this process
	events int64
	bytes  int64 // of log
	peak   int64 // bytes of memory that this process has had at most
}

func (m measurement) meter() reading {
	m.Helper()
	return reading{time.Now(), zktest.ProcessorTime(m), m.run.Log().Len(), m.run.Log().Size(), zktest.ReadUsage(m, os.Getpid()).Peak}
}

// report prints what happened between two readings, and what the run came to.
func (m measurement) report(from, to reading) {
	m.Helper()
	seconds := to.at.Sub(from.at).Seconds()
	kinds := m.count(from.events, to.events)
	frames := float64(kinds[event.WireSent] + kinds[event.WireReceived])
	m.reportCPU(to.cpu-from.cpu, seconds, frames)
	m.ReportMetric(seconds, "s")
	m.ReportMetric(float64(to.events-from.events)/seconds, "events/s")
	m.ReportMetric(frames/seconds, "frames/s")
	m.ReportMetric(float64(kinds[event.LockAcquired])/seconds, "acquisitions/s")
	m.ReportMetric(float64(to.bytes-from.bytes)/seconds, "log-B/s")
	m.ReportMetric(float64(to.peak)/(1<<20), "peak-MiB")
	m.ReportMetric(float64(m.run.Summary().Undecoded), "undecoded")
	m.ReportMetric(float64(m.unmet()), "violations")
}

// reportCPU prints the share of one core as measured, the cost of a frame, and
// by that cost the share at the promised load, which may be more or less than
// the server could bear.
func (m measurement) reportCPU(cpu time.Duration, seconds, frames float64) {
	perFrame := cpu.Seconds() / frames
	m.ReportMetric(100*cpu.Seconds()/seconds, "cpu-%")
	m.ReportMetric(1e6*perFrame, "cpu-µs/frame")
	m.ReportMetric(100*perFrame*promised, fmt.Sprintf("cpu-%%-scaled-to-%d-frames/s", promised))
}

// unmet counts the checks that do not hold, each of which fails the benchmark.
func (m measurement) unmet() int {
	m.Helper()
	n := 0
	for _, lane := range m.run.Summary().Lanes {
		for _, v := range lane.Verdicts {
			if v.Verdict != event.Holds {
				m.Errorf("%s: %s is %s: %s", lane.Name, v.Check, v.Verdict, v.Why)
				n++
			}
		}
	}
	return n
}

// onDisk is the size of the open files of a directory, which may have lost their
// names.
func (m measurement) onDisk(dir string) (size int64) {
	m.Helper()
	open, err := filepath.Glob("/proc/self/fd/*")
	m.must(err)
	for _, fd := range open {
		if name, err := os.Readlink(fd); err != nil || !strings.HasPrefix(name, dir) {
			continue // closed since, or not the log's
		}
		info, err := os.Stat(fd)
		m.must(err)
		size += info.Size()
	}
	return size
}
