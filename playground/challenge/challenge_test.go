package challenge_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// config is for judging a source by the trials of a challenge.
func config(t *testing.T, c challenge.Challenge, source string) judge.Config {
	t.Helper()
	server := zktest.Start(t)
	return judge.Config{
		Program: client.ProgramConfig{Command: programtest.Starlark(t, source), Supervisor: programtest.Supervisor()},
		Shared:  run.Backend{Servers: []string{server.Address()}}, Base: server.Root(t) + "/playground",
		Trials: c.Trials(), Seed: 1, AtOnce: 2, LogDir: t.TempDir()}
}

// fails judges a source until a trial violates one of the properties, and fails t if none does.
func fails(t *testing.T, c challenge.Challenge, source string, properties ...judge.Property) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var violated atomic.Bool
	judging := config(t, c, source)
	judging.Keep = func(o judge.Outcome, _ *run.Run) error {
		if slices.ContainsFunc(o.Failed(), func(f judge.Finding) bool { return slices.Contains(properties, f.Property) }) {
			violated.Store(true)
			cancel()
		}
		return nil
	}
	if r, err := judge.Judge(ctx, judging); !violated.Load() {
		t.Errorf("no trial violates %v: %+v, %v", properties, r.Outcomes, err)
	}
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
			r, err := judge.Judge(t.Context(), config(t, c, c.Solution))
			if err != nil {
				t.Fatal(err)
			}
			for _, o := range r.Outcomes {
				for _, f := range o.Findings {
					if f.Verdict != event.Holds {
						t.Errorf("%s, %s: %s: %s", o.Trial.Name, f.Property, f.Verdict, f.Why)
					}
				}
			}
			fails(t, c, c.Start, judge.Properties()...)
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
			fails(t, c, string(source), judge.Property(property))
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
