package teacher

import (
	"bytes"
	"fmt"
	"html/template"
	"regexp"
	"strconv"

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
	// Aim is what a student can say afterwards, Trouble what goes wrong and how to go on.
	// They are HTML, as Say and Click are.
	Aim, Say, Click, Trouble template.HTML
	// Votes are the wrong ones that many give.
	Votes []Vote
	// Questions are what students ask, and Exit is what they are asked at the end.
	Questions, Exit []Question
}

// A Vote is a wrong choice of one of the lesson's questions.
type Vote struct {
	Question, Choice string
	// Answer is HTML: what to say then.
	Answer template.HTML
}

// A Question is one that is asked in class.
type Question struct {
	Question string
	Answer   template.HTML
}

// sections are those of a page, in their order.
var sections = []string{"Aim", "Say", "Click", "If it goes wrong", "The popular wrong vote", "They will ask", "Exit question"}

// timeLine is the line that says how long it takes.
var timeLine = regexp.MustCompile(`^Time: ([1-9]\d?) minutes$`)

// reader parses the files and renders them in goldmark's safe mode. It is safe for
// concurrent use.
var reader = goldmark.New(goldmark.WithExtensions(markdown.Flavour()))

// readPage reads the presenter page of a lesson.
func (s source) readPage(lesson lessons.Lesson) (Page, error) {
	doc := reader.Parser().Parse(text.NewReader(s.text))
	page := Page{Title: lesson.Title}
	if err := s.checkTitle(doc, lesson.Title, ErrPage); err != nil {
		return page, err
	}
	if err := s.readLinks(doc, func(*ast.Link) lessons.Lesson { return lesson }); err != nil {
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
	for i, html := range []*template.HTML{&page.Aim, &page.Say, &page.Click, &page.Trouble} {
		if *html, err = s.render(blocks[i]); err != nil {
			return page, err
		}
	}
	if page.Votes, err = s.votes(blocks[4], lesson); err != nil {
		return page, err
	}
	if page.Questions, err = s.questions(blocks[5]); err != nil {
		return page, err
	}
	page.Exit, err = s.questions(blocks[6])
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

// voteName is the heading of a vote, which counts the lesson's questions and their choices.
var voteName = regexp.MustCompile(`^Question ([1-9]), choice ([1-9])$`)

// votes reads the section of wrong votes: each a heading and what to say.
func (s source) votes(blocks []ast.Node, lesson lessons.Lesson) ([]Vote, error) {
	named, err := s.questions(blocks)
	var votes []Vote
	for _, each := range named {
		found := voteName.FindStringSubmatch(each.Question)
		if found == nil {
			return nil, s.wrong(blocks[0], ErrPage, `%q is no vote, must be "Question N, choice N"`, each.Question)
		}
		question, _ := strconv.Atoi(found[1]) // these are numbers
		choice, _ := strconv.Atoi(found[2])
		if question > len(lesson.Questions) || choice > len(lesson.Questions[question-1].Choices) {
			return nil, s.wrong(blocks[0], ErrPage, "the lesson has no %s", each.Question)
		}
		asked := lesson.Questions[question-1]
		if asked.Choices[choice-1].Right {
			return nil, s.wrong(blocks[0], ErrPage, "%s is the right one", each.Question)
		}
		votes = append(votes, Vote{asked.Text, asked.Choices[choice-1].Text, each.Answer})
	}
	return votes, err
}

// questions reads a section of questions: each a heading and its answer.
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
