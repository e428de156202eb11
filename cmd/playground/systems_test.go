package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A system is a lock, a tool or an idea that articles on locks in ZooKeeper describe, with
// the lessons that explain it, the scenarios that show it, and the tests on a real server
// that hold both to it.
type system struct {
	what               string
	lessons, scenarios string
	// tests are DIRECTORY.TEST; after a slash stands the lesson whose exercises are meant.
	tests string
}

// systems are all of them, from S1 on.
var systems = []system{
	{"Herd lock: a queue of ephemeral sequential znodes, and all who wait watch the directory",
		"herd-effect", "herd herd-vs-predecessor", "playground/site/exercise.TestExercises/herd-effect playground/run.TestHerdAgainstPredecessor"},
	{"Predecessor watch: each waiter watches the znode just ahead, and lists again",
		"one-ahead", "predecessor", "playground/site/exercise.TestExercises/one-ahead playground/run.TestHerdAgainstPredecessor"},
	{"ZooKeeper's own WriteLock: the session id in the name, and a wake-up that is lost",
		"lost-reply museum", "lost-reply lost-wakeup bad-luck", "playground/site/exercise.TestExercises/museum cmd/playground.TestSite"},
	{"A lock object with lock, tryLock and unlock, which begins anew when its znode is gone",
		"use-zklock timeouts", "lost-place timed-lock", "playground/site/exercise.TestExercises/use-zklock zklock/test/locks.TestTryLock"},
	{"Two levels: threads queue up in their process, and the first of them in ZooKeeper",
		"reentrant", "reentrant", "playground/site/exercise.TestExercises/reentrant playground/run.TestThreadsShareOneZnode"},
	{"Read/write lock in one queue",
		"read-write-locks", "read-write writer-leaves downgrade", "playground/run.TestWaitingWriterWakesReaders playground/site/exercise.TestExercises/read-write-locks zklock/test/locks.TestNearestWriterIsWatched"},
	{"A time limit for waiting, and a bound for new attempts",
		"timeouts", "timed-lock timeouts lost-place", "playground/site/exercise.TestExercises/timeouts zklock/test/locks.TestDeadlineIsNotRestarted"},
	{"A crash hands the lock over when the session ends",
		"ephemeral-nodes sessions", "ephemeral-crash", "playground/site/exercise.TestExercises/ephemeral-nodes playground/run.TestCrash"},
	{"Several locks by name, in one directory or in one each",
		"many-locks", "several-locks", "playground/site/exercise.TestExercises/many-locks playground/run.TestOneLockDoesNotDisturbAnother"},
	{"A flag in a znode's data, or one ephemeral znode, as the lock",
		"flag-lock", "flag-deadlock no-queue", "playground/site/exercise.TestExercises/flag-lock cmd/playground.TestSite"},
	{"Curator's locks: mutexes, read/write lock, semaphore, several as one, revocable",
		"semaphore read-write-locks reentrant revocation", "semaphore multi-lock deadlock", "zklock/test/interop.TestGuestsInARoom playground/site/exercise.TestExercises/semaphore"},
	{"zkCli's commands, beside the tree",
		"znodes", "by-hand", "playground/zkcli.TestSameAsOriginal playground/site/exercise.TestExercises/znodes"},
	{"The client's API: what it does, and what it does not promise",
		"client-api", "by-hand", "playground/site/exercise.TestExercises/client-api"},
	{"Revocation: a holder is asked to give up",
		"revocation", "revocation", "playground/site/exercise.TestExercises/revocation zklock/test/interop.TestCuratorRevokes"},
	{"Database, cache and ZooKeeper as a lock, compared",
		"stores", "stores", "playground/site/exercise.TestExercises/stores cmd/playground.TestSite"},
	{"The lost reply to a create or a delete",
		"lost-reply", "lost-reply repeated-delete", "playground/site/exercise.TestExercises/lost-reply playground/run.TestLostCreate playground/run.TestRepeatedDelete"},
	{"Kinds of znodes, the fields of a stat, locking by version",
		"znodes client-api", "by-hand", "playground/site/exercise.TestExercises/znodes playground/site/exercise.TestExercises/client-api"},
	{"A session that ends while its holder goes on: two at once, and a fence",
		"two-holders", "two-holders two-holders-fenced late-write delayed-write guarded-account", "playground/site/exercise.TestExercises/two-holders playground/run.TestTwoHolders playground/run.TestWriteUnderWay"},
	{"Read and watch are one step, so that nothing is missed in between",
		"watches", "by-hand lost-wakeup", "playground/site/exercise.TestExercises/watches playground/run.TestMutexSurvivesEachScript"},
	{"No polling, one wake-up a release, a queue that can be seen",
		"one-ahead", "predecessor herd-vs-predecessor", "playground/run.TestHerdAgainstPredecessor zklock/test/locks.TestWakeUpsPerRelease"},
}

