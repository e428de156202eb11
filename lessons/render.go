package lessons

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A lessonRenderer turns the source of one lesson after another into HTML.
type lessonRenderer struct {
	markdown goldmark.Markdown
}

// newLessonRenderer leaves goldmark's safe mode on: raw HTML and dangerous links do
// not reach the page, whatever a lesson says.
func newLessonRenderer(pages *pages) *lessonRenderer {
	blocks := util.Prioritized(blockRenderer{pages: pages}, 100)
	return &lessonRenderer{markdown: goldmark.New(
		goldmark.WithExtensions(markdown.Flavour(), highlighter()),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(blocks)),
	)}
}

// render fills in what the source says about a lesson that has its name.
func (r *lessonRenderer) render(lesson Lesson, source []byte) (Lesson, error) {
	doc := r.markdown.Parser().Parse(text.NewReader(source))
	reading := &reading{lesson: lesson, source: source}
	if err := reading.read(doc); err != nil {
		return Lesson{}, err
	}
	var html bytes.Buffer
	if err := r.markdown.Renderer().Render(&html, source, doc); err != nil {
		return Lesson{}, &Error{File: lesson.file, Err: fmt.Errorf("render: %w", err)}
	}
	lesson = reading.lesson
	lesson.HTML = html.Bytes()
	return lesson, nil
}
