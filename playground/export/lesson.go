package export

import (
	"bytes"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// lesson returns the lesson that explains a scenario, as the inside of its article;
// nothing for a scenario of the visitor's own, or one without a lesson.
func (t *Template) lesson(name string) (string, error) {
	found, _ := t.config.Scenarios.Find(name) // one that is not known has no lesson
	lesson, ok := t.config.Lessons.Get(t.language, found.Lesson)
	if !ok {
		return "", nil
	}
	content, err := offline(lesson.HTML)
	if lesson.Locale != t.language {
		content = `<div lang="` + lesson.Locale + `">` + content + `</div>`
	}
	return content, err
}

// offline takes out of a lesson what needs the playground: the cards that start a run,
// and the links to other lessons, of which the words stay.
func offline(lesson []byte) (string, error) {
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(bytes.NewReader(lesson), body)
	if err != nil {
		return "", fmt.Errorf("read the lesson: %w", err)
	}
	for _, node := range nodes {
		body.AppendChild(node)
	}
	for _, node := range slices.Collect(body.Descendants()) {
		switch {
		case hasClass(node, "run-card"):
			node.Parent.RemoveChild(node)
		case node.Data == "a" && isRelative(attribute(node, "href")):
			for child := range slices.Values(slices.Collect(node.ChildNodes())) {
				node.RemoveChild(child)
				node.Parent.InsertBefore(child, node)
			}
			node.Parent.RemoveChild(node)
		}
	}
	var text strings.Builder
	for child := range body.ChildNodes() {
		if err := html.Render(&text, child); err != nil {
			return "", fmt.Errorf("write the lesson: %w", err)
		}
	}
	return text.String(), nil
}

func attribute(node *html.Node, name string) string {
	for _, a := range node.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasClass(node *html.Node, class string) bool {
	return slices.Contains(strings.Fields(attribute(node, "class")), class)
}

// isRelative says that a link leads to another page of the playground.
func isRelative(href string) bool {
	address, err := url.Parse(href)
	return err != nil || !address.IsAbs()
}
