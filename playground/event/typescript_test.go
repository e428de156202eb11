package event_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
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
	var b strings.Builder
	b.WriteString("// Generated from playground/event by `go generate ./playground/event`. Do not edit.\n\n")
	fmt.Fprintf(&b, "export type Kind =\n%s;\n\n", union(event.Kinds()))
	fmt.Fprintf(&b, "export type Direction =\n%s;\n\n", union([]event.Direction{event.Out, event.In}))
	fmt.Fprintf(&b, "export type Verdict =\n%s;\n\n", union([]event.Verdict{event.Holds, event.Violated, event.Undecided}))
	fmt.Fprintf(&b, "export type State =\n%s;\n", union([]event.State{event.Running, event.Stopping, event.Finished}))
	for _, value := range []any{event.SubOp{}, event.Event{}, event.Lane{}, event.Server{}, event.Run{}} {
		b.WriteString("\n" + declaration(reflect.TypeOf(value)))
	}
	return b.String()
}

func union[T ~string](values []T) string {
	lines := make([]string, len(values))
	for i, v := range values {
		lines[i] = fmt.Sprintf("  | %q", string(v))
	}
	return strings.Join(lines, "\n")
}

func declaration(t reflect.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "export interface %s {\n", t.Name())
	for i := range t.NumField() {
		field := t.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		optional := ""
		if options == "omitempty" {
			optional = "?"
		}
		fmt.Fprintf(&b, "  %s%s: %s;\n", name, optional, typeName(field.Type))
	}
	b.WriteString("}\n")
	return b.String()
}

func typeName(t reflect.Type) string {
	switch {
	case t.Kind() == reflect.Slice:
		return typeName(t.Elem()) + "[]"
	case t.Kind() == reflect.Map:
		return fmt.Sprintf("Record<%s, %s>", typeName(t.Key()), typeName(t.Elem()))
	case t.PkgPath() != "":
		return t.Name()
	case t.Kind() == reflect.String:
		return "string"
	case t.Kind() == reflect.Bool:
		return "boolean"
	default:
		return "number"
	}
}
