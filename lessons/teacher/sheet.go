package teacher

import (
	"html/template"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A Sheet is a page that belongs to no lesson.
type Sheet struct {
	// Name is what the sheet is called in addresses.
	Locale, Name string
	Title        string
	// Content is HTML.
	Content template.HTML
}

// solutionsName is what the solutions of all goals are called in addresses. They are those
// of the lessons.
const solutionsName = "solutions"

// readSheet reads a sheet.
func (s source) readSheet() (Sheet, error) {
	doc := reader.Parser().Parse(text.NewReader(s.text))
	if err := s.checkTitle(doc, "", ErrSheet); err != nil {
		return Sheet{}, err
	}
	if err := s.readLinks(doc, func(*ast.Link) lessons.Lesson { return lessons.Lesson{} }); err != nil {
		return Sheet{}, err
	}
	title := doc.FirstChild()
	content, err := s.render(childrenOf(doc)[1:])
	return Sheet{Title: markdown.PlainText(title, s.text), Content: content}, err
}
