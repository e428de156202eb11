package teacher

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"

	"github.com/zkplayground/zkplayground/lessons"
)

//go:embed templates/*.html
var templateFiles embed.FS

// newDocuments parses the templates, with their words in each locale; they are part of the
// program, so a failure is a mistake in it and every test would show it.
func newDocuments() map[string]*template.Template {
	all := make(map[string]*template.Template)
	for _, locale := range lessons.Locales {
		word := func(name string, values ...any) (string, error) { return lessons.Word(locale, name, values...) }
		empty := template.New("").Funcs(template.FuncMap{"word": word})
		all[locale] = template.Must(empty.ParseFS(templateFiles, "templates/*.html"))
	}
	return all
}

// A document is what its template is told, beside its content.
type document struct {
	// Locale is that of the content, and Asked the one that was asked for.
	Locale, Asked string
	// Root leads to BASE.
	Root  string
	Page  Page
	Plan  Plan
	Plans []Plan
	Pages []Page
}

// Fallback says that the content is not in the locale that was asked for.
func (d document) Fallback() bool { return d.Locale != d.Asked }

// Draft says that the content is a translation.
func (d document) Draft() bool { return d.Locale != lessons.DefaultLocale }

// Mixed says that some of what is listed is not in the locale that was asked for.
func (d document) Mixed() bool {
	return slices.ContainsFunc(d.Pages, func(p Page) bool { return p.Locale != d.Asked }) ||
		slices.ContainsFunc(d.Plans, func(p Plan) bool { return p.Locale != d.Asked })
}

func (g *Guide) write(w io.Writer, name string, d document) error {
	if err := g.documents[d.Asked].ExecuteTemplate(w, name, d); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

// WritePage writes a presenter page as an HTML document, for a teacher who has asked for
// it in a locale; it says so where the page is in another one. Its links are relative and
// assume the address BASE/teacher/LOCALE/SLUG, for any BASE. An error is the writer's.
func (g *Guide) WritePage(w io.Writer, page Page, asked string) error {
	return g.write(w, "page.html", document{Locale: page.Locale, Asked: lessons.LocaleFor(asked), Root: "../../", Page: page})
}

// WritePlan writes a plan likewise; its address is BASE/teacher/LOCALE/NAME, with
// [Plan.Name].
func (g *Guide) WritePlan(w io.Writer, plan Plan, asked string) error {
	return g.write(w, "plan.html", document{Locale: plan.Locale, Asked: lessons.LocaleFor(asked), Root: "../../", Plan: plan})
}

// WriteIndex writes the list of all plans and presenter pages. Root leads to BASE: from
// BASE/teacher/LOCALE it is "../".
func (g *Guide) WriteIndex(w io.Writer, asked, root string) error {
	asked = lessons.LocaleFor(asked)
	return g.write(w, "index.html", document{Locale: asked, Asked: asked, Root: root, Plans: g.Plans(asked), Pages: g.Pages(asked)})
}
