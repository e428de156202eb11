package run_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait of these tests; the race detector makes them slow.
const timeout = 2 * time.Minute

// soon bounds the end of a run that nothing keeps waiting. It takes a second or
// two; a machine that is busy may need some more, and a holder would hold longer.
const soon = 15 * time.Second

// fast is a scenario with one lane of a recipe, in a hurry. Its sessions outlive
// a machine that stands still for seconds.
func fast(recipe string, clients int) scenario.Scenario {
	return scenario.Scenario{
		Name: "fast", Lanes: []scenario.Lane{{Name: "lane", Recipe: recipe}}, Clients: clients,
		Session: milliseconds(30_000), Seed: 7,
		Hold: between(5, 15), Think: between(0, 10),
	}
}

// between is a range in milliseconds.
func between(low, high int) scenario.Range {
	return scenario.Range{Min: milliseconds(low), Max: milliseconds(high)}
}

func milliseconds(n int) scenario.Duration {
	return scenario.Duration(time.Duration(n) * time.Millisecond)
}

// A watched is a run under test, with the position up to which it has been read.
type watched struct {
	*run.Run
	t    *testing.T
	next int64
}

func start(t *testing.T, server *zktest.Server, given scenario.Scenario) *watched {
	t.Helper()
	return startWith(t, run.Config{Backend: run.Backend{Servers: []string{server.Address()}},
		Base: server.Root(t) + "/playground", Room: "test", ID: "run", Scenario: given})
}

func startWith(t *testing.T, config run.Config) *watched {
	t.Helper()
	config.LogDir, config.EndTimeout = t.TempDir(), timeout
	if config.Redis == nil {
		config.Redis = ownRedis(t)
	}
	run, err := run.Start(t.Context(), config)
	if err != nil {
		t.Fatal(err)
	}
	w := &watched{Run: run, t: t, next: 1}
	t.Cleanup(w.end)
	return w
}

// ownRedis is started when a run needs it, and stopped after that.
func ownRedis(t *testing.T) *redisserver.OnDemand {
	own := redisserver.NewOnDemand(os.Getenv)
	t.Cleanup(func() {
		if err := own.Stop(context.Background()); err != nil {
			t.Error("stop Redis: ", err)
		}
	})
	return own
}

// end stops the run and frees its log, which it keeps as a recording if the test
// has failed: a failure that is seldom seen is explained from that.
func (w *watched) end() {
	w.t.Helper()
	w.finish()
	if w.t.Failed() {
		w.keepLog()
	}
	w.must(w.Close())
}

// keepLog writes a recording of the run into a directory below $TEST_ARTIFACTS, or
// below the system's for temporary files.
func (w *watched) keepLog() {
	w.t.Helper()
	base := os.Getenv("TEST_ARTIFACTS")
	if base == "" {
		base = os.TempDir()
	}
	w.must(os.MkdirAll(base, 0o755))
	dir, err := os.MkdirTemp(base, strings.ReplaceAll(w.t.Name(), "/", "-")+"-")
	w.must(err)
	file, err := os.Create(filepath.Join(dir, "run.ndjson.zst"))
	w.must(err)
	w.must(errors.Join(event.WriteRecording(file, w.Describe(), w.Log()), file.Close()))
	w.t.Logf("the run's log is in %s", file.Name())
}

func (w *watched) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// finish stops the run and waits until nothing of it is left.
func (w *watched) finish() {
	w.t.Helper()
	w.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	if err := w.Wait(ctx); err != nil {
		w.t.Errorf("the run did not end well: %v", err)
	}
}

// until reads on in the log to the first event that fits, and returns it.
func (w *watched) until(what string, fits func(event.Event) bool) event.Event {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), timeout)
	defer cancel()
	for e, err := range w.Log().Follow(ctx, w.next) {
		if err != nil {
			w.t.Fatalf("%s did not happen in %d events: %v", what, w.next-1, err)
		}
		w.next = e.Seq + 1
		if fits(e) {
			return e
		}
	}
	return event.Event{}
}

