package teacher

import (
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// readLinks turns links into addresses under any base path, as seen from
// BASE/teacher/LOCALE/NAME, and refuses raw HTML. of is the lesson that a link is about.
func (s source) readLinks(doc ast.Node, of func(*ast.Link) lessons.Lesson) error {
	for _, node := range markdown.Nodes(doc) {
		var err error
		switch node := node.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			err = lessons.ErrRawHTML
		case *ast.Image:
			node.Destination = []byte("../../static/drawings/" + path.Base(string(node.Destination)))
		case *ast.Link:
			var address string
			if address, err = s.resolve(string(node.Destination), of(node)); err == nil {
				node.Destination = []byte(address)
			}
		}
		if err != nil {
			return &lessons.Error{File: s.file, Line: markdown.Line(node, s.text), Err: err}
		}
	}
	return nil
}

// scenarioLink begins a link to a scenario of a lesson.
const scenarioLink = "#scenario-"

// resolve is where a link leads to: a scenario of the lesson, another of the teacher's
// files, or the web.
func (s source) resolve(to string, lesson lessons.Lesson) (string, error) {
	if name, ok := strings.CutPrefix(to, scenarioLink); ok {
		for _, card := range lesson.Scenarios {
			if card.Scenario == name {
				return "../../#lesson=" + lesson.Slug + "&scenario=" + name, nil
			}
		}
		return "", fmt.Errorf("%w: the lesson %q runs no %q", lessons.ErrLink, lesson.Slug, name)
	}
	if strings.HasPrefix(to, "https://") {
		return to, nil
	}
	file := path.Join(path.Dir(s.file), to)
	locale, below, _ := strings.Cut(file, "/")
	folder, name := path.Split(below)
	name, markdown := strings.CutSuffix(name, ".md")
	if _, err := fs.Stat(s.fsys, path.Join(lessons.DefaultLocale, below)); err != nil || !markdown || !strings.HasPrefix(s.file, locale+"/") {
		return "", fmt.Errorf("%w: %s", lessons.ErrLink, to)
	}
	switch folder {
	case "plans/":
		return planPrefix + name, nil
	case "teacher/", "sheets/":
		return name, nil
	}
	return "", fmt.Errorf("%w: %s", lessons.ErrLink, to)
}
