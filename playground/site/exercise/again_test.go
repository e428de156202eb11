package exercise_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// again are the solutions of those goals whose own name what is another one after a wrong
// attempt: a client that has gone, one that held then, the number of a znode.
var again = map[string]string{
	"revocation/taken-away":         `[{"break": {"fault": "delete", "when": "hold"}, "says": "-"}]`,
	"sessions/told-that-it-is-over": `[{"break": {"client": 2, "fault": "expire"}, "says": "-"}]`,
	"two-holders/money-lost":        `[{"break": {"lane": "unfenced", "fault": "pause", "for": "10s", "when": "hold"}, "says": "-"}]`,
	"two-holders/cut-off":           `[{"break": {"lane": "unfenced", "fault": "partition", "for": "5s", "when": "hold"}, "says": "-"}]`,
	"two-holders/write-refused":     `[{"break": {"lane": "token", "fault": "pause", "for": "10s", "when": "hold"}, "says": "-"}]`,
}

// notAgain are goals that this cannot be tried of, each with the reason.
var notAgain = map[string]string{
	"stores/row-twice":          "the scenario itself may have crashed the holder of the row by then, and nobody holds until it is freed",
	"reentrant/room-for-others": "it needs a run anew, as the mistake says",
}

// leftBy are the lines that delete what some acts have made beside the locks.
func leftBy(acts []lessons.Act) (deletes []lessons.Act) {
	seen := map[string]bool{"lock": true}
	for _, act := range acts {
		words := strings.Fields(act.Line)
		if len(words) == 0 || words[0] != "create" {
			continue
		}
		for _, word := range words {
			root, _, _ := strings.Cut(strings.TrimPrefix(word, "/"), "/")
			if strings.HasPrefix(word, "/") && !seen[root] {
				seen[root] = true
				deletes = append(deletes, lessons.Act{Line: "deleteall /" + root})
			}
		}
	}
	return deletes
}

// violatedBefore are attempts that break the check that a goal asks for, in another way
// than the goal does.
var violatedBefore = map[string]string{
	"two-holders/money-lost": `[{"break": {"lane": "unfenced", "fault": "delete", "when": "hold"}, "says": "-"},
		{"wait": {"event": "violated", "check": "fenced-account", "lane": "unfenced"}}]`,
	"museum/right-lane-too": `[{"break": {"lane": "mutex", "fault": "delete", "when": "hold"}, "says": "-"},
		{"wait": {"event": "violated", "check": "belief", "lane": "mutex"}}]`,
	"flag-lock/wrong-guess": `[{"wait": {"event": "violated", "check": "progress", "lane": "flag"}}, "delete /lock/flag",
		{"wait": {"event": "acquired", "lane": "flag"}}, "delete /lock/flag", {"wait": {"event": "violated", "check": "belief", "lane": "flag"}}]`,
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
				if acts, ok := again[check.Key()]; ok {
					check.Solution = actsOf(t, acts)
				}
				s := setting{T: t, check: check, scenario: asRun(t, scenarios, lesson, check)}
				room, r := s.begin(check.Solution)
				s.perform(room, actsOf(t, before))()
				s.passes(room, r)
			})
		}
	}
	if tried != len(violatedBefore) {
		t.Errorf("tried %d of %d goals", tried, len(violatedBefore))
	}
}

func actsOf(t *testing.T, text string) (acts []lessons.Act) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &acts); err != nil {
		t.Fatal(err)
	}
	return acts
}
