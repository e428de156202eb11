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

// blockRenderer renders our own nodes through the templates, which escape.
type blockRenderer struct {
	pages *pages
}

func (r blockRenderer) RegisterFuncs(registry renderer.NodeRendererFuncRegisterer) {
	registry.Register(kindRunCard, r.renderRunCard)
	registry.Register(kindQuestion, r.renderQuestion)
}

func (r blockRenderer) renderRunCard(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return ast.WalkSkipChildren, r.pages.execute(w, "run-card.html", node.(*runCardNode).card)
}

func (r blockRenderer) renderQuestion(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	return ast.WalkSkipChildren, r.pages.execute(w, "question.html", node.(*questionNode).question)
}
