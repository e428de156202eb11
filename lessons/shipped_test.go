package lessons_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// shippedLessons are those of the program, read once: they never change.
var shippedLessons = sync.OnceValues(lessons.Shipped)

func shipped(tb testing.TB) *lessons.Library {
	tb.Helper()
	library, err := shippedLessons()
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

func TestShippedScenariosAreRunByTheirLessons(t *testing.T) {
	library := shipped(t)
	for _, scenario := range scenarios(t) {
		if scenario.Lesson == "" {
			continue
		}
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

// TestShippedCourse: the course is there, in every locale under the same numbers.
func TestShippedCourse(t *testing.T) {
	library := shipped(t)
	if len(library.Course()) == 0 {
		t.Fatal("there is no course")
	}
	for _, lesson := range library.All() {
		if place := library.Place(lesson.Slug); place.Minutes == 0 {
			t.Errorf("%s/%s has no place in the course", lesson.Locale, lesson.Slug)
		}
		if english, _ := library.Get(lessons.DefaultLocale, lesson.Slug); english.Order != lesson.Order {
			t.Errorf("%s/%s is number %d, and %d in English", lesson.Locale, lesson.Slug, lesson.Order, english.Order)
		}
	}
}

// TestShippedLessonsSayHowManyServersTheyNeed: the course says of each lesson what the
// faults of its solutions need, and the lesson says it before its first question.
func TestShippedLessonsSayHowManyServersTheyNeed(t *testing.T) {
	nodes := map[string]int{}
	for _, fault := range zkserver.Faults() {
		nodes[fault.Name] = fault.Nodes
	}
	for _, lesson := range shipped(t).All() {
		needs := 1
		for _, check := range lesson.Checks {
			for _, act := range check.Solution {
				if act.Break != nil {
					needs = max(needs, nodes[act.Break.Fault])
				}
			}
		}
		if says := max(1, shipped(t).Place(lesson.Slug).Servers); says != needs {
			t.Errorf("the course says that %s needs %d servers; its goals need %d", lesson.Slug, says, needs)
		}
		top, _, _ := strings.Cut(string(lesson.HTML), "predict")
		if told := strings.Contains(top, fmt.Sprintf("-nodes %d", needs)); told != (needs > 1) {
			t.Errorf("%s/%s: it says -nodes %d before its first question: %t; its goals need %[3]d", lesson.Locale, lesson.Slug, needs, told)
		}
	}
}

// readPerMinute is how many words a reader takes in who follows what runs beside them.
const readPerMinute = 200

// TestShippedLessonsAreReadInTenMinutes: what is done in them comes on top.
func TestShippedLessonsAreReadInTenMinutes(t *testing.T) {
	for _, lesson := range shipped(t).All() {
		if lesson.Locale != lessons.DefaultLocale {
			continue
		}
		if minutes := lesson.Words / readPerMinute; minutes > 10 || minutes > shipped(t).Place(lesson.Slug).Minutes {
			t.Errorf("%s: %d words are %d minutes", lesson.Slug, lesson.Words, minutes)
		}
	}
}
