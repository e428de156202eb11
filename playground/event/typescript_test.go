package event_test

import (
	"flag"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/typescript"
)

//go:generate go test -run TestTypeScript -update .

var update = flag.Bool("update", false, "write the generated TypeScript declarations")

const declarations = "../../static/js/events.d.ts"

// TestTypeScript keeps the page's idea of an event equal to this package's: the
// declarations that its type checker reads are made from the Go types.
func TestTypeScript(t *testing.T) {
	want := typeScript()
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
		t.Errorf("%s is stale: run go generate ./playground/event", declarations)
	}
}

// TestKindsAreComplete reads the source, so that a new kind cannot be forgotten.
func TestKindsAreComplete(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "kind.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	listed := make(map[event.Kind]bool)
	for _, kind := range event.Kinds() {
		listed[kind] = true
	}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if value, _ := strconv.Unquote(literal.Value); !listed[event.Kind(value)] {
			t.Errorf("Kinds lacks %s", value)
		}
		return true
	})
}

func typeScript() string {
	return typescript.Header("playground/event") +
		typescript.Union(event.Kinds()) +
		typescript.Union([]event.Direction{event.Out, event.In}) +
		typescript.Union([]event.Participant{event.Guest, event.Console}) +
		typescript.Union(event.AllEffects()) +
		typescript.Union([]event.Verdict{event.Holds, event.Violated, event.Undecided}) +
		typescript.Union([]event.State{event.Running, event.Stopping, event.Finished}) +
		typescript.Union(event.InstantNames()) +
		"\nexport type Args = Record<string, number | string | number[] | Reason | Reason[]>;\n" +
		typescript.Interfaces(event.Reason{}, event.SubOp{}, event.Stat{}, event.Cost{}, event.Round{}, event.Watched{}, event.Account{}, event.Write{}, event.Queue{}, event.Event{}, event.Lane{}, event.Server{}, event.Run{})
}
