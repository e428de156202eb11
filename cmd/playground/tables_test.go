package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/web"
)

//go:generate go test -run TestTables -update .

var update = flag.Bool("update", false, "write the generated tables of the documents")

// root is the top of the repository.
const root = "../.."

// tablePlace is where a generated table stands in a document: its first line, the name of
// the table, and the last line.
var tablePlace = regexp.MustCompile("(?s)(<!-- ([a-z ]+): go generate ./cmd/playground -->\n).*?(<!-- end -->\n)")

// TestTables keeps the tables of the documents equal to what they describe. Each stands in
// one document.
func TestTables(t *testing.T) {
	tables := tables(t)
	shown := make(map[string]string) // where each table stands
	for _, name := range documents(t) {
		path := filepath.Join(root, name)
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want := tablePlace.ReplaceAllStringFunc(string(got), func(place string) string {
			part := tablePlace.FindStringSubmatch(place)
			table, ok := tables[part[2]]
			if other := shown[part[2]]; !ok || other != "" {
				t.Errorf("%s has a place for the table %q, which there is not, or which %q has already", name, part[2], other)
				return place
			}
			shown[part[2]] = name
			return part[1] + table + part[3]
		})
		if strings.Count(want, ": go generate ./cmd/playground -->") != len(tablePlace.FindAllString(want, -1)) {
			t.Errorf("%s has a table without an end", name)
		}
		if want == string(got) {
			continue
		}
		if !*update {
			t.Errorf("a table of %s is stale: run go generate ./cmd/playground", name)
		} else if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name := range tables {
		if shown[name] == "" {
			t.Errorf("no document has a place for the table %q", name)
		}
	}
}

// tables are what the documents list, by the name of the place there.
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
	return map[string]string{"checks": string(checks), "recipes": string(recipes), "scenarios": scenarioTable(t, catalogue),
		"instants": instantList(), "flags": flagTable(), "limits": limitTable(), "requests": requestTable(),
		"systems": systemTable(), "course": courseTable(t), "client faults": string(clients), "server faults": string(servers)}
}

// scenarioTable lists the scenarios; their lessons are links from beside package scenario.
func scenarioTable(t *testing.T, catalogue scenario.Catalogue) string {
	t.Helper()
	scenarios, err := scenario.Shipped(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	rows := table("| scenario | what it shows | lesson |")
	for _, s := range scenarios {
		lesson := each(s.Lesson, func(slug string) string { return fmt.Sprintf("[%s](../../lessons/%s)", slug, lessonFile(slug)) })
		rows.add(quoted(s.Name), "**"+s.Title+".** "+s.Summary, lesson)
	}
	return string(rows)
}

// instantList names the instants of a run.
func instantList() string {
	var names []string
	for _, name := range event.InstantNames() {
		names = append(names, quoted(string(name)))
	}
	return strings.Join(names, ", ") + ".\n"
}

// flagTable lists the flags of serve, but for those of limits.
func flagTable() string {
	rows := table("| flag | default | |")
	f := serveFlags{limits: room.DefaultLimits()}
	flags := newFlags("serve")
	f.add(flags)
	limits := f.limits.All()
	flags.VisitAll(func(one *flag.Flag) {
		if !slices.ContainsFunc(limits, func(l room.Limit) bool { return l.Flag == one.Name }) {
			value, help := flag.UnquoteUsage(one)
			rows.add(quoted(strings.TrimSpace("-"+one.Name+" "+value)), quoted(one.DefValue), help)
		}
	})
	return string(rows)
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
		if p.Unit == "" {
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
