package lessons

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/zkplayground/zkplayground/lessons/internal/markdown"
)

// A reading goes through the syntax tree of one lesson once, between parsing
// and rendering: it collects what the lesson says, puts our own nodes in the
// place of their fences, and finds the first error. It is not one of
// goldmark's AST transformers because those cannot fail.
type reading struct {
	lesson Lesson
	source []byte
	// heading is the level of the heading above.
	heading int
	// solution are the acts of the tasks since the last check.
	solution []Act
	// folded is how many words are folded.
	folded int
	// asking are the questions, run cards and checks in the order of the text.
	asking []ast.Node
}

func (r *reading) read(doc ast.Node) error {
	if err := r.readTitle(doc); err != nil {
		return err
	}
	// Nodes are replaced below, so list them first.
	for _, node := range markdown.Nodes(doc) {
		if err := r.readNode(node); err != nil {
			return r.at(node, err)
		}
	}
	if len(r.lesson.Scenarios) == 0 {
		return &Error{File: r.lesson.file, Err: ErrNothingToRun}
	}
	r.lesson.Opening = r.opening(doc)
	said := markdown.PlainText(doc, r.source)
	r.lesson.Words = len(strings.Fields(said)) - r.folded
	if err := r.checkStatements(said); err != nil {
		return err
	}
	if err := cmp.Or(r.checkChecks(), r.checkChallenges()); err != nil {
		return err
	}
	return r.findAskedRuns()
}

// opening is the first paragraph.
func (r *reading) opening(doc ast.Node) string {
	for node := doc.FirstChild(); node != nil; node = node.NextSibling() {
		if node.Kind() == ast.KindParagraph {
			return markdown.PlainText(node, r.source)
		}
	}
	return ""
}

// checkStatements sees that the lesson says what its run cards want checked.
func (r *reading) checkStatements(said string) error {
	for _, card := range r.lesson.Scenarios {
		for _, statement := range card.States {
			if !strings.Contains(said, statement.Says) {
				err := fmt.Errorf("%w: the lesson does not say %q, as a run card has it", ErrRunCard, statement.Says)
				return &Error{File: r.lesson.file, Line: card.line, Err: err}
			}
		}
	}
	return nil
}

func (r *reading) readTitle(doc ast.Node) error {
	heading, ok := doc.FirstChild().(*ast.Heading)
	if !ok || heading.Level != 1 || !bytes.HasPrefix(r.source, []byte("# ")) {
		return &Error{File: r.lesson.file, Line: 1, Err: ErrTitle}
	}
	r.lesson.Title = markdown.PlainText(heading, r.source)
	if r.lesson.Title == "" {
		return &Error{File: r.lesson.file, Line: 1, Err: ErrTitle}
	}
	return nil
}

func (r *reading) readNode(node ast.Node) error {
	switch node := node.(type) {
	case *ast.Blockquote:
		return r.readFold(node)
	case *ast.Heading:
		return r.readHeading(node)
	case *ast.FencedCodeBlock:
		return r.readFence(node)
	case *ast.Link:
		r.readLink(node)
		return r.readStageLink(node)
	case *ast.HTMLBlock, *ast.RawHTML:
		return ErrRawHTML
	}
	return nil
}

// readHeading sets the headings apart from the ids of the page around them.
func (r *reading) readHeading(heading *ast.Heading) error {
	if heading.Parent() == nil {
		return nil // it was that of a fold
	}
	if heading.Level == 1 && heading.PreviousSibling() != nil {
		return ErrTitle
	}
	r.heading = heading.Level
	if id, ok := heading.AttributeString("id"); ok {
		heading.SetAttributeString("id", append([]byte("lesson-"), id.([]byte)...))
	}
	return nil
}

// readFold folds a quotation below its heading.
func (r *reading) readFold(quotation *ast.Blockquote) error {
	heading, ok := quotation.FirstChild().(*ast.Heading)
	if !ok || heading.NextSibling() == nil {
		return fmt.Errorf("%w: a quotation begins with a heading that says what is folded below it", ErrFold)
	}
	id, _ := heading.AttributeString("id")
	fold := &foldNode{ID: fmt.Sprintf("lesson-%s", id), Summary: markdown.PlainText(heading, r.source)}
	for node := heading.NextSibling(); node != nil; node = heading.NextSibling() {
		fold.AppendChild(fold, node)
	}
	quotation.RemoveChild(quotation, heading)
	replace(quotation, fold)
	r.folded += len(strings.Fields(markdown.PlainText(fold, r.source))) - len(strings.Fields(fold.Summary))
	r.lesson.folds++
	return nil
}

// isFolded says whether a node stands in a fold.
func isFolded(node ast.Node) bool {
	for ; node != nil; node = node.Parent() {
		if node.Kind() == kindFold {
			return true
		}
	}
	return false
}

