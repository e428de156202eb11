// Package fragment changes pieces of HTML, such as the inside of a lesson's article.
package fragment

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parse returns an element that holds what the HTML says, as in the body of a page.
func Parse(text []byte) (*html.Node, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(bytes.NewReader(text), body)
	if err != nil {
		return nil, fmt.Errorf("read HTML: %w", err)
	}
	for _, node := range nodes {
		body.AppendChild(node)
	}
	return body, nil
}

// Inner is what an element holds, as HTML.
func Inner(node *html.Node) (string, error) {
	var text strings.Builder
	for child := range node.ChildNodes() {
		if err := html.Render(&text, child); err != nil {
			return "", fmt.Errorf("write HTML: %w", err)
		}
	}
	return text.String(), nil
}

// Elements are those below a node, in the order of the text; they may be changed
// meanwhile.
func Elements(node *html.Node) []*html.Node {
	return slices.DeleteFunc(slices.Collect(node.Descendants()), func(n *html.Node) bool { return n.Type != html.ElementNode })
}

// Attribute is the value of an attribute, empty where there is none.
func Attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// SetAttribute gives an attribute a value.
func SetAttribute(node *html.Node, name, value string) {
	for i := range node.Attr {
		if node.Attr[i].Key == name {
			node.Attr[i].Val = value
			return
		}
	}
	node.Attr = append(node.Attr, html.Attribute{Key: name, Val: value})
}

// HasClass says whether an element is of a class.
func HasClass(node *html.Node, class string) bool {
	return slices.Contains(strings.Fields(Attribute(node, "class")), class)
}

// Remove takes a node away, with what it holds.
func Remove(node *html.Node) { node.Parent.RemoveChild(node) }

// Unwrap puts what an element holds in its place.
func Unwrap(node *html.Node) {
	for _, child := range slices.Collect(node.ChildNodes()) {
		node.RemoveChild(child)
		node.Parent.InsertBefore(child, node)
	}
	Remove(node)
}

// Replace puts in the place of a node what the HTML says.
func Replace(node *html.Node, text []byte) error {
	by, err := Parse(text)
	if err != nil {
		return err
	}
	node.Parent.InsertBefore(by, node)
	Remove(node)
	Unwrap(by)
	return nil
}

// SetText makes an element hold a text and nothing else.
func SetText(node *html.Node, text string) {
	for _, child := range slices.Collect(node.ChildNodes()) {
		node.RemoveChild(child)
	}
	node.AppendChild(&html.Node{Type: html.TextNode, Data: text})
}
