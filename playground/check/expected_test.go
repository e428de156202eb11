package check_test

import (
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
)

// twoBelievers is the summary of a lane in which belief is violated, fifo holds,
// and orphans is undecided.
func twoBelievers(expect map[string]event.Verdict) check.Summary {
	return tellExpecting(expect).acquired(1, 0).acquired(2, 1).checker.Summary()
}

func names(found []check.Finding) []string {
	var names []string
	for _, f := range found {
		names = append(names, f.Lane+"/"+f.Check)
	}
	return names
}

func TestExpected(t *testing.T) {
	tests := []struct {
		name              string
		expect            map[string]event.Verdict
		unexpected, unmet []string
	}{
		{"nothing", nil, []string{"lane/belief"}, nil},
		{"the check", map[string]event.Verdict{"belief": event.Violated}, nil, nil},
		{"the lane's check", map[string]event.Verdict{"lane/belief": event.Violated}, nil, nil},
		{"another lane's", map[string]event.Verdict{"other/belief": event.Violated}, []string{"lane/belief"}, nil},
		{"the lane's goes first", map[string]event.Verdict{"belief": event.Violated, "lane/belief": event.Holds},
			[]string{"lane/belief"}, []string{"lane/belief"}},
		{"a violation that does not happen", map[string]event.Verdict{"belief": event.Violated, "fifo": event.Violated}, nil, []string{"lane/fifo"}},
		{"undecided, and it is", map[string]event.Verdict{"belief": event.Violated, "orphans": event.Undecided}, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			summary := twoBelievers(test.expect)
			if got := names(summary.Unexpected()); !slices.Equal(got, test.unexpected) {
				t.Errorf("unexpected %v, want %v", got, test.unexpected)
			}
			if got := names(summary.Unmet()); !slices.Equal(got, test.unmet) {
				t.Errorf("unmet %v, want %v", got, test.unmet)
			}
		})
	}
}

func TestSummaryTellsWhatIsExpected(t *testing.T) {
	summary := twoBelievers(map[string]event.Verdict{"lane/belief": event.Violated})
	for _, v := range summary.Lanes[0].Verdicts {
		want := event.Verdict("")
		if v.Check == "belief" {
			want = event.Violated
		}
		if v.Expected != want {
			t.Errorf("%s: expected %q, want %q", v.Check, v.Expected, want)
		}
	}
}

func TestOnlyALaneWithAnAccountIsJudgedByIt(t *testing.T) {
	for _, account := range []string{"", "token"} {
		checker := check.New(event.Run{Lanes: []event.Lane{{Name: "lane", Account: account}}})
		var got []string
		for _, v := range checker.Summary().Lanes[0].Verdicts {
			got = append(got, v.Check)
		}
		var want []string
		for _, c := range check.All() {
			if account != "" || c.Name != "fenced-account" {
				want = append(want, c.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("account %q: checks %v, want %v", account, got, want)
		}
	}
}
