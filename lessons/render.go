package lessons

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
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
		goldmark.WithExtensions(githubFlavour(), highlighter()),
		goldmark.WithParserOptions(parser.WithAutoHeadingID()),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(blocks)),
	)}
}

// githubFlavour is [extension.GFM], except that a column is aligned by an
// attribute: a style would break our content security policy.
func githubFlavour() goldmark.Extender {
	return extenders{
		extension.Linkify, extension.Strikethrough, extension.TaskList,
		extension.NewTable(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)),
	}
}

type extenders []goldmark.Extender

func (all extenders) Extend(markdown goldmark.Markdown) {
	for _, one := range all {
		one.Extend(markdown)
	}
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

// plainText returns the text below a node, without its markup.
func plainText(node ast.Node, source []byte) string {
	var plain bytes.Buffer
	// The walker returns no error, so neither does the walk.
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			if entering {
				plain.Write(n.Segment.Value(source))
			}
		case *ast.String:
			if entering {
				plain.Write(n.Value)
			}
		}
		return ast.WalkContinue, nil
	})
	return plain.String()
}
