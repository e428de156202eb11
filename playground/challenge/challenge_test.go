package challenge_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// judged runs a source through the trials of a challenge.
func judged(t *testing.T, c challenge.Challenge, source string) judge.Result {
	t.Helper()
	server := zktest.Start(t)
	r, err := judge.Judge(t.Context(), judge.Config{
		Program: client.ProgramConfig{Command: programtest.Starlark(t, source), Supervisor: programtest.Supervisor()},
		Shared:  judge.ZooKeeper{Servers: []string{server.Address()}}, Base: server.Root(t) + "/playground",
		Trials: c.Trials(), Seed: 1, AtOnce: 2, LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// atOnce is how many challenges are judged side by side: they wait more than they work.
const atOnce = 4

// judgements runs subtests side by side, and waits for them.
func judgements(t *testing.T, subtests map[string]func(t *testing.T)) {
	var group errgroup.Group
	group.SetLimit(atOnce)
	for name, subtest := range subtests {
		group.Go(func() error {
			t.Run(name, subtest)
			return nil
		})
	}
	_ = group.Wait() // none returns an error
}

// TestSolutions: each solution passes, and it fails where the next challenge begins with it.
func TestSolutions(t *testing.T) {
	subtests := make(map[string]func(t *testing.T))
	for _, c := range challenge.All() {
		subtests[c.Name] = func(t *testing.T) {
			for _, o := range judged(t, c, c.Solution).Outcomes {
				for _, f := range o.Findings {
					if f.Verdict != event.Holds {
						t.Errorf("%s, %s: %s: %s", o.Trial.Name, f.Property, f.Verdict, f.Why)
					}
				}
			}
			if len(judged(t, c, c.Start).Failed()) == 0 {
				t.Error("what it begins with passes")
			}
		}
	}
	judgements(t, subtests)
}

// TestWrongSolutions: each wrong source, CHALLENGE.NAME.PROPERTY.star, violates that property.
func TestWrongSolutions(t *testing.T) {
	files, err := filepath.Glob("testdata/wrong/*.star")
	if err != nil {
		t.Fatal(err)
	}
	wrong, subtests := make(map[string]int), make(map[string]func(t *testing.T))
	for _, file := range files {
		parts := strings.Split(filepath.Base(file), ".")
		name, property := parts[0], parts[2]
		wrong[name]++
		subtests[filepath.Base(file)] = func(t *testing.T) {
			c, err := challenge.Find(name)
			if err != nil {
				t.Fatal(err)
			}
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			r := judged(t, c, string(source))
			for _, o := range r.Outcomes {
				if f, _ := o.Of(judge.Property(property)); f.Verdict == event.Violated {
					return
				}
			}
			t.Errorf("no trial finds that it is not %s: %+v", property, r.Outcomes)
		}
	}
	judgements(t, subtests)
	for _, c := range challenge.All() {
		if wrong[c.Name] < 3 {
			t.Errorf("%s has %d wrong solutions, want at least 3", c.Name, wrong[c.Name])
		}
	}
}

// TestSources: each source compiles, and a challenge that is not there is named.
func TestSources(t *testing.T) {
	for _, c := range challenge.All() {
		for _, source := range []string{c.Start, c.Solution} {
			if err := starlark.Check(source); err != nil {
				t.Errorf("%s: %v", c.Name, err)
			}
		}
	}
	if _, err := challenge.Find("nothing"); !errors.Is(err, challenge.ErrUnknown) || !strings.Contains(err.Error(), "wake-one") {
		t.Error(err)
	}
}
