package judge

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/zkplayground/zkplayground/playground/event"
)

//go:embed report.html
var reportText string

var report = template.Must(template.New("report").Funcs(template.FuncMap{
	"cell": func(o Outcome, p Property) cell { return cellOf(o, p) },
	"join": func(words []string) string { return strings.Join(words, " ") },
}).Parse(reportText))

// A cell is one place of the report's table.
type cell struct {
	Mark, Class, Why, Link string
}

func cellOf(o Outcome, p Property) cell {
	f, asked := o.Of(p)
	if !asked {
		return cell{Mark: "–", Class: "none", Why: "not asked"}
	}
	c := cell{Mark: map[event.Verdict]string{event.Holds: "✓ holds", event.Violated: "✗ fails", event.Undecided: "? undecided"}[f.Verdict],
		Class: string(f.Verdict), Why: f.Why, Link: o.File("html")}
	if f.Seq > 0 {
		c.Link += fmt.Sprintf("#run=%s&seq=%d&at=%d", o.Run, f.Seq, f.At)
	}
	return c
}

// File is the name of a file about the outcome in a report's directory.
func (o Outcome) File(extension string) string { return o.Run + "." + extension }

// WriteReport writes a page with the result. Its links lead to the files of each outcome,
// beside it.
func (r Result) WriteReport(w io.Writer) error {
	return report.Execute(w, struct {
		Result
		Properties []Property
	}{r, r.asked()})
}
