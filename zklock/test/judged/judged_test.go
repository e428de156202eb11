package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
)

// TestPrograms: each lock's program can be written: the changes fit the kits.
func TestPrograms(t *testing.T) {
	for _, l := range locks {
		if err := l.write(filepath.Join(t.TempDir(), l.name)); err != nil {
			t.Errorf("%s: %v", l.name, err)
		}
		if l.command == "" || l.prepare == "" || l.version == "" || (l.trial == "") != (l.bug == "") {
			t.Errorf("%+v", l)
		}
	}
}

// result is one of two trials that ask about safe, of which the second fails.
func result() judge.Result {
	outcome := func(trial string, v event.Verdict) judge.Outcome {
		return judge.Outcome{Trial: judge.Trial{Name: trial}, Findings: []judge.Finding{{Property: judge.Safe, Verdict: v, Why: "two held"}}}
	}
	return judge.Result{Outcomes: []judge.Outcome{outcome("calm", event.Holds), outcome("pause", event.Violated)}}
}

func TestTables(t *testing.T) {
	right := judge.Result{Outcomes: result().Outcomes[:1]}
	noted := lock{title: "A `Lock`", version: "1", notes: []note{{[]string{"pause"}, judge.Safe, "It sleeps."}}}
	for _, test := range []struct {
		name  string
		locks []judgedLock
		want  string // or what the error says
	}{
		{"passed", []judgedLock{{lock{title: "B", version: "2"}, []judge.Result{right}}}, "| B | 2 | 1 of 1 |\n"},
		{"failed with one seed of two", []judgedLock{{noted, []judge.Result{result(), result()}}}, "| A `Lock` | 1 | 1 of 2 |\n\n* **safe**, `pause`: A `Lock`: It sleeps.\n"},
		{"failed, and nobody has looked why", []judgedLock{{lock{name: "c"}, []judge.Result{result()}}}, "c fails pause in safe, and no note says why"},
		{"a bug", []judgedLock{{lock{title: "D", version: "3", trial: "pause", bug: "D-1", property: judge.Safe}, []judge.Result{{Outcomes: result().Outcomes[1:]}}}},
			"| D-1 | D 3 | `pause` | not safe: two held |\n"},
		{"a bug that is not found", []judgedLock{{lock{name: "e", trial: "calm", property: judge.Safe}, []judge.Result{right}}}, "e is not found in 1 runs"},
	} {
		got, err := tables(test.locks)
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, test.want) {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestRewrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "README.md")
	for _, test := range []struct{ old, want string }{
		{"a\n" + begin + "old\n" + end + "b\n", "a\n" + begin + "\nnew\n" + end + "b\n"},
		{"no markers\n", "no markers\n"},
	} {
		if err := os.WriteFile(name, []byte(test.old), 0o666); err != nil {
			t.Fatal(err)
		}
		err := rewrite(name, "new")
		if got, _ := os.ReadFile(name); string(got) != test.want || (err == nil) != (test.old != test.want) {
			t.Errorf("%q: %v", got, err)
		}
	}
}
