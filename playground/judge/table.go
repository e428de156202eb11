package judge

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

// marks are the verdicts in a table.
var marks = map[event.Verdict]string{event.Holds: "ok", event.Violated: "FAILS", event.Undecided: "?"}

// WriteTable writes the result for a terminal: the trials by the properties, and below a
// sentence for each that fails.
func (r Result) WriteTable(w io.Writer) error {
	var b strings.Builder
	head := fmt.Sprintf("%-22s", "")
	for _, p := range r.asked() {
		head += fmt.Sprintf("%-7s", p)
	}
	b.WriteString(strings.TrimRight(head, " ") + "\n")
	for _, o := range r.Outcomes {
		fmt.Fprintf(&b, "%-22s", o.Trial.Name)
		if o.Skipped != "" {
			fmt.Fprintf(&b, "not done: %s\n", o.Skipped)
			continue
		}
		row := ""
		for _, p := range r.asked() {
			mark := "-"
			if f, asked := o.Of(p); asked {
				mark = marks[f.Verdict]
			}
			row += fmt.Sprintf("%-7s", mark)
		}
		b.WriteString(strings.TrimRight(row, " ") + "\n")
	}
	for _, o := range r.Outcomes {
		for _, f := range o.Findings {
			if f.Verdict != event.Holds {
				fmt.Fprintf(&b, "\n%s, %s: %s.\n", o.Trial.Name, f.Property, f.Why)
				if f.Verdict == event.Violated {
					b.WriteString(o.again(f.Property))
				}
			}
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// asked are the properties that stand in the table: those of every lock, and the claims that
// a trial has asked about.
func (r Result) asked() []Property {
	return slices.DeleteFunc(Properties(), func(p Property) bool {
		return slices.Contains(claims, p) && !slices.ContainsFunc(r.Outcomes, func(o Outcome) bool { return slices.Contains(o.Trial.Asks, p) })
	})
}

// again says how to see a failure once more, in its smallest run, and what that shows.
func (o Outcome) again(p Property) string {
	clients, shows := o.Clients, ""
	if o.Smaller != nil {
		clients = o.Smaller.Clients
		if f, _ := o.Smaller.Of(p); f.Verdict == event.Violated {
			shows = fmt.Sprintf("  with %d clients: %s.\n", clients, f.Why)
		}
	}
	return shows + fmt.Sprintf("  again: -trial %s -seed %d -clients %d\n", o.Trial.Name, o.Seed, clients)
}
