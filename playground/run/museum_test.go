package run_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var museumRounds = flag.Int("museum", 1, "how often TestMuseum runs each scenario")

// museumTime is how long a run of the museum lasts, as on the command line.
const museumTime = 10 * time.Second

// storesTime is how long that of the stores lasts: its last fault comes after the pause.
const storesTime = 14 * time.Second

func timeOf(given scenario.Scenario) time.Duration {
	if given.Name == "stores" {
		return storesTime
	}
	return museumTime
}

// TestMuseum runs each scenario in which something breaks, or that comes to an end, as it
// is shipped, but for the delay: every
// verdict is as expected, and holds where nothing is expected.
func TestMuseum(t *testing.T) {
	t.Parallel()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	server := zktest.Start(t)
	for _, given := range shipped {
		if runsBriefly(given) {
			continue
		}
		given.Delay = 0
		for round := range *museumRounds {
			t.Run(fmt.Sprintf("%s/%d", given.Name, round+1), func(t *testing.T) { visit(t, server, given) })
		}
	}
}

// standstill is for how long the machine must have stood still at once for a
// run to be no evidence: sessions of two seconds do not outlive it surely.
const standstill = 500 * time.Millisecond

// visit runs a scenario for its time and compares its verdicts, again if the
// machine has broken more than the scenario does, or was so slow that too little
// happened for a verdict.
func visit(t *testing.T, server *zktest.Server, given scenario.Scenario) {
	t.Parallel()
	for attempts := 3; ; attempts-- {
		stalls := watchStalls(t)
		run := start(t, server, given)
		run.until("its time is over", func(e event.Event) bool { return e.At >= timeOf(given).Microseconds() })
		run.finish()
		wrong := run.unexpected(given.Expect, stalls)
		if len(wrong) == 0 {
			return
		}
		tooSlow := stalls.longest() >= standstill || !slices.ContainsFunc(wrong, decided)
		if attempts == 1 || !tooSlow {
			t.Fatalf("%s\n%s", strings.Join(wrong, "\n"), run.story())
		}
		t.Logf("again, as the machine was too slow (it stood still for %v): %q", stalls.longest(), wrong)
	}
}

// decided tells whether a difference is more than a verdict that is still open.
func decided(difference string) bool {
	return !strings.Contains(difference, fmt.Sprintf(" is %s, want ", event.Undecided))
}

// unexpected tells in what a run's verdicts differ from those that are expected.
func (w *watched) unexpected(expect map[string]event.Verdict, stalls *stallMeter) (wrong []string) {
	w.t.Helper()
	summary := w.Summary()
	if summary.Undecoded != 0 {
		wrong = append(wrong, fmt.Sprintf("%d frames were not decoded", summary.Undecoded))
	}
	lanes := w.Describe().Lanes
	for i, lane := range summary.Lanes {
		two := slices.ContainsFunc(lane.Verdicts, func(v check.Verdict) bool { return v.Check == "belief" && v.Verdict == event.Violated })
		late := two && stalls.excuses(w.t, w.all(), lanes[i])
		wrong = append(wrong, compareLane(lane, expect, late)...)
	}
	return wrong
}

// compareLane does so for a lane, in which too many have held if a client was late.
func compareLane(lane check.Lane, expect map[string]event.Verdict, late bool) (wrong []string) {
	for _, v := range lane.Verdicts {
		want := event.Holds
		for _, key := range []string{v.Check, lane.Name + "/" + v.Check} {
			if named, ok := expect[key]; ok {
				want = named
			}
		}
		if late && v.Check == "belief" {
			want = event.Violated
		}
		if v.Verdict != want {
			wrong = append(wrong, fmt.Sprintf("lane %s: %s is %s, want %s: %s", lane.Name, v.Check, v.Verdict, want, v.Why))
		}
	}
	return wrong
}

// story is the log without its heartbeats, for a test that has failed.
func (w *watched) story() string {
	w.t.Helper()
	text := ""
	for _, e := range w.all() {
		if e.Op == "ping" || e.Kind == event.TreeSynced {
			continue
		}
		text += fmt.Sprintf("\n%d %.3f %s/%d %s %s%s %s %s %s %s", e.Seq, float64(e.At)/1e6, e.Lane, e.Client, e.Kind, e.Fault, e.Op, e.Dir, e.Path, e.Err, e.Why)
	}
	return text
}

// TestMutexSurvivesEachScript: what the scripts and faults do to a flawed lock,
// they do to the textbook's in vain.
func TestMutexSurvivesEachScript(t *testing.T) {
	t.Parallel()
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	server := zktest.Start(t)
	for _, given := range shipped {
		if len(given.Script) == 0 {
			continue
		}
		t.Run(given.Name, func(t *testing.T) {
			given.Delay, given.Expect, given.Session = 0, nil, milliseconds(30_000)
			given.Lanes = slices.Clone(given.Lanes)
			given.Lanes[0].Recipe = "mutex"
			run := start(t, server, given)
			run.until("the script is done", func(e event.Event) bool {
				return e.Kind == event.NoteStep && strings.HasPrefix(e.Why, "the script is done")
			})
			run.rewound().untilCount(len(given.Lanes)*given.Clients, event.LockReleased)
			run.finish()
			run.verdicts(nil)
		})
	}
}
