package lessons_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/lessons"
)

func shipped(tb testing.TB) *lessons.Library {
	tb.Helper()
	library, err := lessons.Shipped()
	if err != nil {
		tb.Fatal(err)
	}
	return library
}

// A scenario is what a lesson has to know of one.
type scenario struct {
	Name   string `json:"name"`
	Lesson string `json:"lesson"`
}

// scenarios reads the shipped scenarios from their files, so that these tests
// do not need the engine that runs them.
func scenarios(t *testing.T) []scenario {
	t.Helper()
	files, err := filepath.Glob("../playground/scenario/shipped/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scenarios: %v", err)
	}
	found := make([]scenario, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(text, &found[i]); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	return found
}

func TestShippedLessonsRunShippedScenarios(t *testing.T) {
	var names []string
	for _, scenario := range scenarios(t) {
		names = append(names, scenario.Name)
	}
	if err := shipped(t).Validate(names); err != nil {
		t.Error(err)
	}
}

func TestEveryShippedScenarioHasItsLesson(t *testing.T) {
	library := shipped(t)
	for _, scenario := range scenarios(t) {
		lesson, ok := library.Get(lessons.DefaultLocale, scenario.Lesson)
		runs := func(card lessons.RunCard) bool { return card.Scenario == scenario.Name }
		if !ok || !slices.ContainsFunc(lesson.Scenarios, runs) {
			t.Errorf("scenario %s: its lesson %q does not run it", scenario.Name, scenario.Lesson)
		}
	}
}

func TestShippedLessonsAskBeforeEveryRun(t *testing.T) {
	for _, lesson := range shipped(t).All() {
		if len(lesson.Questions) < len(lesson.Scenarios) {
			t.Errorf("%s: %d questions for %d runs", lesson.Slug, len(lesson.Questions), len(lesson.Scenarios))
		}
		checkSafe(t, lesson.HTML)
	}
}

func TestShippedCourse(t *testing.T) {
	var slugs []string
	for _, lesson := range shipped(t).All() {
		slugs = append(slugs, lesson.Slug)
	}
	if diff := cmp.Diff([]string{"herd-effect", "ephemeral-nodes", "read-write-locks", "two-holders", "museum", "znodes"}, slugs); diff != "" {
		t.Error(diff)
	}
}