// systemTable lists them.
func systemTable() string {
	rows := table("| | what it is | lesson | scenario | shown by |")
	for i, s := range systems {
		rows.add(fmt.Sprintf("S%d", i+1), s.what, each(s.lessons, func(slug string) string {
			return fmt.Sprintf("[%s](%s)", slug, lessonFile(slug))
		}), each(s.scenarios, quoted), each(s.tests, quoted))
	}
	return string(rows)
}

// courseTable lists the lessons by the parts of the course.
func courseTable(t *testing.T) string {
	t.Helper()
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	rows := table("| | lesson | minutes | goals |")
	for _, part := range library.Course() {
		for i, place := range part.Lessons {
			lesson, _ := library.Get(lessons.DefaultLocale, place.Slug) // the course names those that there are
			title := ""
			if i == 0 {
				title = part.TitleIn(lessons.DefaultLocale)
			}
			rows.add(title, fmt.Sprintf("[%s](%s)", lesson.Title, lessonFile(place.Slug)), fmt.Sprint(place.Minutes), fmt.Sprint(len(lesson.Goals())))
		}
	}
	return string(rows)
}

// each puts the words of a list into one cell.
func each(list string, as func(string) string) string {
	words := strings.Fields(list)
	for i, word := range words {
		words[i] = as(word)
	}
	return strings.Join(words, ", ")
}

// lessonFile is where a lesson stands in the folder of the lessons; its slug, if nowhere.
func lessonFile(slug string) string {
	files, _ := filepath.Glob("../../lessons/en/[0-9][0-9]-" + slug + ".md") // the pattern is right
	if len(files) != 1 {
		return slug
	}
	return strings.TrimPrefix(filepath.ToSlash(files[0]), "../../lessons/")
}

// TestSystems: every row names lessons, scenarios and tests that there are, and each of
// its scenarios is run by a lesson.
func TestSystems(t *testing.T) {
	if len(systems) != 20 {
		t.Errorf("there are %d systems", len(systems))
	}
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range systems {
		for slug := range strings.FieldsSeq(s.lessons) {
			if _, ok := library.Get(lessons.DefaultLocale, slug); !ok {
				t.Errorf("S%d: there is no lesson %q", i+1, slug)
			}
		}
		for name := range strings.FieldsSeq(s.scenarios) {
			runs := func(lesson lessons.Lesson) bool {
				return slices.ContainsFunc(lesson.Scenarios, func(card lessons.RunCard) bool { return card.Scenario == name })
			}
			if _, err := scenarios.Find(name); err != nil || !slices.ContainsFunc(library.All(), runs) {
				t.Errorf("S%d: no lesson runs %q", i+1, name)
			}
		}
		for name := range strings.FieldsSeq(s.tests) {
			checkTest(t, i+1, name, library)
		}
		if s.lessons == "" || s.scenarios == "" || s.tests == "" {
			t.Errorf("S%d has an empty cell", i+1)
		}
	}
}

// checkTest sees that a test is there, and a lesson that it names has exercises.
func checkTest(t *testing.T, number int, name string, library *lessons.Library) {
	t.Helper()
	dir, test, _ := strings.Cut(name, ".")
	test, slug, ofLesson := strings.Cut(test, "/")
	if lesson, _ := library.Get(lessons.DefaultLocale, slug); ofLesson && len(lesson.Checks) == 0 {
		t.Errorf("S%d: the lesson %q has no exercise", number, slug)
	}
	files, err := filepath.Glob(filepath.Join("../..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		if declares(parsed, test) {
			return
		}
	}
	t.Errorf("S%d: there is no test %s in %s", number, test, dir)
}

// declares says whether a file has the function.
func declares(file *ast.File, name string) bool {
	return slices.ContainsFunc(file.Decls, func(d ast.Decl) bool {
		function, ok := d.(*ast.FuncDecl)
		return ok && function.Recv == nil && function.Name.Name == name
	})
}
