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
	"cell": cellOf,
	"join": func(words []string) string { return strings.Join(words, " ") },
	"link": linkTo,
}).Parse(reportText))

// A cell is one place of the report's table.
type cell struct {
	Sign, Word, Class, Why, Link string
}

// signs and words say a verdict in a cell: where there is little room, the sign alone.
var (
	signs = map[event.Verdict]string{event.Holds: "✓", event.Violated: "✗", event.Undecided: "?"}
	words = map[event.Verdict]string{event.Holds: "holds", event.Violated: "fails", event.Undecided: "undecided"}
)

func cellOf(o Outcome, p Property) cell {
	f, asked := o.Of(p)
	if !asked {
		return cell{Sign: "–", Class: "none", Why: "not asked"}
	}
	return cell{Sign: signs[f.Verdict], Word: words[f.Verdict], Class: string(f.Verdict), Why: f.Why, Link: linkTo(o, f)}
}

// linkTo leads to the page of an outcome's run, at the instant that decides a finding.
func linkTo(o Outcome, f Finding) string {
	link := o.File("html")
	if f.Seq > 0 {
		link += fmt.Sprintf("#run=%s&seq=%d&at=%d", o.Run, f.Seq, f.At)
	}
	return link
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
