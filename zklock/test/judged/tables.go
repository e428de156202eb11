package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// A judgedLock is a lock with its results, one for each seed.
type judgedLock struct {
	lock
	results []judge.Result
}

// verdicts says of each trial that asks about a property, in the order of the trials, whether
// it holds: with every seed, or else what it is with the last one with which it does not.
func (j judgedLock) verdicts(p judge.Property) (trials []string, verdicts []event.Verdict) {
	for i, r := range j.results {
		for _, o := range r.Outcomes {
			f, asked := o.Of(p)
			if !asked {
				continue
			}
			if i == 0 {
				trials, verdicts = append(trials, o.Trial.Name), append(verdicts, event.Holds)
			}
			if at := slices.Index(trials, o.Trial.Name); at >= 0 && f.Verdict != event.Holds {
				verdicts[at] = f.Verdict
			}
		}
	}
	return trials, verdicts
}

// note is the one that says why the lock fails a trial in a property.
func (l lock) note(trial string, p judge.Property) (note, bool) {
	i := slices.IndexFunc(l.notes, func(n note) bool { return n.property == p && slices.Contains(n.trials, trial) })
	if i < 0 {
		return note{}, false
	}
	return l.notes[i], true
}

// tables are those of the README: of the locks that went through all trials, with why they
// fail, and of bugs.
func tables(locks []judgedLock) (string, error) {
	var table, bugs strings.Builder
	var failures []failure
	table.WriteString("| lock | version | safe | live | fair | cheap | clean |\n|---|---|---|---|---|---|---|\n")
	bugs.WriteString("| reported as | lock | trial | what the judge says |\n|---|---|---|---|\n")
	for _, j := range locks {
		if j.trial != "" {
			said, err := j.said()
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&bugs, "| %s | %s %s | `%s` | %s |\n", j.bug, j.title, j.version, j.trial, said)
			continue
		}
		fmt.Fprintf(&table, "| %s | %s |", j.title, j.version)
		for _, p := range judge.Properties() {
			trials, verdicts := j.verdicts(p)
			if len(trials) == 0 {
				continue
			}
			passed, undecided := len(trials), 0
			for i, trial := range trials {
				if verdicts[i] == event.Holds {
					continue
				}
				passed--
				if verdicts[i] == event.Undecided {
					undecided++
					continue
				}
				n, ok := j.note(trial, p)
				if !ok {
					return "", fmt.Errorf("%s fails %s in %s, and no note says why: look at its recording first", j.name, trial, p)
				}
				failures = append(failures, failure{p, trial, n.text, j.title})
			}
			fmt.Fprintf(&table, " %d of %d", passed, len(trials))
			if undecided > 0 {
				fmt.Fprintf(&table, ", %d undecided", undecided)
			}
			table.WriteString(" |")
		}
		table.WriteString("\n")
	}
	return table.String() + "\n" + reasons(failures) + "\n" + bugs.String(), nil
}

// A failure is a lock's in a trial, with the text of the note.
type failure struct {
	property    judge.Property
	trial, text string
	lock        string
}

// reasons are the notes, each once, with the trials and the locks that it is about.
func reasons(failures []failure) string {
	var b strings.Builder
	for len(failures) > 0 {
		first := failures[0]
		same := func(f failure) bool { return f.property == first.property && f.text == first.text }
		var trials, locks []string
		for _, f := range failures {
			if trial := "`" + f.trial + "`"; same(f) && !slices.Contains(trials, trial) {
				trials = append(trials, trial)
			}
			if same(f) && !slices.Contains(locks, f.lock) {
				locks = append(locks, f.lock)
			}
		}
		fmt.Fprintf(&b, "* **%s**, %s: %s: %s\n", first.property, strings.Join(trials, ", "), strings.Join(locks, ", "), first.text)
		failures = slices.DeleteFunc(failures, same)
	}
	return b.String()
}

// said is what the judge says of a bug.
func (j judgedLock) said() (string, error) {
	found, first := 0, ""
	for _, r := range j.results {
		if f, _ := r.Outcomes[0].Of(j.property); f.Verdict == event.Violated {
			if found++; first == "" {
				first = f.Why
			}
		}
	}
	if found == 0 {
		return "", fmt.Errorf("%s is not found in %d runs", j.name, len(j.results))
	}
	return fmt.Sprintf("not %s: %s", j.property, first), nil
}

// Markers are around the tables in the README.
const (
	begin = "<!-- begin: make judged -->\n"
	end   = "<!-- end: make judged -->\n"
)

// rewrite puts a text between the markers of a file.
func rewrite(name, text string) error {
	old, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), begin)
	_, after, ended := strings.Cut(rest, end)
	if !ok || !ended {
		return fmt.Errorf("%s has no line %q and after it %q", name, begin, end)
	}
	return wholefile.Write(name, func(w io.Writer) error {
		_, err := io.WriteString(w, before+begin+"\n"+text+"\n"+end+after)
		return err
	})
}
