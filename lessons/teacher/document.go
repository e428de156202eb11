package teacher

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"slices"
	"strings"

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

// A Reader is who has asked for a document.
type Reader struct {
	// Locale is the one that was asked for.
	Locale string
	// Room is that of the reader's class, where links to the playground lead; empty
	// for the front page.
	Room string
}

// A document is what its template is told.
type document struct {
	// Locale is that of the content, and Asked the one that was asked for.
	Locale, Asked string
	// Root leads to BASE.
	Root string
	Room string
	// What is shown: one of these, or all of a kind.
	Page    Page
	Plan    Plan
	Sheet   Sheet
	Plans   []Plan
	Pages   []Page
	Sheets  []Sheet
	Lessons []lessons.Lesson
	// Mended are the sources of locks, by the challenges that they solve.
	Mended map[string]string
}

// Fallback says that the content is not in the locale that was asked for.
func (d document) Fallback() bool { return d.Locale != d.Asked }

// Draft says that the content is a translation.
func (d document) Draft() bool { return d.Locale != lessons.DefaultLocale }

// Mixed says that some of what is listed is not in the locale that was asked for.
func (d document) Mixed() bool {
	return slices.ContainsFunc(d.Pages, func(p Page) bool { return p.Locale != d.Asked }) ||
		slices.ContainsFunc(d.Plans, func(p Plan) bool { return p.Locale != d.Asked }) ||
		slices.ContainsFunc(d.Sheets, func(s Sheet) bool { return s.Locale != d.Asked }) ||
		slices.ContainsFunc(d.Lessons, func(l lessons.Lesson) bool { return l.Locale != d.Asked })
}

// Playground is the address of the page that the links open.
func (d document) Playground() string {
	if d.Room == "" {
		return d.Root
	}
	return d.Root + "rooms/" + d.Room
}

// pageLink is a link from one of the documents to another.
var pageLink = regexp.MustCompile(`<a href="([a-z0-9-]+)"`)

// Linked is rendered content with its links leading to the room.
func (d document) Linked(content template.HTML) template.HTML {
	if d.Room == "" {
		return content
	}
	room := template.HTMLEscapeString(d.Room)
	text := strings.ReplaceAll(string(content), `<a href="../../#`, `<a href="../../rooms/`+room+`#`)
	return template.HTML(pageLink.ReplaceAllString(text, `<a href="$1?room=`+room+`"`))
}

func (g *Guide) write(w io.Writer, name string, r Reader, d document) error {
	d.Asked, d.Room = lessons.LocaleFor(r.Locale), r.Room
	if d.Locale == "" {
		d.Locale = d.Asked
	}
	if err := g.documents[d.Asked].ExecuteTemplate(w, name, d); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

// Write writes the document of a name: a presenter page by the slug of its lesson, a plan,
// a sheet, or the solutions of all goals. It says so where the document is not in the
// reader's locale. Its links are relative and assume the address BASE/teacher/LOCALE/NAME,
// for any BASE. An error is ErrUnknown, or the writer's.
func (g *Guide) Write(w io.Writer, name string, r Reader) error {
	locale := lessons.LocaleFor(r.Locale)
	const root = "../../"
	if page, ok := g.Page(locale, name); ok {
		return g.write(w, "page.html", r, document{Locale: page.Locale, Root: root, Page: page})
	}
	if plan, ok := g.Plan(locale, name); ok {
		return g.write(w, "plan.html", r, document{Locale: plan.Locale, Root: root, Plan: plan})
	}
	if sheet, ok := g.Sheet(locale, name); ok {
		return g.write(w, "sheet.html", r, document{Locale: sheet.Locale, Root: root, Sheet: sheet})
	}
	if name == solutionsName {
		return g.write(w, "solutions.html", r, document{Root: root, Lessons: g.library.In(locale), Mended: g.mended})
	}
	return fmt.Errorf("%w: %.100q", ErrUnknown, name)
}

// WriteIndex writes the list of all documents. Root leads to BASE: from
// BASE/teacher/LOCALE it is "../".
func (g *Guide) WriteIndex(w io.Writer, r Reader, root string) error {
	locale := lessons.LocaleFor(r.Locale)
	return g.write(w, "index.html", r, document{Root: root, Plans: g.Plans(locale), Pages: g.Pages(locale), Sheets: g.Sheets(locale)})
}
