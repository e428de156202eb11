package sim

import (
	"testing"
	"testing/synctest"
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
