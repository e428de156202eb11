package client

import (
	"runtime"
	"testing"
	"testing/synctest"

	"github.com/zkplayground/zkplayground/playground/event"
)

func TestGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var g gate
		if g.pass() {
			t.Error("a gate is not open from the beginning")
		}
		g.close()
		g.close()
		passed, waited := false, false
		go func() { waited = g.pass(); passed = true }()
		synctest.Wait()
		if passed {
			t.Error("a shut gate let somebody pass")
		}
		g.open()
		g.open()
		synctest.Wait()
		if !passed {
			t.Error("an open gate holds somebody up")
		}
		if !waited {
			t.Error("who had to wait was not told so")
		}
	})
}

// TestGateShutsBetweenActs: nothing that has entered goes on once it is shut.
func TestGateShutsBetweenActs(t *testing.T) {
	var g gate
	acts, enough := 0, false
	done := make(chan struct{})
	act := func() bool {
		g.enter()
		defer g.exit()
		acts++
		return !enough
	}
	go func() {
		defer close(done)
		for act() {
		}
	}()
	for range 1000 {
		g.close()
		before := acts
		runtime.Gosched()
		if acts != before {
			t.Error("something was done behind a shut gate")
		}
		g.open()
	}
	g.close()
	enough = true
	g.open()
	<-done
}

// TestTellWaits: what a paused process believes, nobody learns.
func TestTellWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, log := newBare(t)
		c.gate.close()
		go c.tell(event.Event{Kind: event.LockReleased})
		synctest.Wait()
		if n := log.count(""); n != 0 {
			t.Errorf("%d events behind a shut gate", n)
		}
		c.gate.open()
		synctest.Wait()
		if e := log.last(); e.Kind != event.LockReleased {
			t.Errorf("told %q", e.Kind)
		}
	})
}
