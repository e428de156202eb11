package event_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/event"
)

var (
	met      = event.NewCode("test-met", "{client} met {client other}[ at event {event}] for {span long}[, see] {znode}")
	counted  = event.NewCode("test-counted", "a step|{count} steps of {clients}")
	measured = event.NewCode("test-measured", "{tenths each} each")
	between  = event.NewCode("test-between", "{list all}, then {reason} at {instant}")
)

func TestEnglishOfAReason(t *testing.T) {
	one := met.With(2, int64(3), 12, 1500*time.Millisecond, "/lock")
	for _, test := range []struct {
		reason *event.Reason
		want   string
	}{
		{nil, ""},
		{event.Text(""), ""},
		{event.Text("as it is"), "as it is"},
		{one, "client 2 met client 3 at event 12 for 1.5s, see /lock"},
		{counted.With(1, []int{2}), "a step"},
		{counted.With(2, []int{2}), "2 steps of client 2"},
		{counted.With(0, []int{2, 3, 5}), "0 steps of clients 2, 3 and 5"},
		{counted.With(5, []int{1, 2, 3, 4, 5}), "5 steps of 5 clients"},
		{measured.With(25), "2.5 each"},
		{between.With([]*event.Reason{event.Text("a"), event.Text("b")}, event.Text("c"), 2576000), "a, b, then c at 2.576 s"},
		{event.Several(event.Text("a"), event.Text("b")), "a; b"},
		{event.Several(event.Text("a")), "a"},
		{&event.Reason{Code: "of-a-later-playground"}, "of-a-later-playground"},
	} {
		if got := test.reason.English(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if got, want := event.Codes()["test-met"], "{client} met {client other} for {span long} {znode}"; got != want {
		t.Errorf("the page has %q, want %q", got, want)
	}
}

// TestReasonInALog: the log has its sentence, too, and what is read again is the same.
func TestReasonInALog(t *testing.T) {
	want := between.With([]*event.Reason{event.Text("a")}, counted.With(2, []int{2, 3}), 1)
	log := event.NewLog(event.LogConfig{Dir: t.TempDir()})
	written, err := log.Append(event.Event{Kind: event.NoteFault, Reason: want})
	if err != nil {
		t.Fatal(err)
	}
	read := mustHave(t, log, 1)
	if diff := cmp.Diff(written, read); diff != "" || read.Why != want.English() {
		t.Errorf("why %q, want %q; %s", read.Why, want.English(), diff)
	}
	if !read.Reason.Has("test-counted") || !read.Reason.Has("text") || read.Reason.Has("test-met") {
		t.Errorf("what it is made of is not found: %+v", read.Reason)
	}
	for _, wrong := range []string{`{"a":true}`, `{"a":1.5}`, `[]`} {
		if json.Unmarshal([]byte(wrong), new(event.Args)) == nil {
			t.Errorf("%s is read as arguments", wrong)
		}
	}
}

func TestBecause(t *testing.T) {
	for _, test := range []struct {
		e    event.Event
		want *event.Reason
	}{
		{event.Event{}, nil},
		{event.Event{Why: "as it was"}, event.Text("as it was")},
		{event.Event{Why: "a step", Reason: counted.With(1, nil)}, counted.With(1, nil)},
		{event.Event{Why: "as it is said", Reason: &event.Reason{Code: "of-a-later-playground"}}, event.Text("as it is said")},
	} {
		if diff := cmp.Diff(test.want, test.e.Because()); diff != "" {
			t.Errorf("%+v: %s", test.e, diff)
		}
	}
}

// TestReasonsAreComplete reads the source of the whole program: each code is used, and
// whenever it is, with as many arguments as its sentence has.
func TestReasonsAreComplete(t *testing.T) {
	wanted, used := make(map[string]int), make(map[string]bool) // by package and variable
	fset := token.NewFileSet()
	var calls []func()
	for _, root := range []string{"..", "../../cmd/playground"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(fset, path, nil, 0)
			if err != nil {
				return err
			}
			in := filepath.Dir(path) + "."
			ast.Inspect(file, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.ValueSpec:
					if english, ok := sentenceOf(n); ok {
						wanted[in+n.Names[0].Name] = places(english)
					}
				case *ast.Ident:
					calls = append(calls, func() { used[in+n.Name] = used[in+n.Name] || n.Obj == nil || n.Obj.Pos() != n.Pos() })
				case *ast.CallExpr:
					calls = append(calls, func() {
						fun, ok := n.Fun.(*ast.SelectorExpr)
						if !ok || fun.Sel.Name != "With" {
							return
						}
						if name, ok := fun.X.(*ast.Ident); ok {
							if want, ok := wanted[in+name.Name]; ok && want != len(n.Args) {
								t.Errorf("%s: %d arguments, the sentence has %d", fset.Position(n.Pos()), len(n.Args), want)
							}
						}
					})
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, call := range calls {
		call()
	}
	for name := range wanted {
		if !used[name] {
			t.Errorf("nobody uses %s", name)
		}
	}
	if len(wanted) < 80 {
		t.Errorf("%d codes are found", len(wanted))
	}
}

// sentenceOf is the English sentence of a variable that is a code.
func sentenceOf(v *ast.ValueSpec) (english string, ok bool) {
	if len(v.Values) != 1 {
		return "", false
	}
	call, ok := v.Values[0].(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", false
	}
	if name, ok := call.Fun.(*ast.SelectorExpr); !ok || name.Sel.Name != "NewCode" {
		if name, ok := call.Fun.(*ast.Ident); !ok || name.Name != "NewCode" {
			return "", false
		}
	}
	ast.Inspect(call.Args[1], func(n ast.Node) bool {
		if literal, ok := n.(*ast.BasicLit); ok {
			text, _ := strconv.Unquote(literal.Value)
			english += text
		}
		return true
	})
	return english, true
}

// places is how many arguments a sentence has: its last form has all.
func places(english string) int {
	return strings.Count(english[strings.LastIndex(english, "|")+1:], "{")
}
