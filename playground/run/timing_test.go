package run_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const (
	// tick is the server's.
	tick = 100 * time.Millisecond
	// slack is for whatever takes its time besides.
	slack = 100 * time.Millisecond
)

// TestExpiryAfterEachFault: a client that the server hears no more loses its
// znode when the session has timed out, counted from the last frame that left
// for the server, and not before.
func TestExpiryAfterEachFault(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"crash", "partition", "partition-out"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			stalls := watchStalls(t)
			run, holder := startHeld(t, brief(2))
			run.must(run.Inject(t.Context(), scenario.Fault{Name: fault, Client: holder.Client}))
			run.mustExpireInTime(holder, stalls)
		})
	}
}

// mustExpireInTime waits until the holder's znode is gone. It must go when the
// session has timed out, counted from the last frame that left for the server.
func (w *watched) mustExpireInTime(holder event.Event, stalls *stallMeter) (last event.Event) {
	w.t.Helper()
	deleted := w.untilDeleted(holder.Path)
	last = w.lastContact(holder.Client, deleted)
	after := micros(deleted.At - last.At)
	w.t.Logf("the znode went %v after the last contact", after)
	if after < briefly || after > briefly+2*tick+stalls.slack() || deleted.Cause != "expiry" {
		w.t.Errorf("the znode went %v after the last contact, by %s", after, deleted.Cause)
	}
	return last
}

// TestPartitionInOutlastsTheTimeout: a client that hears nothing goes on
// telling the server that it lives, until it gives the connection up.
func TestPartitionInOutlastsTheTimeout(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	run, holder := startHeld(t, brief(2))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "partition-in", Client: holder.Client}))
	injected := run.untilKind(event.FaultInjected, holder.Client)
	if last := run.mustExpireInTime(holder, stalls); last.At < injected.At {
		t.Errorf("the last contact is event %d, the fault event %d", last.Seq, injected.Seq)
	}
	run.rewound().untilKind(event.SessionSuspended, holder.Client)
}

// TestCloseIsPrompt: a session that is closed takes its znode along at once, and
// the client is not heard of again.
func TestCloseIsPrompt(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	run, holder := startHeld(t, slow(4))
	var took []time.Duration
	left := make(map[int]int64) // when each client's session was closed
	for range 3 {
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "close", Client: holder.Client}))
		injected := run.untilKind(event.FaultInjected, holder.Client)
		deleted := run.untilDeleted(holder.Path)
		if deleted.Cause != "close" {
			t.Errorf("the znode went by %s", deleted.Cause)
		}
		took = append(took, micros(deleted.At-injected.At))
		left[holder.Client] = run.rewound().untilKind(event.SessionClosed, holder.Client).Seq
		holder = run.untilKind(event.LockAcquired, 0)
	}
	mustBePrompt(t, took, stalls)
	run.finish()
	run.verdicts(nil)
	for _, e := range run.all() {
		if seq := left[e.Client]; seq > 0 && e.Seq > seq && e.Kind != event.TreeDeleted && !e.Kind.Follows() {
			t.Errorf("event %d: client %d, which has left, did %s", e.Seq, e.Client, e.Kind)
		}
	}
}

// mustBePrompt bounds the median of what was measured by 50 ms; one pause of the
// server's virtual machine may make a single one longer.
func mustBePrompt(t *testing.T, took []time.Duration, stalls *stallMeter) {
	t.Helper()
	slices.Sort(took)
	median, slowest := took[len(took)/2], took[len(took)-1]
	t.Logf("znodes went after %v (median), %v (slowest)", median, slowest)
	if most := 50*time.Millisecond + stalls.total(); median > most {
		t.Errorf("half of the znodes went after %v and more, want at most %v", median, most)
	}
	if most := 500*time.Millisecond + stalls.total(); slowest > most {
		t.Errorf("a znode went after %v, want at most %v", slowest, most)
	}
}

// TestSlow: each frame takes its delay each way, and never more than the jitter
// besides; afterwards the link is as it was.
func TestSlow(t *testing.T) {
	t.Parallel()
	stalls := watchStalls(t)
	const delay, jitter = 100 * time.Millisecond, 50 * time.Millisecond
	given := fast("mutex", 2)
	run := start(t, zktest.Start(t), given)
	run.untilKind(event.LockAcquired, 1)
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "slow", Client: 1, Parameters: scenario.Parameters{Delay: scenario.Duration(delay), Jitter: scenario.Duration(jitter)}}))
	injected := run.untilKind(event.FaultInjected, 1)
	for range 4 { // each is two round trips and more
		run.untilKind(event.LockAcquired, 1)
	}
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "heal", Client: 1}))
	healed := run.untilKind(event.FaultHealed, 1)
	quick := 0
	run.until("five quick round trips afterwards", func(e event.Event) bool {
		if e.Kind == event.WireReceived && e.Client == 1 && e.At-e.Latency > healed.At && micros(e.Latency) < delay {
			quick++
		}
		return quick == 5
	})
	run.finish()
	within, slowest := 0, time.Duration(0)
	for _, e := range run.all() {
		sent := e.At - e.Latency
		switch latency := micros(e.Latency); {
		case e.Kind != event.WireReceived || e.Client != 1 || e.Latency == 0:
		case sent > injected.At && e.At < healed.At:
			within++
			slowest = max(slowest, latency)
			if latency < 2*delay || latency > 2*(delay+jitter)+stalls.slack() {
				t.Errorf("event %d: a round trip of %s took %v", e.Seq, e.Op, latency)
			}
		}
	}
	if within < 5 || slowest < 2*delay+jitter/4 {
		t.Errorf("%d round trips, the longest %v", within, slowest)
	}
	run.verdicts(nil)
}

