package exercise_test

import (
	"encoding/json"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// TestSolutionAfterWrong: who has tried the wrong way first can still meet the goal in the
// same run.
func TestSolutionAfterWrong(t *testing.T) {
	t.Parallel()
	library, scenarios := shipped(t)
	for _, lesson := range library.All() {
		if lesson.Locale != lessons.DefaultLocale {
			continue
		}
		for _, check := range lesson.Checks {
			t.Run(check.Key(), func(t *testing.T) {
				t.Parallel()
				setting{T: t, check: check, scenario: asRun(t, scenarios, lesson, check)}.passes(check.Wrong...)
			})
		}
	}
}

// violatedBefore are attempts that break the check that a goal asks for, in another way
// than the goal does.
var violatedBefore = map[string]string{
	"two-holders/money-lost": `[{"break": {"lane": "unfenced", "fault": "delete", "when": "hold"}, "says": "-"},
		{"wait": {"event": "violated", "check": "fenced-account", "lane": "unfenced"}}]`,
	"semaphore/four-of-three": `[{"break": {"fault": "delete", "when": "hold"}, "says": "-"}, {"wait": {"event": "violated", "check": "belief"}}]`,
	"museum/right-lane-too": `[{"break": {"lane": "mutex", "fault": "delete", "when": "hold"}, "says": "-"},
		{"wait": {"event": "violated", "check": "belief", "lane": "mutex"}}]`,
	"flag-lock/wrong-guess": `["create /other", "delete /lock/flag", {"wait": {"event": "violated", "check": "belief", "lane": "flag"}}]`,
}

// TestSolutionAfterViolation: a check that is violated already is violated anew by the
// solution, and so the goal is met.
func TestSolutionAfterViolation(t *testing.T) {
	t.Parallel()
	library, scenarios := shipped(t)
	tried := 0
	for _, lesson := range library.All() {
		for _, check := range lesson.Checks {
			before, ok := violatedBefore[check.Key()]
			if !ok || lesson.Locale != lessons.DefaultLocale {
				continue
			}
			tried++
			t.Run(check.Key(), func(t *testing.T) {
				t.Parallel()
				var acts []lessons.Act
				if err := json.Unmarshal([]byte(before), &acts); err != nil {
					t.Fatal(err)
				}
				setting{T: t, check: check, scenario: asRun(t, scenarios, lesson, check)}.passes(acts...)
			})
		}
	}
	if tried != len(violatedBefore) {
		t.Errorf("tried %d of %d goals", tried, len(violatedBefore))
	}
}
