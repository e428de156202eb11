package lessons

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

// The kinds of our own nodes in a lesson's syntax tree.
var (
	kindRunCard  = ast.NewNodeKind("RunCard")
	kindQuestion = ast.NewNodeKind("Question")
	kindTask     = ast.NewNodeKind("Task")
	kindCheck    = ast.NewNodeKind("Check")
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

// blockRenderer renders our own nodes through the templates, which escape.
type blockRenderer struct {
	pages *pages
}

func (r blockRenderer) RegisterFuncs(registry renderer.NodeRendererFuncRegisterer) {
	registry.Register(kindRunCard, r.render("run-card.html", func(node ast.Node) any { return node.(*runCardNode).card }))
	registry.Register(kindQuestion, r.render("question.html", func(node ast.Node) any { return node.(*questionNode).question }))
	registry.Register(kindTask, r.render("task.html", func(node ast.Node) any { return node.(*taskNode).task }))
	registry.Register(kindCheck, r.render("check.html", func(node ast.Node) any { return node.(*checkNode).check }))
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

// renderCodeBlock renders lines that are indented as a listing that has a fence.
func renderCodeBlock(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		text := util.EscapeHTML(node.Lines().Value(source))
		_, err := w.WriteString(codeBlock{}.Start(false, "") + string(text) + codeBlock{}.End(false))
		return ast.WalkSkipChildren, err
	}
	return ast.WalkContinue, nil
}
