package lessons

import (
	"embed"
	"fmt"
	"html/template"
	"io"
)

//go:embed templates/*.html
var templateFiles embed.FS

// pages are the HTML templates. They are safe for concurrent use.
type pages struct {
	templates *template.Template
}

// newPages parses the embedded templates; they are part of the program, so a
// failure is a mistake in it and every test would show it.
func newPages() *pages {
	return &pages{templates: template.Must(template.ParseFS(templateFiles, "templates/*.html"))}
}

func (p *pages) execute(w io.Writer, name string, data any) error {
	if err := p.templates.ExecuteTemplate(w, name, data); err != nil {
		return fmt.Errorf("render %s: %w", name, err)
	}
	return nil
}

// WriteDocument writes a lesson as an HTML document of its own, with links to
// the lessons before and after it. Its links are relative and assume the
// address BASE/lessons/LOCALE/SLUG with style sheets in BASE/static/css and
// [StyleSheet] at BASE/lessons/code.css, for any BASE. An error is the writer's.
func (l *Library) WriteDocument(w io.Writer, lesson Lesson) error {
	previous, next := l.neighbours(lesson)
	return l.pages.execute(w, "document.html", map[string]any{
		"Lesson":   lesson,
		"Content":  template.HTML(lesson.HTML), // rendered by us, in safe mode
		"Previous": previous,
		"Next":     next,
	})
}
