package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
)

//go:generate go test -run TestReadme -update .

var update = flag.Bool("update", false, "write the README's generated tables")

const readme = "../../README.md"

// TestReadme keeps the tables of the README equal to what they describe.
func TestReadme(t *testing.T) {
	got, err := os.ReadFile(readme)
	if err != nil {
		t.Fatal(err)
	}
	want := string(got)
	for name, table := range map[string]string{"checks": checkTable()} {
		want = withTable(t, want, name, table)
	}
	if want == string(got) {
		return
	}
	if !*update {
		t.Fatal("a table of the README is stale: run go generate ./cmd/playground")
	}
	if err := os.WriteFile(readme, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withTable puts a table between its comment in the README and the next "end".
func withTable(t *testing.T, text, name, table string) string {
	t.Helper()
	before, rest, begins := strings.Cut(text, "<!-- "+name+": go generate ./cmd/playground -->\n")
	_, after, ends := strings.Cut(rest, "<!-- end -->\n")
	if !begins || !ends {
		t.Fatalf("the README has no place for the table %q", name)
	}
	return before + "<!-- " + name + ": go generate ./cmd/playground -->\n" + table + "<!-- end -->\n" + after
}

func checkTable() string {
	table := "| check | what it asserts, and by what |\n|---|---|\n"
	for _, c := range check.All() {
		table += fmt.Sprintf("| `%s` | %s |\n", c.Name, c.Sentence)
	}
	return table
}