func (r *reading) readFence(fence *ast.FencedCodeBlock) error {
	info := ""
	if fence.Info != nil {
		info = string(fence.Info.Segment.Value(r.source))
	}
	if err := checkFence(info); err != nil {
		return err
	}
	if isFolded(fence) && slices.Contains(blockFences, info) {
		return fmt.Errorf("%w: a newcomer may skip what is folded, so %s does not stand in it", ErrFold, info)
	}
	switch info {
	case scenarioFence:
		return r.readRunCard(fence)
	case predictFence:
		return r.readQuestion(fence)
	case doFence:
		return r.readTask(fence)
	case goalFence:
		return r.readCheck(fence)
	case mendFence:
		return r.readChallenge(fence)
	}
	return nil
}

func (r *reading) readTask(fence *ast.FencedCodeBlock) error {
	task, err := parseTask(fence.Lines().Value(r.source))
	if err != nil {
		return err
	}
	task.position = r.positionOf(fence)
	r.lesson.Tasks = append(r.lesson.Tasks, task)
	r.solution = append(r.solution, task.How...)
	replace(fence, &taskNode{task: task})
	return nil
}

// readCheck makes the tasks since the last check this one's solution.
func (r *reading) readCheck(fence *ast.FencedCodeBlock) error {
	check, err := parseCheck(fence.Lines().Value(r.source))
	if err != nil {
		return err
	}
	if len(r.solution) == 0 {
		return fmt.Errorf("%w: no do stands before it: its acts are the solution", ErrCheck)
	}
	check.Solution, r.solution = r.solution, nil
	check.Lesson, check.position = r.lesson.Slug, r.positionOf(fence)
	r.lesson.Checks = append(r.lesson.Checks, check)
	r.ask(fence, &checkNode{check: check})
	return nil
}

func scenariosOf(cards []RunCard) (names []string) {
	for _, card := range cards {
		names = append(names, card.Scenario)
	}
	return names
}

// checkChecks looks at the checks together, and at what the lesson runs.
func (r *reading) checkChecks() error {
	for i, check := range r.lesson.Checks {
		var err error
		runs := func(card RunCard) bool { return card.Scenario == check.Scenario }
		named := func(other Check) bool { return other.Name == check.Name }
		switch {
		case !slices.ContainsFunc(r.lesson.Scenarios, runs):
			err = fmt.Errorf("%w %q in a check, the lesson runs %q: add a scenario block that runs it", ErrUnknownScenario, check.Scenario, scenariosOf(r.lesson.Scenarios))
		case slices.ContainsFunc(r.lesson.Checks[:i], named):
			err = fmt.Errorf("%w: another check is named %q, too", ErrCheck, check.Name)
		}
		if err != nil {
			return &Error{File: r.lesson.file, Line: check.line, Err: err}
		}
	}
	if len(r.solution) > 0 {
		return &Error{File: r.lesson.file, Err: fmt.Errorf("%w: no check stands after the last do", ErrTask)}
	}
	return nil
}

func (r *reading) readChallenge(fence *ast.FencedCodeBlock) error {
	challenge, err := parseChallenge(fence.Lines().Value(r.source))
	if err != nil {
		return err
	}
	challenge.Lesson, challenge.position = r.lesson.Slug, r.positionOf(fence)
	r.lesson.Challenges = append(r.lesson.Challenges, challenge)
	replace(fence, &challengeNode{challenge: challenge})
	return nil
}

func (r *reading) readRunCard(fence *ast.FencedCodeBlock) error {
	card, err := parseRunCard(fence.Lines().Value(r.source))
	if err != nil {
		return err
	}
	card.Lesson, card.position = r.lesson.Slug, r.positionOf(fence)
	r.lesson.Scenarios = append(r.lesson.Scenarios, card)
	r.ask(fence, &runCardNode{card: card})
	return nil
}

func (r *reading) readQuestion(fence *ast.FencedCodeBlock) error {
	question, err := parseQuestion(fence.Lines().Value(r.source))
	if err != nil {
		return err
	}
	question.line = markdown.Line(fence, r.source)
	question.Group = fmt.Sprintf("%s-%d", r.lesson.Slug, len(r.lesson.Questions)+1)
	r.lesson.Questions = append(r.lesson.Questions, question)
	r.ask(fence, &questionNode{question: question})
	return nil
}

// ask replaces a fence by what has to do with a question.
func (r *reading) ask(fence, by ast.Node) {
	replace(fence, by)
	r.asking = append(r.asking, by)
}

// A position is where in its lesson a card stands.
type position struct {
	line int
	// top says that no heading but the title is above it.
	top bool
}

// AriaLevel is that of the card's heading, where it is not that of the element: the
// headings of a document skip no level.
func (p position) AriaLevel() int {
	if p.top {
		return 2
	}
	return 0
}

// positionOf is where a card stands.
func (r *reading) positionOf(fence ast.Node) position {
	return position{line: markdown.Line(fence, r.source), top: r.heading == 1}
}

// at says where a node's error is.
func (r *reading) at(node ast.Node, err error) error {
	line := markdown.Line(node, r.source)
	if bad, ok := errors.AsType[*badFence](err); ok {
		line += bad.line
	}
	return &Error{File: r.lesson.file, Line: line, Err: err}
}

func replace(old, by ast.Node) {
	old.Parent().ReplaceChild(old.Parent(), old, by)
}