// TestHeal: a client that comes back after its session is over learns the truth
// within a second, and is in the queue again.
func TestHeal(t *testing.T) {
	t.Parallel()
	for _, fault := range []string{"partition", "partition-in", "partition-out", "pause"} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			stalls := watchStalls(t)
			run, holder := startHeld(t, brief(2))
			injected := scenario.Fault{Name: fault, Client: holder.Client}
			run.must(run.Inject(t.Context(), injected))
			run.untilDeleted(holder.Path)
			run.untilKind(event.LockAcquired, 3-holder.Client)
			injected.Name = "heal"
			run.must(run.Inject(t.Context(), injected))
			healed := run.untilKind(event.FaultHealed, holder.Client)
			waiting := run.untilKind(event.LockWaiting, holder.Client)
			if healed.Fault != fault || healed.Why == "" {
				t.Errorf("healed %q: %q", healed.Fault, healed.Why)
			}
			after := micros(waiting.At - healed.At)
			t.Logf("in the queue again after %v", after)
			if after > time.Second+stalls.slack() {
				t.Errorf("in the queue again after %v", after)
			}
			lost := run.rewound().untilKind(event.LockLost, holder.Client)
			if lost.At > waiting.At {
				t.Error("it waits for what it believes to hold")
			}
			run.finish()
			want := map[string]event.Verdict{"belief": beliefAfter(fault)}
			if stalls.excuses(t, run.all(), run.Describe().Lanes[0]) {
				want["belief"] = event.Violated
			}
			run.verdicts(want)
		})
	}
}

// beliefAfter: only a process that stands still believes on; the others count
// the time since they last heard the server.
func beliefAfter(fault string) event.Verdict {
	if fault == "pause" {
		return event.Violated
	}
	return event.Holds
}

// TestTheSameFaultAgain: what lasts already goes on without a break, for the
// time that was given last.
func TestTheSameFaultAgain(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"pause", "partition", "slow", "lose-reply"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run, holder := startHeld(t, slow(2))
			fault := inOrder(name, holder.Client)
			// The first is to last until the last is there, also on a busy machine.
			for _, fault.For = range []scenario.Duration{milliseconds(3000), 0, milliseconds(3500)} {
				run.must(run.Inject(t.Context(), fault))
			}
			first := run.untilKind(event.FaultInjected, holder.Client)
			run.untilKind(event.FaultInjected, holder.Client)
			last := run.untilKind(event.FaultInjected, holder.Client)
			healed := run.rewound().untilKind(event.FaultHealed, holder.Client)
			if lasted := micros(healed.At - last.At); lasted < 3500*time.Millisecond || last.For != 3500 {
				t.Errorf("it lasted for %v; %d ms were told", lasted, last.For)
			}
			if name == "slow" || name == "lose-reply" {
				return
			}
			for _, e := range run.all()[first.Seq:healed.Seq] {
				if e.Client == holder.Client && (e.Kind == event.WireReceived || e.Kind == event.WireDelivered) {
					t.Errorf("event %d: %s %s got through", e.Seq, e.Kind, e.Op)
				}
			}
		})
	}
}

// TestEndsWhateverIsBroken: a run ends in time, and tells of each fault that it
// is over, whatever lasts.
func TestEndsWhateverIsBroken(t *testing.T) {
	t.Parallel()
	tests := [][]string{{"pause"}, {"partition"}, {"partition-out"}, {"partition-in"}, {"slow"}, {"lose-reply"},
		{"partition", "pause", "slow", "lose-reply"}, {"partition", "close"}, {"partition-in", "close"},
		{"pause", "crash"}, {"slow", "crash"}, {"partition-out", "expire"}}
	for _, names := range tests {
		t.Run(strings.Join(names, " and "), func(t *testing.T) {
			t.Parallel()
			w, _ := startHeld(t, slow(3))
			for _, name := range names {
				for client := 1; client <= 3; client++ {
					w.must(w.Inject(t.Context(), inOrder(name, client)))
				}
			}
			began := time.Now()
			w.finish()
			if took := time.Since(began); took > soon {
				t.Errorf("it took %v to end", took)
			}
			open := make(map[string]int)
			for _, e := range w.all() {
				if e.Kind == event.FaultInjected && slices.Contains(run.Catalogue().Lasting(), e.Fault) {
					open[e.Fault]++
				}
				if e.Kind == event.FaultHealed {
					open[e.Fault]--
				}
			}
			for fault, n := range open {
				if n != 0 {
					t.Errorf("%s: %d more begun than ended", fault, n)
				}
			}
		})
	}
}

// inOrder is a fault with what it needs.
func inOrder(name string, client int) scenario.Fault {
	f := scenario.Fault{Name: name, Client: client}
	if name == "slow" {
		f.Delay = milliseconds(200)
	}
	return f
}
