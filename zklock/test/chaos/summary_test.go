package chaos_test

import (
	"testing"

	"github.com/zkplayground/zkplayground/zklock/test/chaos"
)

// A summary counts a lease that ended too late by what excuses it.
func TestSummary(t *testing.T) {
	inTime := but(had(3, write, 3, 50*ms, 60*ms), func(a *chaos.Acquisition) { a.Lost = true })
	round := chaos.Result{Record: acquisitions(late(), had(2, write, 2, 30*ms, 40*ms), inTime)}
	var sum chaos.Summary
	sum.Add(round)
	round.Record.Faults = []chaos.Fault{
		{Kind: chaos.Expire, Client: 1, Span: chaos.Span{From: 19 * ms, To: 21 * ms}},
		{Kind: chaos.Cut, Client: 1},
	}
	round.Orphans = []string{"/lock/a"}
	sum.Add(round)
	round.Record.Faults = nil
	round.Record.Stalls = []chaos.Span{{From: 15 * ms, To: 27 * ms}}
	sum.Add(round)
	const want = "3 rounds: 9 acquisitions under 2 faults (1 cut, 1 expire); " +
		"6 leases lost: 3 announced in time, 2 not knowable (1 expired by force, 1 while the process stood still, 12ms in all); " +
		"0 stale uses refused; 0 violations, 2 orphans"
	if got := sum.String(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
