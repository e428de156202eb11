package exercise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/site"
)

// TestBrokenRecipesContradictTheirLessons puts a lock that is broken, or a herd, into the
// place of a good one: what the lesson says of the run is no longer so, and it is found.
// TestSite of cmd/playground wants that nothing is found with the good ones.
func TestBrokenRecipesContradictTheirLessons(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		lesson, scenario, lane, broken string
		found                          string // in what is found
	}{
		{"one-ahead", "predecessor", "predecessor", "herd", `states "nobody for nothing"`},
		{"ephemeral-nodes", "ephemeral-crash", "predecessor", "flag", "progress in lane predecessor is violated"},
		{"lost-reply", "lost-reply", "mutex", "plain", "progress in lane mutex is violated"},
	} {
		t.Run(test.lesson+" with "+test.broken, func(t *testing.T) {
			t.Parallel()
			library, scenarios := shipped(t)
			lesson, _ := library.Get(lessons.DefaultLocale, test.lesson)
			i := slices.IndexFunc(lesson.Scenarios, func(card lessons.RunCard) bool { return card.Scenario == test.scenario })
			if i < 0 {
				t.Fatalf("the lesson does not run %s", test.scenario)
			}
			card := lesson.Scenarios[i]
			found, err := scenarios.Find(card.Scenario)
			if err != nil {
				t.Fatal(err)
			}
			found.Clients, found.Seed = card.Clients, card.Seed
			found.Lanes = slices.Clone(found.Lanes)
			for i := range found.Lanes {
				if found.Lanes[i].Name == test.lane {
					found.Lanes[i].Recipe = test.broken
				}
			}
			s := setting{T: t, scenario: found}
			_, r := s.begin(nil)
			says := func() string { return fmt.Sprint(site.Contradictions(r.Summary(), card.States)) }
			for ctx := s.within(); !strings.Contains(says(), test.found); {
				if err := r.Log().Wait(ctx, r.Log().Len()+1); err != nil {
					t.Fatalf("%v, and found is only: %s", err, says())
				}
			}
		})
	}
}
