package lessons

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A link leads to the file of another lesson of the same locale.
type link struct {
	file string
	line int
}

// readLink turns a link to a lesson's file, which works where the sources are
// read, into one to the lesson's document, which works under any base path.
// The slug is left in data-lesson for a page that shows lessons in place.
func (r *reading) readLink(node *ast.Link) {
	file := string(node.Destination)
	if !strings.HasSuffix(file, ".md") || strings.Contains(file, "/") {
		return
	}
	r.lesson.links = append(r.lesson.links, link{file: file, line: markdown.Line(node, r.source)})
	target, err := lessonFromName(r.lesson.Locale + "/" + file)
	if err != nil {
		return // the library finds that no lesson has this file
	}
	node.Destination = []byte(documentPath(target))
	node.SetAttributeString("data-lesson", []byte(target.Slug))
}

// documentPath is the address of a lesson's document, seen from another one.
func documentPath(lesson Lesson) string {
	return "../../lessons/" + lesson.Locale + "/" + lesson.Slug
}
