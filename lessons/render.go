package lessons

import (
	"bytes"
	"fmt"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
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

// The kinds of our own nodes in a lesson's syntax tree.
var (
	kindRunCard  = ast.NewNodeKind("RunCard")
	kindQuestion = ast.NewNodeKind("Question")
	kindTask     = ast.NewNodeKind("Task")
	kindCheck    = ast.NewNodeKind("Check")
	kindMend     = ast.NewNodeKind("Challenge")
	kindFold     = ast.NewNodeKind("Fold")
)

type runCardNode struct {
	ast.BaseBlock
	card RunCard
}

func (n *runCardNode) Kind() ast.NodeKind { return kindRunCard }

func (n *runCardNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type questionNode struct {
	ast.BaseBlock
	question Question
}

func (n *questionNode) Kind() ast.NodeKind { return kindQuestion }

func (n *questionNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type taskNode struct {
	ast.BaseBlock
	task Task
}

func (n *taskNode) Kind() ast.NodeKind { return kindTask }

func (n *taskNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type checkNode struct {
	ast.BaseBlock
	check Check
}

func (n *checkNode) Kind() ast.NodeKind { return kindCheck }

func (n *checkNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

type challengeNode struct {
	ast.BaseBlock
	challenge Challenge
}

func (n *challengeNode) Kind() ast.NodeKind { return kindMend }

func (n *challengeNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// A foldNode has below it what is folded.
type foldNode struct {
	ast.BaseBlock
	// ID is that of what is folded, so that a link to it opens it.
	ID, Summary string
}

func (n *foldNode) Kind() ast.NodeKind { return kindFold }

func (n *foldNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// blockRenderer renders our own nodes through the templates, which escape.
type blockRenderer struct {
	pages *pages
}

func (r blockRenderer) RegisterFuncs(registry renderer.NodeRendererFuncRegisterer) {
	registry.Register(kindRunCard, r.render("run-card.html", func(node ast.Node) any { return node.(*runCardNode).card }))
	registry.Register(kindQuestion, r.render("question.html", func(node ast.Node) any { return node.(*questionNode).question }))
	registry.Register(kindTask, r.render("task.html", func(node ast.Node) any { return node.(*taskNode).task }))
	registry.Register(kindCheck, r.render("check.html", func(node ast.Node) any { return node.(*checkNode).check }))
	registry.Register(kindMend, r.render("challenge.html", func(node ast.Node) any { return node.(*challengeNode).challenge }))
	registry.Register(kindFold, r.renderFold)
	registry.Register(ast.KindCodeBlock, renderCodeBlock)
}

// render renders one sort of node through a template.
func (r blockRenderer) render(template string, data func(ast.Node) any) renderer.NodeRendererFunc {
	return func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		return ast.WalkSkipChildren, r.pages.execute(w, template, data(node))
	}
}

// renderFold renders what is above and below the nodes that are folded.
func (r blockRenderer) renderFold(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		return ast.WalkContinue, r.pages.execute(w, "fold.html", node)
	}
	_, err := w.WriteString("</div>\n</details>\n")
	return ast.WalkContinue, err
}

// renderCodeBlock renders lines that are indented as a listing that has a fence.
func renderCodeBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		text := util.EscapeHTML(node.Lines().Value(source))
		_, err := w.WriteString(codeBlock{}.Start(false, "") + string(text) + codeBlock{}.End(false))
		return ast.WalkSkipChildren, err
	}
	return ast.WalkContinue, nil
}
