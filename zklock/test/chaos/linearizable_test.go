package chaos_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/google/go-cmp/cmp"

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
		{"writes in their order", 1, wrote(first, second, 12*ms, 32*ms), porcupine.Ok},
		{"a write that is known late", 1, wrote(first, second, 50*ms, 32*ms), porcupine.Ok},
		{"a late write", 1, wrote(second, first, 32*ms, 50*ms), porcupine.Ok},
		{"a late write by an early holder", 1, wrote(but(first, func(a *chaos.Acquisition) { a.Token = 3 }), second, 12*ms, 32*ms), porcupine.Illegal},
		{"a lost lease that nobody saw end", 1, acquisitions(lost(12*ms), second), porcupine.Ok},
		{"a lost lease seen held later", 1, acquisitions(lost(32*ms), second), porcupine.Illegal},
	} {
		t.Run(test.name, func(t *testing.T) {
			kind := chaos.Kind{Name: "lock", Holders: test.holders}
			got := porcupine.Ok
			for _, o := range chaos.Consult(test.record, []chaos.Kind{kind}) {
				if o.Result != porcupine.Ok {
					got = o.Result
				}
			}
			if got != test.want {
				t.Errorf("porcupine says %s, want %s", got, test.want)
			}
		})
	}
}

// wrote has the register written by each of two holders, as is known at two times.
func wrote(a, b chaos.Acquisition, first, second time.Duration) chaos.Record {
	r := acquisitions(a, b)
	r.Writes = writes(chaos.Write{Zxid: 1, Token: a.Token, At: first}, chaos.Write{Zxid: 2, Token: b.Token, At: second}).Writes
	return r
}

// An exported history has a line for each call and each return, in their order.
func TestWriteEDN(t *testing.T) {
	first := but(had(1, write, 1, 10*ms, 20*ms), func(a *chaos.Acquisition) { a.Lost = true })
	second := had(2, read, 2, 20*ms, 40*ms)
	var got strings.Builder
	ops := chaos.Operations(wrote(first, second, 12*ms, 32*ms), chaos.Kind{Name: "lock", Holders: 1})
	if err := chaos.WriteEDN(&got, ops); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"5000000, :process 1, :type :invoke, :f :acquire, :value 1}",
		"10000000, :process 1, :type :ok, :f :acquire, :value 1}",
		"10000000, :process -1, :type :invoke, :f :write, :value 1}",
		"12000000, :process -1, :type :ok, :f :write, :value 1}",
		"15000000, :process 5, :type :invoke, :f :acquire-shared, :value 2}",
		"20000000, :process 5, :type :ok, :f :acquire-shared, :value 2}",
		"20000000, :process -2, :type :invoke, :f :write, :value 2}",
		"20000000, :process 1, :type :invoke, :f :release, :value 1}", // held then, so after the reader had it
		"32000000, :process -2, :type :ok, :f :write, :value 2}",
		"40000000, :process 5, :type :invoke, :f :release-shared, :value 2}",
		"43000000, :process 5, :type :ok, :f :release-shared, :value 2}",
		"43000001, :process 1, :type :info, :f :release, :value 1}",
	}
	for i := range want {
		want[i] = fmt.Sprintf("{:index %d, :time %s\n", i, want[i])
	}
	if diff := cmp.Diff(want, slices.Collect(strings.Lines(got.String()))); diff != "" {
		t.Error(diff)
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