// untilCount reads on until n events of a kind have gone by.
func (w *watched) untilCount(n int, kind event.Kind) {
	w.t.Helper()
	w.until(fmt.Sprintf("%s, %d times", kind, n), func(e event.Event) bool {
		if e.Kind == kind {
			n--
		}
		return n <= 0
	})
}

func (w *watched) untilKind(kind event.Kind, client int) event.Event {
	w.t.Helper()
	return w.until(fmt.Sprintf("%s of client %d", kind, client), func(e event.Event) bool {
		return e.Kind == kind && (client == 0 || e.Client == client)
	})
}

// all is the whole log; it fails the test if that has a gap.
func (w *watched) all() []event.Event {
	w.t.Helper()
	var events []event.Event
	for e, err := range w.Log().Events(1) {
		w.must(err)
		events = append(events, e)
	}
	for i, e := range events {
		if e.Seq != int64(i)+1 || i > 0 && e.At < events[i-1].At {
			w.t.Fatalf("event %d at %d stands at place %d", e.Seq, e.At, i+1)
		}
	}
	return events
}

// verdicts fails the test unless every verdict is as wanted: holds, but for
// those named.
func (w *watched) verdicts(want map[string]event.Verdict) check.Summary {
	w.t.Helper()
	summary := w.Summary()
	for _, lane := range summary.Lanes {
		for _, v := range lane.Verdicts {
			wanted := event.Holds
			if other, ok := want[v.Check]; ok {
				wanted = other
			}
			if v.Verdict != wanted {
				w.t.Errorf("lane %s: %s is %s: %s", lane.Name, v.Check, v.Verdict, v.Why)
			}
		}
	}
	if summary.Undecoded != 0 {
		w.t.Errorf("%d frames were not decoded", summary.Undecoded)
	}
	return summary
}

// comesAsExpected fails unless the verdicts are what the scenario said.
func (w *watched) comesAsExpected() {
	w.t.Helper()
	summary := w.Summary()
	for _, f := range slices.Concat(summary.Unexpected(), summary.Unmet()) {
		w.t.Errorf("lane %s: %s is %s: %s", f.Lane, f.Check, f.Verdict.Verdict, f.Why)
	}
}

// untold are the verdicts beside a guest or console that has queued: nobody knows what it
// believed.
var untold = map[string]event.Verdict{"mutual-exclusion": event.Undecided, "belief": event.Undecided, "fifo": event.Undecided, "progress": event.Undecided}

// startHeld starts a run and waits until one client holds and another waits.
func startHeld(t *testing.T, given scenario.Scenario) (run *watched, holder event.Event) {
	t.Helper()
	run = start(t, zktest.Start(t), given)
	return run, run.untilQueued(given.Clients - 1)
}

// untilDeleted skips nothing: the observer's word of it may come after what the
// clients do then.
func (w *watched) untilDeleted(path string) event.Event {
	w.t.Helper()
	return w.rewound().until("the znode goes", func(e event.Event) bool { return e.Kind == event.TreeDeleted && e.Path == path })
}

// rewound reads the log from its beginning again.
func (w *watched) rewound() *watched { return &watched{Run: w.Run, t: w.t, next: 1} }

// lastContact is the last event before another with which a frame of the client
// left for the server.
func (w *watched) lastContact(client int, before event.Event) (last event.Event) {
	w.t.Helper()
	stuck := make(map[int64]bool)
	var leaving []event.Event
	for _, e := range w.all()[:before.Seq-1] {
		if e.Client != client {
			continue
		}
		switch {
		case e.Dir == event.Out && (e.Kind == event.WireHeld || e.Kind == event.WireDropped):
			stuck[e.Frame] = true
		case e.Kind == event.WireSent && e.Due == 0, e.Kind == event.WireDelivered:
			leaving = append(leaving, e)
		}
	}
	for _, e := range leaving {
		if !stuck[e.Frame] || e.Kind == event.WireDelivered {
			last = e
		}
	}
	return last
}
