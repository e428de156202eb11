package teacher_test

import (
	"html/template"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
)

func shipped(t *testing.T) *teacher.Guide {
	t.Helper()
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	guide, err := teacher.Shipped(library, map[string]string{"flag": "mended = True"})
	if err != nil {
		t.Fatal(err)
	}
	return guide
}

// parse reads a document as a browser does, and wants nothing in it that runs, no inline
// style, and no picture but those that there are.
func parse(t *testing.T, document string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	for node := range doc.Descendants() {
		if slices.Contains([]string{"script", "style", "iframe", "svg"}, node.Data) && node.Type == html.ElementNode {
			t.Errorf("element %s in %s", node.Data, document)
		}
		for _, attribute := range node.Attr {
			if _, err := os.Stat(attribute.Val); node.Data == "img" && attribute.Key == "src" && err != nil {
				t.Error(err)
			}
			if attribute.Key == "style" || strings.HasPrefix(attribute.Key, "on") {
				t.Errorf("attribute %s on %s", attribute.Key, node.Data)
			}
		}
	}
	return doc
}

func TestEveryLessonHasAPage(t *testing.T) {
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	guide := shipped(t)
	for _, lesson := range library.In(lessons.DefaultLocale) {
		if _, ok := guide.Page(lessons.DefaultLocale, lesson.Slug); !ok {
			t.Errorf("en/teacher/%s.md is missing: write it, as `go doc ./lessons/teacher` says", lesson.Slug)
		}
	}
}

// TestShippedPages: a page is read in two minutes, and what is said in one. What is clicked
// has an order, and there are answers to some questions.
func TestShippedPages(t *testing.T) {
	guide := shipped(t)
	for _, page := range guide.Pages(lessons.DefaultLocale) {
		doc := parse(t, written(t, guide, page.Slug, teacher.Reader{Locale: "en"}))
		if words := len(strings.Fields(textOf(doc))); words > 600 {
			t.Errorf("%s: %d words", page.Slug, words)
		}
		for what, part := range map[string]struct {
			html            template.HTML
			atLeast, atMost int
		}{"the aim": {page.Aim, 10, 45}, "what to say": {page.Say, 60, 130}, "what goes wrong": {page.Trouble, 15, 70}} {
			if words := len(strings.Fields(string(part.html))); words < part.atLeast || words > part.atMost {
				t.Errorf("%s: %s has %d words, want %d to %d", page.Slug, what, words, part.atLeast, part.atMost)
			}
		}
		if !strings.HasPrefix(string(page.Click), "<ol>") || !strings.Contains(string(page.Click), "&amp;scenario=") {
			t.Errorf("%s: what to click is no list with a run in it: %s", page.Slug, page.Click)
		}
		if n := len(page.Questions); n < 3 || n > 6 {
			t.Errorf("%s: %d questions", page.Slug, n)
		}
		if len(page.Votes) != 1 || len(page.Exit) != 1 {
			t.Errorf("%s: %d wrong votes and %d exit questions", page.Slug, len(page.Votes), len(page.Exit))
		}
	}
}

// textOf is what a document says.
func textOf(doc *html.Node) string {
	var text strings.Builder
	for node := range doc.Descendants() {
		if node.Type == html.TextNode {
			text.WriteString(node.Data + " ")
		}
	}
	return text.String()
}

func TestShippedPlans(t *testing.T) {
	guide := shipped(t)
	var names []string
	for _, plan := range guide.Plans(lessons.DefaultLocale) {
		names = append(names, plan.Name)
		document := written(t, guide, plan.Name, teacher.Reader{Locale: "en"})
		parse(t, document)
		if !strings.Contains(document, `<a href="before-class">`) {
			t.Errorf("the %s does not lead to what is to be done before class", plan.Name)
		}
	}
	if want := []string{"plan-45", "plan-90", "plan-2x45", "plan-8x90"}; !slices.Equal(names, want) {
		t.Errorf("plans %v, want %v", names, want)
	}
}

func TestShippedSheets(t *testing.T) {
	guide := shipped(t)
	for _, locale := range lessons.Locales {
		parse(t, index(t, guide, teacher.Reader{Locale: locale}))
		for _, name := range []string{"before-class", "hand-out"} {
			parse(t, written(t, guide, name, teacher.Reader{Locale: locale}))
		}
	}
}

// TestSolutions: each goal is there, and what does it.
func TestSolutions(t *testing.T) {
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, locale := range lessons.Locales {
		document := written(t, shipped(t), "solutions", teacher.Reader{Locale: locale})
		said := textOf(parse(t, document))
		for _, lesson := range library.In(locale) {
			for _, goal := range lesson.Goals() {
				if !strings.Contains(said, goal.Goal) {
					t.Errorf("%s: the goal %s is missing", locale, goal.Key)
				}
			}
			if lesson.Slug == "mend-the-queue" && !strings.Contains(said, "mended = True") {
				t.Errorf("%s: the lock that solves the challenge is missing", locale)
			}
			for _, check := range lesson.Checks {
				for _, act := range check.Solution {
					if !lessons.HasOwn(act.Line) && !strings.Contains(said, act.Line) || !strings.Contains(said, act.Says) {
						t.Errorf("%s: a step of %s is missing: %+v", locale, check.Key(), act)
					}
				}
			}
		}
	}
}
