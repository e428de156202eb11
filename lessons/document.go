package lessons

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"slices"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages are the HTML templates with their words in one locale. They are safe for
// concurrent use.
type pages struct {
	templates *template.Template
}

// newPages parses the embedded templates; they are part of the program, so a
// failure is a mistake in it and every test would show it.
func newPages(locale string) *pages {
	word := func(name string, values ...any) (string, error) { return Word(locale, name, values...) }
	empty := template.New("").Funcs(template.FuncMap{"word": word})
	return &pages{templates: template.Must(empty.ParseFS(templateFiles, "templates/*.html"))}
}

func (p *pages) execute(w io.Writer, name string, data any) error {
	if err := p.templates.ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

// LocaleFor returns the locale itself where documents have their words in it, or else
// [DefaultLocale].
func LocaleFor(locale string) string {
	if slices.Contains(Locales, locale) {
		return locale
	}
	return DefaultLocale
}

// WriteDocument writes a lesson as an HTML document of its own, for a reader who has
// asked for it in a locale: it says so where the lesson is in another one, and has links
// to the lessons before and after it, and to the map of the course. Its links are relative
// and assume the address BASE/lessons/LOCALE/SLUG with style sheets in BASE/static/css and
// [StyleSheet] at BASE/lessons/code.css, for any BASE. An error is the writer's.
func (l *Library) WriteDocument(w io.Writer, lesson Lesson, asked string) error {
	asked = LocaleFor(asked)
	previous, next := l.neighbours(lesson, asked)
	return l.pages[asked].execute(w, "document.html", map[string]any{
		"Lesson":     lesson,
		"Asked":      asked,
		"Translated": lesson.Locale != DefaultLocale,
		"Content":    template.HTML(lesson.HTML), // rendered by us, in safe mode
		"Previous":   previous,
		"Next":       next,
	})
}
