package run_test

import (
	"errors"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/step"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// untilStartedAgain reads on until a client's new process has begun.
func (w *watched) untilStartedAgain(number int) event.Event {
	w.t.Helper()
	return w.until("the client is started again", func(e event.Event) bool {
		return e.Kind == event.FaultInjected && e.Fault == client.StartAgain && e.Client == number
	})
}

// TestStartAgainAfterACrash: the new process queues behind the znode of the one
// before, which goes with its session, and then takes part as ever.
func TestStartAgainAfterACrash(t *testing.T) {
	t.Parallel()
	run, holder := startHeld(t, brief(2))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: holder.Client}))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: holder.Client}))
	if err := run.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: holder.Client}); !errors.Is(err, client.ErrImpossible) {
		t.Errorf("started twice: %v", err)
	}
	again := run.untilStartedAgain(holder.Client)
	enqueued := run.untilKind(event.LockEnqueued, holder.Client)
	deleted := run.untilDeleted(holder.Path)
	if after := micros(deleted.At - run.lastContact(holder.Client, again).At); deleted.Cause != "expiry" || after < briefly {
		t.Errorf("the znode went %v after the last contact of its process, by %s", after, deleted.Cause)
	}
	if next := run.untilKind(event.LockAcquired, 0); next.Client == holder.Client {
		t.Errorf("client %d acquired again, before the other", next.Client)
	}
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "expire", Client: 3 - holder.Client}))
	if next := run.untilKind(event.LockAcquired, 0); next.Client != holder.Client || next.Path != enqueued.Path {
		t.Errorf("client %d acquired by %s, want %d by %s", next.Client, next.Path, holder.Client, enqueued.Path)
	}
	run.finish()
	run.mustSummarizeLike(map[string]bool{"belief": true})
	run.mustBeNewProcess(again)
}

// mustSummarizeLike fails the test unless every verdict holds, but for those that
// may be anything.
func (w *watched) mustSummarizeLike(any map[string]bool) {
	w.t.Helper()
	for _, lane := range w.Summary().Lanes {
		for _, v := range lane.Verdicts {
			if v.Verdict != event.Holds && !any[v.Check] {
				w.t.Errorf("lane %s: %s is %s: %s", lane.Name, v.Check, v.Verdict, v.Why)
			}
		}
	}
}

// mustBeNewProcess: the session is another one, and the frames keep one count.
func (w *watched) mustBeNewProcess(again event.Event) {
	w.t.Helper()
	sessions := make(map[string]bool)
	last := make(map[event.Direction]int64)
	for _, e := range w.all() {
		if e.Client != again.Client || e.Lane != again.Lane {
			continue
		}
		switch e.Kind {
		case event.SessionGranted:
			if sessions[e.Session] {
				w.t.Errorf("event %d: session %s is granted twice", e.Seq, e.Session)
			}
			sessions[e.Session] = true
		case event.WireSent:
			if e.Frame <= last[event.Out] {
				w.t.Errorf("event %d: frame %d is sent after frame %d", e.Seq, e.Frame, last[event.Out])
			}
			last[event.Out] = e.Frame
		case event.WireReceived:
			if e.Frame <= last[event.In] {
				w.t.Errorf("event %d: frame %d is received after frame %d", e.Seq, e.Frame, last[event.In])
			}
			last[event.In] = e.Frame
		}
	}
	if len(sessions) < 2 {
		w.t.Errorf("sessions %v of client %d", sessions, again.Client)
	}
}

// TestStartAgainAfterAClose: a client that has left comes back, in each lane.
func TestStartAgainAfterAClose(t *testing.T) {
	t.Parallel()
	given := fast("mutex", 3)
	given.Lanes = append(given.Lanes, scenario.Lane{Name: "herd", Recipe: "herd"})
	run := start(t, zktest.Start(t), given)
	for range 3 {
		run.untilEach(given.Lanes, event.LockAcquired)
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "close", Client: 2}))
		run.untilEach(given.Lanes, event.SessionClosed)
		for _, lane := range given.Lanes { // its code may take a moment to end
			run.eventually(scenario.Fault{Name: "start-again", Client: 2, Lane: lane.Name})
		}
	}
	run.untilEach(given.Lanes, event.LockAcquired)
	run.finish()
	run.verdicts(nil)
}

// untilEach reads on until client 2 has told a kind of event in each lane.
func (w *watched) untilEach(lanes []scenario.Lane, kind event.Kind) {
	w.t.Helper()
	told := make(map[string]bool)
	w.until(string(kind)+" of client 2 in each lane", func(e event.Event) bool {
		if e.Kind == kind && e.Client == 2 {
			told[e.Lane] = true
		}
		return len(told) == len(lanes)
	})
}

// eventually injects a fault as soon as it is possible.
func (w *watched) eventually(f scenario.Fault) {
	w.t.Helper()
	for {
		next := w.Log().Len() + 1
		err := w.Inject(w.t.Context(), f)
		if !errors.Is(err, client.ErrImpossible) {
			w.must(err)
			return
		}
		w.must(w.Log().Wait(w.t.Context(), next))
	}
}

// TestStartAgainManyTimes: of what is started again and again nothing is left.
func TestStartAgainManyTimes(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), brief(3))
	run.untilQueued(2)
	for range 20 {
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 1}))
		run.must(run.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: 1}))
	}
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 2}))
	run.finish()
	run.mustSummarizeLike(map[string]bool{"fifo": true})
}

// TestStartAgainInStepMode: the new process is held as the others are, and its start
// is part of the script.
func TestStartAgainInStepMode(t *testing.T) {
	t.Parallel()
	run := start(t, zktest.Start(t), stepped(2))
	run.waiting("a frame of each", func(frames []step.Frame) bool { return len(heads(frames)) == 2 })
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "crash", Client: 1}))
	run.must(run.Inject(t.Context(), scenario.Fault{Name: "start-again", Client: 1}))
	frames := run.waiting("a frame of each, again", func(frames []step.Frame) bool { return len(heads(frames)) == 2 })
	for _, f := range frames {
		run.deliver(f)
	}
	script := run.Steps().Script
	if len(script) != 4 || script[1][0].String() != "client 1: start-again" {
		t.Errorf("script %v", script)
	}
	run.command(step.Command{Do: step.Off})
	run.untilKind(event.LockAcquired, 1)
}
