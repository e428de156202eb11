package main

import (
	"context"
	"flag"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// `make class` measures for longer, and more often.
var (
	isolationFor    = flag.Duration("isolation", 0, "how long TestIsolation measures each disturbance at least")
	isolationRounds = flag.Int("isolation.rounds", 1, "how often TestIsolation measures each disturbance")
	isolationCrowd  = flag.Int("isolation.crowd", 10, "how many clients at full speed disturb in TestIsolation")
	isolationRate   = flag.Int("isolation.rate", 10_000, "how many events a second a run of TestIsolation may have")
)

// quiet is the run whose hand-overs are measured: its lock is always contended, and the
// machine is idle most of the time.
const quiet = `{"scenario": {"name": "quiet", "title": "Quiet", "lanes": [{"name": "mutex", "title": "Mutex", "recipe": "mutex"}],
	"clients": 8, "session": "10s", "hold": {"min": "5ms", "max": "5ms"}, "think": {"min": "5ms", "max": "10ms"}, "seed": 1}}`

// crowd is a run of clients that are as fast as they can be.
func crowd(recipe string, clients int) string {
	return fmt.Sprintf(`{"scenario": {"name": "crowd", "title": "Crowd", "lanes": [{"name": "lane", "title": "Lane", "recipe": %q}],
		"clients": %d, "session": "10s", "hold": {"min": "0s", "max": "0s"}, "think": {"min": "0s", "max": "0s"}, "seed": 1}}`, recipe, clients)
}

func nothing() string { return "" }

// A disturbance is what somebody else does meanwhile, in a room of its own.
type disturbance struct {
	name string
	// begin begins it; it goes on until the context ends, and what it started is waited
	// for by the group.
	begin func(ctx context.Context, p visitor, room string, going *sync.WaitGroup)
}

var disturbances = []disturbance{
	{name: "alone", begin: func(context.Context, visitor, string, *sync.WaitGroup) {}},
	{name: "alone, once more", begin: func(context.Context, visitor, string, *sync.WaitGroup) {}},
	{name: "crashes, expiries and partitions", begin: func(ctx context.Context, p visitor, room string, going *sync.WaitGroup) {
		p.start(room, `{"scenario": "predecessor", "clients": 20, "delay": "10ms"}`)
		p.must(http.StatusOK, http.MethodPatch, room+"/run", `{"inject": {"crash": "1s", "expire": "1s"}}`)
		client := 0
		p.repeat(ctx, going, 200*time.Millisecond, http.MethodPost, room+"/faults", func() string {
			client = client%20 + 1
			return fmt.Sprintf(`{"client": %d, "fault": "partition", "for": "1s"}`, client)
		})
	}},
	{name: "a crowd at full speed", begin: func(_ context.Context, p visitor, room string, _ *sync.WaitGroup) {
		p.start(room, crowd("mutex", *isolationCrowd))
	}},
	{name: "a crowd at full speed, as a herd", begin: func(_ context.Context, p visitor, room string, _ *sync.WaitGroup) {
		p.start(room, crowd("herd", *isolationCrowd))
	}},
	{name: "as many commands and downloads as one may", begin: func(ctx context.Context, p visitor, room string, going *sync.WaitGroup) {
		p.start(room, crowd("mutex", 2))
		p.repeat(ctx, going, time.Second/20, http.MethodDelete, room+"/faults", nothing)
		for range 5 {
			p.repeat(ctx, going, time.Second/10, http.MethodGet, room+"/events", nothing)
		}
	}},
	{name: "many more commands than one may", begin: func(ctx context.Context, p visitor, room string, going *sync.WaitGroup) {
		p.repeat(ctx, going, 0, http.MethodDelete, room+"/faults", nothing)
	}},
	{name: "as many runs at once as one may start", begin: func(ctx context.Context, p visitor, room string, going *sync.WaitGroup) {
		p.repeat(ctx, going, 0, http.MethodPost, room+"/run", func() string { return crowd("mutex", *isolationCrowd) })
	}},
	{name: "as many runs as one may start later", begin: func(ctx context.Context, p visitor, room string, going *sync.WaitGroup) {
		p.repeat(ctx, going, time.Second/2, http.MethodPost, room+"/run", func() string { return crowd("mutex", *isolationCrowd) })
	}},
}

// repeat sends a request again and again, every so often or at once, until the context
// ends.
func (p visitor) repeat(ctx context.Context, going *sync.WaitGroup, every time.Duration, method, path string, body func() string) {
	going.Go(func() {
		for ctx.Err() == nil {
			status, answer, err := p.ask(method, path, body())
			if err != nil || status >= http.StatusInternalServerError {
				p.Errorf("%s %s: %d, %v: %s", method, path, status, err, answer)
				return
			}
			select {
			case <-time.After(every):
			case <-ctx.Done():
			}
		}
	})
}

// TestIsolation measures how long the lock of one room takes from a client to the next,
// while others do their worst in theirs. Round by round, and twice alone in each, so that
// what changes without a reason is seen, too. It prints the medians of the rounds.
func TestIsolation(t *testing.T) {
	t.Parallel()
	s := serve(t, nil, "-teacher-token", "token", "-max-events-per-second", strconv.Itoa(*isolationRate))
	p := s.visit(t, "/")
	room := p.makeRoom()
	p50, p99, alone := make([][]int64, len(disturbances)), make([][]int64, len(disturbances)), 0
	for range *isolationRounds {
		for i, d := range disturbances {
			one, most := s.disturb(t, d, p, room)
			p50[i], p99[i] = append(p50[i], one), append(p99[i], most)
		}
	}
	t.Logf("from one client's release to the next one's lock, in a quiet room (ms, medians of %d rounds of %v; a crowd is %d clients):",
		*isolationRounds, *isolationFor, *isolationCrowd)
	for i, d := range disturbances {
		t.Logf("%-42s p50 %5.2f   p99 %6.2f   %.2f and %.2f times alone", d.name, milliseconds(p50[i]), milliseconds(p99[i]),
			milliseconds(p50[i])/milliseconds(p50[alone]), milliseconds(p99[i])/milliseconds(p99[alone]))
	}
	s.mustStop(t, syscall.SIGTERM)
}

// disturb measures the quiet room during one disturbance, in microseconds.
func (s site) disturb(t *testing.T, d disturbance, p visitor, room string) (p50, p99 int64) {
	t.Helper()
	other := s.visit(t, "/")
	otherRoom := other.makeRoom()
	ctx, cancel := context.WithCancel(t.Context())
	var going sync.WaitGroup
	d.begin(ctx, other, otherRoom, &going)
	p.start(room, quiet)
	select {
	case <-time.After(*isolationFor):
	case <-s.exited:
		t.Fatal("the playground has ended")
	}
	eventually(t, "there is something to measure", func() bool {
		var told check.Summary
		decode(t, p.must(http.StatusOK, http.MethodGet, room+"/summary", ""), &told)
		return told.Lanes[0].Acquisitions >= 20
	})
	told := p.end(room)
	cancel()
	going.Wait()
	other.endIfAny(otherRoom)
	lane := told.Lanes[0]
	for _, v := range lane.Verdicts {
		if v.Verdict == event.Violated {
			t.Errorf("%s: %s is violated in the quiet room: %s", d.name, v.Check, v.Why)
		}
	}
	return lane.HandoffMicros.P50, lane.HandoffMicros.P99
}

// endIfAny ends the run of a room if there is one.
func (p visitor) endIfAny(room string) {
	p.Helper()
	if status, answer, err := p.ask(http.MethodDelete, room+"/run", ""); err != nil || status >= http.StatusInternalServerError {
		p.Fatalf("end the run: %d, %v: %s", status, err, answer)
	}
}

// milliseconds is the median of microseconds.
func milliseconds(micros []int64) float64 {
	slices.Sort(micros)
	return float64(micros[(len(micros)-1)/2]+micros[len(micros)/2]) / 2 / 1000
}
