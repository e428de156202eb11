package teacher

import (
	"fmt"
	"html/template"
	"strconv"
	"strings"

	"github.com/yuin/goldmark/ast"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A Plan is what is done in a class of so many minutes.
type Plan struct {
	Locale  string
	Minutes int
	Title   string
	// Before and After are what stands above and below the table, as HTML.
	Before, After template.HTML
	Steps         []Step
}

// A Step is a row of a plan.
type Step struct {
	// From is when it begins, in minutes since the class has, and Minutes how long it
	// takes.
	From, Minutes int
	// Lesson and What are HTML: which lesson, if it is about one, and what is done.
	Lesson, What template.HTML
}

// planFolder is where the presenter pages are, seen from a plan.
const planFolder = "../teacher/"

// readPlan reads the plan for so many minutes; get has the lessons.
func (s source) readPlan(minutes int, get func(slug string) (lessons.Lesson, bool)) (Plan, error) {
	doc := reader.Parser().Parse(text.NewReader(s.text))
	plan := Plan{Minutes: minutes}
	if err := s.checkTitle(doc, "", ErrPlan); err != nil {
		return plan, err
	}
	knows := func(slug string) bool {
		_, ok := get(slug)
		return ok
	}
	plan.Title = markdown.PlainText(doc.FirstChild(), s.text)
	if err := s.readLinks(doc, func(link *ast.Link) (string, error) {
		lesson, _ := get(slugOf(rowOf(link)))
		return resolve(link, lesson, planFolder, knows)
	}); err != nil {
		return plan, err
	}
	var before, after []ast.Node
	for node := doc.FirstChild().NextSibling(); node != nil; node = node.NextSibling() {
		table, ok := node.(*extast.Table)
		switch {
		case ok && plan.Steps != nil:
			return plan, s.wrong(node, ErrPlan, "there is a second table")
		case ok:
			if err := s.readSteps(table, &plan); err != nil {
				return plan, err
			}
		case plan.Steps == nil:
			before = append(before, node)
		default:
			after = append(after, node)
		}
	}
	if plan.Steps == nil {
		return plan, s.wrong(nil, ErrPlan, "there is no table of steps")
	}
	var err error
	if plan.Before, err = s.render(before); err != nil {
		return plan, err
	}
	plan.After, err = s.render(after)
	return plan, err
}

// readSteps reads the rows of a plan's table.
func (s source) readSteps(table *extast.Table, plan *Plan) error {
	sum := 0
	for row := table.FirstChild().NextSibling(); row != nil; row = row.NextSibling() {
		cells := childrenOf(row)
		if len(cells) != 3 {
			return s.wrong(row, ErrPlan, "a row has %d cells, must have minutes, lesson and what", len(cells))
		}
		minutes, err := strconv.Atoi(strings.TrimSpace(markdown.PlainText(cells[0], s.text)))
		if err != nil || minutes < 1 {
			return s.wrong(row, ErrPlan, "a row must begin with its minutes")
		}
		step := Step{From: sum, Minutes: minutes}
		if step.Lesson, err = s.render(childrenOf(cells[1])); err != nil {
			return err
		}
		if step.What, err = s.render(childrenOf(cells[2])); err != nil {
			return err
		}
		plan.Steps = append(plan.Steps, step)
		sum += minutes
	}
	if sum != plan.Minutes {
		return s.wrong(table, ErrPlan, "the minutes of the rows come to %d, want %d", sum, plan.Minutes)
	}
	return nil
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
			return strings.TrimSuffix(strings.TrimPrefix(to, planFolder), ".md")
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

// Name is what the plan is called in addresses.
func (p Plan) Name() string { return fmt.Sprintf("plan-%d", p.Minutes) }
