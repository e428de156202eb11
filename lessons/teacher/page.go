package teacher

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A Page is what a teacher has at hand for a lesson.
type Page struct {
	Locale, Slug string
	// Title is the lesson's.
	Title   string
	Minutes int
	// Say and Click are HTML.
	Say, Click template.HTML
	Questions  []Question
}

// A Question is one that students ask.
type Question struct {
	Question string
	Answer   template.HTML
}

// sections are those of a page, in their order.
var sections = []string{"Say", "Click", "They will ask"}

// timeLine is the line that says how long it takes.
var timeLine = regexp.MustCompile(`^Time: ([1-9]\d?) minutes$`)

// reader parses the files and renders them in goldmark's safe mode. It is safe for
// concurrent use.
var reader = goldmark.New(goldmark.WithExtensions(markdown.Flavour()))

// readPage reads the presenter page of a lesson; knows says which lessons there are.
func (s source) readPage(lesson lessons.Lesson, knows func(slug string) bool) (Page, error) {
	doc := reader.Parser().Parse(text.NewReader(s.text))
	page := Page{Title: lesson.Title}
	if err := s.checkTitle(doc, lesson.Title, ErrPage); err != nil {
		return page, err
	}
	resolve := func(node *ast.Link) (string, error) { return resolve(node, lesson, "", knows) }
	if err := s.readLinks(doc, resolve); err != nil {
		return page, err
	}
	time := doc.FirstChild().NextSibling()
	found := []string(nil)
	if time != nil {
		found = timeLine.FindStringSubmatch(markdown.PlainText(time, s.text))
	}
	if found == nil {
		return page, s.wrong(time, ErrPage, `below the title must stand "Time: N minutes"`)
	}
	page.Minutes, _ = strconv.Atoi(found[1]) // it is a number
	blocks, err := s.split(time.NextSibling())
	if err != nil {
		return page, err
	}
	if page.Say, err = s.render(blocks[0]); err != nil {
		return page, err
	}
	if page.Click, err = s.render(blocks[1]); err != nil {
		return page, err
	}
	page.Questions, err = s.questions(blocks[2])
	return page, err
}

// checkTitle wants the first line, and no other, to be the title; any if want is empty.
func (s source) checkTitle(doc ast.Node, want string, kind error) error {
	heading, ok := doc.FirstChild().(*ast.Heading)
	if !ok || heading.Level != 1 || !bytes.HasPrefix(s.text, []byte("# ")) {
		return &lessons.Error{File: s.file, Line: 1, Err: fmt.Errorf(`%w: the first line must be "# Title"`, kind)}
	}
	if title := markdown.PlainText(heading, s.text); want != "" && title != want {
		return &lessons.Error{File: s.file, Line: 1, Err: fmt.Errorf("%w: the title is %q, the lesson's is %q", kind, title, want)}
	}
	return nil
}

// split returns what stands in each of the sections, which begin at a node.
func (s source) split(node ast.Node) ([][]ast.Node, error) {
	var found []string
	blocks := make([][]ast.Node, len(sections))
	for ; node != nil; node = node.NextSibling() {
		heading, ok := node.(*ast.Heading)
		switch {
		case ok && heading.Level <= 2:
			name := markdown.PlainText(heading, s.text)
			if heading.Level == 1 || len(found) == len(sections) || sections[len(found)] != name {
				return nil, s.wrong(node, ErrPage, "the section %q is unknown, or in the wrong place: the sections are %q", name, sections)
			}
			found = append(found, name)
		case len(found) == 0:
			return nil, s.wrong(node, ErrPage, "text before the section %q", sections[0])
		default:
			blocks[len(found)-1] = append(blocks[len(found)-1], node)
		}
	}
	for i, name := range sections {
		if len(blocks[i]) == 0 {
			return nil, s.wrong(nil, ErrPage, "the section %q is missing or empty", name)
		}
	}
	return blocks, nil
}

// questions reads the section of questions: each a heading and its answer.
func (s source) questions(blocks []ast.Node) ([]Question, error) {
	var questions []Question
	for i := 0; i < len(blocks); {
		heading, ok := blocks[i].(*ast.Heading)
		if !ok || heading.Level != 3 {
			return nil, s.wrong(blocks[i], ErrPage, "an answer without its question: a ### heading")
		}
		end := i + 1
		for ; end < len(blocks) && blocks[end].Kind() != ast.KindHeading; end++ {
		}
		if end == i+1 {
			return nil, s.wrong(heading, ErrPage, "a question without its answer")
		}
		answer, err := s.render(blocks[i+1 : end])
		if err != nil {
			return nil, err
		}
		questions = append(questions, Question{markdown.PlainText(heading, s.text), answer})
		i = end
	}
	return questions, nil
}

// render renders blocks one after the other.
func (s source) render(blocks []ast.Node) (template.HTML, error) {
	var html bytes.Buffer
	for _, block := range blocks {
		if err := reader.Renderer().Render(&html, s.text, block); err != nil {
			return "", &lessons.Error{File: s.file, Err: fmt.Errorf("render: %w", err)}
		}
	}
	return template.HTML(html.String()), nil // by goldmark, in safe mode
}

// wrong says what is wrong at a node, or with the file as a whole.
func (s source) wrong(node ast.Node, kind error, format string, arguments ...any) error {
	line := 0
	if node != nil {
		line = markdown.Line(node, s.text)
	}
	return &lessons.Error{File: s.file, Line: line, Err: fmt.Errorf("%w: %s", kind, fmt.Sprintf(format, arguments...))}
}

// readLinks turns links into addresses under any base path, as seen from
// BASE/teacher/LOCALE/NAME, and refuses raw HTML.
func (s source) readLinks(doc ast.Node, resolve func(*ast.Link) (string, error)) error {
	for _, node := range markdown.Nodes(doc) {
		var err error
		switch node := node.(type) {
		case *ast.HTMLBlock, *ast.RawHTML:
			err = lessons.ErrRawHTML
		case *ast.Link:
			var address string
			if address, err = resolve(node); err == nil {
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

// resolve is where a link leads to: a scenario of the lesson, a page whose file is in the
// folder, or the web.
func resolve(link *ast.Link, lesson lessons.Lesson, folder string, knows func(slug string) bool) (string, error) {
	to := string(link.Destination)
	if name, ok := strings.CutPrefix(to, scenarioLink); ok {
		for _, card := range lesson.Scenarios {
			if card.Scenario == name {
				return "../../#lesson=" + lesson.Slug + "&scenario=" + name, nil
			}
		}
		return "", fmt.Errorf("%w: the lesson %q runs no %q", lessons.ErrLink, lesson.Slug, name)
	}
	if slug, ok := strings.CutSuffix(strings.TrimPrefix(to, folder), ".md"); ok && knows(slug) && strings.HasPrefix(to, folder) {
		return slug, nil
	}
	if strings.HasPrefix(to, "https://") {
		return to, nil
	}
	return "", fmt.Errorf("%w: %s", lessons.ErrLink, to)
}
