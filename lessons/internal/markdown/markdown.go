// Package markdown is what the readers of Markdown files have in common: the flavour, and
// where in a source something stands and what it says.
package markdown

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

// Flavour is [extension.GFM], except that a column is aligned by an attribute: a style
// would break our content security policy.
func Flavour() goldmark.Extender {
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

// Nodes lists all nodes of a tree, so that it can be changed meanwhile.
func Nodes(doc ast.Node) []ast.Node {
	var nodes []ast.Node
	// The walker returns no error, so neither does the walk.
	_ = ast.Walk(doc, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if entering {
			nodes = append(nodes, node)
		}
		return ast.WalkContinue, nil
	})
	return nodes
}

// PlainText returns the text below a node, without its markup.
func PlainText(node ast.Node, source []byte) string {
	var plain bytes.Buffer
	for _, n := range Nodes(node) {
		switch n := n.(type) {
		case *ast.Text:
			plain.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				plain.WriteByte(' ')
			}
		case *ast.String:
			plain.Write(n.Value)
		}
	}
	return plain.String()
}

// Line returns the line, from 1, on which the content of a node starts: of a fence, the
// one below the backquotes. It returns 0 when the node has no text.
func Line(node ast.Node, source []byte) int {
	if start, ok := startOf(node); ok {
		return bytes.Count(source[:start], []byte("\n")) + 1
	}
	return 0
}

func startOf(node ast.Node) (int, bool) {
	switch node := node.(type) {
	case *ast.Text:
		return node.Segment.Start, true
	case *ast.RawHTML:
		return firstStart(node.Segments)
	}
	if node.Type() == ast.TypeBlock {
		if start, ok := firstStart(node.Lines()); ok {
			return start, true
		}
	}
	if fence, ok := node.(*ast.FencedCodeBlock); ok && fence.Info != nil {
		return fence.Info.Segment.Start, true
	}
	if child := node.FirstChild(); child != nil {
		return startOf(child)
	}
	return 0, false
}

func firstStart(segments *text.Segments) (int, bool) {
	if segments == nil || segments.Len() == 0 {
		return 0, false
	}
	return segments.At(0).Start, true
}
