package scenario_test

import (
	"flag"
	"os"
	"testing"

	"github.com/zkplayground/zkplayground/playground/internal/typescript"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

//go:generate go test -run TestTypeScript -update .

var update = flag.Bool("update", false, "write the generated TypeScript declarations")

const declarations = "../../static/js/kinds.d.ts"

// TestTypeScript keeps the page's idea of the catalogue equal to this package's.
func TestTypeScript(t *testing.T) {
	want := typescript.Header("playground/scenario") +
		typescript.Union([]scenario.Target{scenario.TargetClient, scenario.TargetServer}) +
		typescript.Union(scenario.ClientStates()) +
		typescript.Interfaces(scenario.Catalogue{}, scenario.FaultKind{}, scenario.Repetition{}, scenario.MomentKind{}, scenario.Parameter{}, scenario.RecipeKind{}, scenario.Line{}, scenario.CheckKind{})
	if *update {
		if err := os.WriteFile(declarations, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(declarations)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is stale: run go generate ./playground/scenario", declarations)
	}
}
