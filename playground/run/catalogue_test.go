package run_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// TestCatalogue: everything that a scenario can name has a name of its own, a
// title and a sentence, and a fault takes only what a request can give.
func TestCatalogue(t *testing.T) {
	c := run.Catalogue()
	names := make(map[string]bool)
	entry := func(kind, name, title, sentence string) {
		if names[kind+name] || name == "" || title == "" || !strings.HasSuffix(sentence, ".") {
			t.Errorf("%s %q: title %q, sentence %q", kind, name, title, sentence)
		}
		names[kind+name] = true
	}
	for _, f := range c.Faults {
		entry("fault", f.Name, f.Title, f.Sentence)
		if undo, ok := c.Fault(f.UndoneBy); f.Lasts != ok || ok && undo.Target != f.Target {
			t.Errorf("%s lasts %t and is undone by %q", f.Name, f.Lasts, f.UndoneBy)
		}
		for _, p := range f.Parameters {
			if !slices.Contains(parameterNames(), p.Name) || p.Title == "" || p.Unit == "" && len(p.Choices) == 0 {
				t.Errorf("%s takes %+v", f.Name, p)
			}
		}
	}
	for _, r := range c.Recipes {
		entry("recipe", r.Name, r.Title, r.Sentence)
		checkCode(t, r)
	}
	for _, k := range c.Checks {
		entry("check", k.Name, k.Title, k.Sentence)
	}
	if len(c.FaultNames(scenario.TargetServer)) == 0 || len(c.Recipes) == 0 || len(c.Checks) == 0 {
		t.Errorf("something is missing: %+v", c)
	}
}

// parameterNames are the names in JSON of what a request can give a fault.
func parameterNames() (names []string) {
	for field := range reflect.TypeFor[scenario.Parameters]().Fields() {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		names = append(names, name)
	}
	return names
}

// checkCode: the pseudo-code has a line for each state in which the recipe's
// client can be seen, and a broken recipe has a line that is wrong.
func checkCode(t *testing.T, r scenario.RecipeKind) {
	t.Helper()
	lines := make(map[scenario.ClientState]int)
	wrong := 0
	for _, line := range r.Code {
		if strings.TrimSpace(line.Text) == "" || len(line.At) == 0 && len(line.Awaits) > 0 {
			t.Errorf("%s: line %+v", r.Name, line)
		}
		if line.Wrong != "" {
			wrong++
		}
		for _, state := range line.At {
			if !slices.Contains(scenario.ClientStates(), state) {
				t.Errorf("%s: a client has no state %q", r.Name, state)
			}
			lines[state]++
		}
	}
	if r.Broken != (wrong > 0) {
		t.Errorf("%s: broken %t, lines that are wrong: %d", r.Name, r.Broken, wrong)
	}
	for _, state := range scenario.ClientStates() {
		switch {
		case state == scenario.Enqueued && r.NoQueue: // there is no queue
		case state == scenario.Woken && r.Store != "": // it asks again and again, and nobody wakes it
		case lines[state] == 0:
			t.Errorf("%s has no line for a client that is %s", r.Name, state)
		}
	}
}
