package chaos_test

import (
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/zkplayground/zkplayground/zklock/test/chaos"
)

// Porcupine judges the same histories, knowing nothing of znodes and tokens.
func TestLinearizable(t *testing.T) {
	first, second := had(1, write, 1, 10*ms, 20*ms), had(2, write, 2, 30*ms, 40*ms)
	overlapping := had(2, write, 2, 15*ms, 40*ms)
	lost := func(seen time.Duration) chaos.Acquisition {
		return but(first, func(a *chaos.Acquisition) { a.Lost, a.Held = true, seen })
	}
	for _, test := range []struct {
		name    string
		holders int
		record  chaos.Record
		want    porcupine.CheckResult
	}{
		{"one after the other", 1, acquisitions(first, second), porcupine.Ok},
		{"two writers", 1, acquisitions(first, overlapping), porcupine.Illegal},
		{"two at one moment", 1, acquisitions(first, had(2, write, 2, 20*ms, 30*ms)), porcupine.Illegal},
		{"two of two", 2, acquisitions(first, overlapping), porcupine.Ok},
		{"two readers", 1, acquisitions(had(1, read, 1, 10*ms, 20*ms), had(2, read, 2, 15*ms, 40*ms)), porcupine.Ok},
		{"a reader under a writer", 1, acquisitions(first, had(2, read, 2, 15*ms, 40*ms)), porcupine.Illegal},
		{"a lost lease that nobody saw end", 1, acquisitions(lost(12*ms), second), porcupine.Ok},
		{"a lost lease seen held later", 1, acquisitions(lost(32*ms), second), porcupine.Illegal},
	} {
		t.Run(test.name, func(t *testing.T) {
			kind := chaos.Kind{Name: "lock", Holders: test.holders}
			opinion := chaos.Consult(test.record, []chaos.Kind{kind})
			if got := opinion[0].Result; got != test.want {
				t.Errorf("porcupine says %s, want %s", got, test.want)
			}
		})
	}
}

// A long history is judged in pieces, which overlap: what happens at the end of
// one is inside another.
func TestConsultSeesAll(t *testing.T) {
	for flaw := 1; flaw < 200; flaw += 7 {
		var all []chaos.Acquisition
		for i := range 200 {
			at := time.Duration(i+1) * 10 * ms
			all = append(all, had(i%4, write, 1, at, at+5*ms))
			all[i].Node = string(rune(i))
		}
		all[flaw-1].Held = all[flaw].Returned + ms
		illegal := 0
		for _, o := range chaos.Consult(acquisitions(all...), []chaos.Kind{{Name: "lock", Holders: 1}}) {
			if o.Result == porcupine.Illegal {
				illegal++
			}
		}
		if illegal == 0 {
			t.Errorf("nobody saw that %d overlaps the next", flaw-1)
		}
	}
}
