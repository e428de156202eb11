package check

import "github.com/zkplayground/zkplayground/playground/event"

// expected is what the scenario makes of a lane's check; empty when it does not
// say. An expectation is by the check's name, or by LANE/CHECK, which goes first.
func expected(expect map[string]event.Verdict, lane, check string) event.Verdict {
	if verdict, ok := expect[lane+"/"+check]; ok {
		return verdict
	}
	return expect[check]
}

// A Finding is a verdict with the lane that it was reached in.
type Finding struct {
	Lane string
	Verdict
}

// Unexpected returns the verdicts that are violated though the scenario did
// not expect it: what makes a headless run fail.
func (s Summary) Unexpected() []Finding {
	return s.find(func(v Verdict) bool { return v.Verdict == event.Violated && v.Expected != event.Violated })
}

// Unmet returns the verdicts that are not what the scenario said they would be.
// That alone does not make a run fail: the run may have been too short.
func (s Summary) Unmet() []Finding {
	return s.find(func(v Verdict) bool { return v.Expected != "" && v.Verdict != v.Expected })
}

func (s Summary) find(fits func(Verdict) bool) []Finding {
	var found []Finding
	for _, l := range s.Lanes {
		for _, v := range l.Verdicts {
			if fits(v) {
				found = append(found, Finding{l.Name, v})
			}
		}
	}
	return found
}
