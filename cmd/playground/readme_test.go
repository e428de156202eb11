package main

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/web"
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
	for name, table := range tables(t) {
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

// tables are what the README lists, by the name of its place there.
func tables(t *testing.T) map[string]string {
	checks := table("| check | what it asserts, and by what |")
	recipes := table("| recipe | | what it does |")
	clients := table("| fault of a client | what happens | takes | undone by |")
	servers := table("| fault of the servers | what happens | takes | undone by |")
	catalogue := run.Catalogue()
	for _, c := range catalogue.Checks {
		checks.add("`"+c.Name+"`", c.Sentence)
	}
	for _, r := range catalogue.Recipes {
		broken := ""
		if r.Broken {
			broken = "broken"
		}
		recipes.add("`"+r.Name+"`", broken, r.Sentence)
	}
	for _, f := range catalogue.Faults {
		to := &clients
		if f.Target == scenario.TargetServer {
			to = &servers
		}
		to.add("`"+f.Name+"`", f.Sentence, parameters(f), quoted(f.UndoneBy))
	}
	return map[string]string{"checks": string(checks), "recipes": string(recipes), "limits": limitTable(), "requests": requestTable(),
		"systems": systemTable(), "course": courseTable(t), "client faults": string(clients), "server faults": string(servers)}
}

// limitTable lists the flags of limits.
func limitTable() string {
	rows := table("| limit | default | |")
	limits := room.DefaultLimits()
	for _, limit := range limits.All() {
		rows.add("`-"+limit.Flag+"`", (&limitFlag{limit}).String(), strings.ReplaceAll(limit.Help, "`", ""))
	}
	return string(rows)
}

// requestTable lists how often one may ask.
func requestTable() string {
	rows := table("| requests | of a person | of all behind an address |")
	for _, rule := range web.RequestLimits() {
		rows.add(rule.Name, rule.Person.String(), rule.Address.String())
	}
	return string(rows)
}

// parameters lists what a fault takes.
func parameters(f scenario.FaultKind) string {
	var names []string
	for _, p := range f.Parameters {
		name := quoted(p.Name)
		if len(p.Choices) > 0 {
			name += ": " + strings.Join(p.Choices, " or ")
		}
		names = append(names, name)
	}
	return strings.Join(names, ", ")
}

func quoted(name string) string {
	if name == "" {
		return ""
	}
	return "`" + name + "`"
}

// A table is one of Markdown; it begins as its first line.
type table string

func (t *table) add(cells ...string) {
	if !strings.Contains(string(*t), "|---") {
		*t += table("\n" + strings.Repeat("|---", len(cells)) + "|\n")
	}
	*t += table("| " + strings.Join(cells, " | ") + " |\n")
}
