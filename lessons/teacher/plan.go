package teacher

import (
	"html/template"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A Plan is what is done in one or more sessions of so many minutes.
type Plan struct {
	Locale string
	// Name is what the plan is called in addresses.
	Name  string
	Title string
	// Minutes is how long each session takes.
	Minutes  int
	Sessions []Session
	// After is what stands below the last table, as HTML.
	After template.HTML
}

// Sum is how long all sessions take.
func (p Plan) Sum() int { return len(p.Sessions) * p.Minutes }

// A Session is a table of a plan.
type Session struct {
	// Before is what stands above the table, as HTML.
	Before template.HTML
	Steps  []Step
}

// A Step is a row of a plan.
type Step struct {
	// From is when it begins, in minutes since the session has, and Minutes how long it
	// takes.
	From, Minutes int
	// Lesson and What are HTML: which lesson, if it is about one, and what is done.
	Lesson, What template.HTML
}

const (
	// pageFolder is where the presenter pages are, seen from a plan.
	pageFolder = "../teacher/"
	// planPrefix begins the names of plans in addresses.
	planPrefix = "plan-"
)

// readPlan reads the plan for some sessions of so many minutes; get has the lessons.
func (s source) readPlan(sessions, minutes int, get func(slug string) (lessons.Lesson, bool)) (Plan, error) {
	doc := reader.Parser().Parse(text.NewReader(s.text))
	plan := Plan{Minutes: minutes}
	if err := s.checkTitle(doc, "", ErrPlan); err != nil {
		return plan, err
	}
	plan.Title = markdown.PlainText(doc.FirstChild(), s.text)
	if err := s.readLinks(doc, func(link *ast.Link) lessons.Lesson {
		lesson, _ := get(slugOf(rowOf(link)))
		return lesson
	}); err != nil {
		return plan, err
	}
	var before []ast.Node
	for _, node := range childrenOf(doc)[1:] {
		table, ok := node.(*extast.Table)
		if !ok {
			before = append(before, node)
			continue
		}
		session, err := s.readSession(table, minutes)
		if err != nil {
			return plan, err
		}
		if session.Before, err = s.render(before); err != nil {
			return plan, err
		}
		plan.Sessions, before = append(plan.Sessions, session), nil
	}
	if len(plan.Sessions) != sessions {
		return plan, s.wrong(nil, ErrPlan, "there are %d tables of steps, want %d", len(plan.Sessions), sessions)
	}
	var err error
	plan.After, err = s.render(before)
	return plan, err
}

// readSession reads the rows of a table, which take so many minutes.
func (s source) readSession(table *extast.Table, minutes int) (session Session, err error) {
	sum := 0
	for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		cells := childrenOf(row)
		if len(cells) != 3 {
			return session, s.wrong(row, ErrPlan, "a row has %d cells, must have minutes, lesson and what", len(cells))
		}
		takes, err := strconv.Atoi(strings.TrimSpace(markdown.PlainText(cells[0], s.text)))
		if err != nil || takes < 1 {
			return session, s.wrong(row, ErrPlan, "a row must begin with its minutes")
		}
		step := Step{From: sum, Minutes: takes}
		if step.Lesson, err = s.render(childrenOf(cells[1])); err != nil {
			return session, err
		}
		if step.What, err = s.render(childrenOf(cells[2])); err != nil {
			return session, err
		}
		session.Steps = append(session.Steps, step)
		sum += takes
	}
	if sum != minutes {
		return session, s.wrong(table, ErrPlan, "the minutes of the rows come to %d, want %d", sum, minutes)
	}
	return session, nil
}

// rowOf is the row of a table in which a node stands; nil if in none.
func rowOf(node ast.Node) ast.Node {
	for ; node != nil; node = node.Parent() {
		if _, ok := node.(*extast.TableRow); ok {
			return node
		}
	}
	return nil
}

// slugOf is the slug of a row's lesson, by the first link in it; empty for none.
func slugOf(row ast.Node) string {
	if row == nil {
		return ""
	}
	for _, node := range markdown.Nodes(row) {
		if link, ok := node.(*ast.Link); ok {
			to := string(link.Destination) // as written, or resolved already
			return strings.TrimSuffix(strings.TrimPrefix(to, pageFolder), ".md")
		}
	}
	return ""
}

func childrenOf(node ast.Node) []ast.Node {
	var children []ast.Node
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		children = append(children, child)
	}
	return children
}

// To is when the step ends.
func (s Step) To() int { return s.From + s.Minutes }
