package teacher_test

import (
	"io"
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
	guide, err := teacher.Shipped(library)
	if err != nil {
		t.Fatal(err)
	}
	return guide
}

// parse reads a document as a browser does, and wants nothing in it that runs, and no
// inline style.
func parse(t *testing.T, document string) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	for node := range doc.Descendants() {
		if slices.Contains([]string{"script", "style", "iframe", "img", "svg"}, node.Data) && node.Type == html.ElementNode {
			t.Errorf("element %s in %s", node.Data, document)
		}
		for _, attribute := range node.Attr {
			if attribute.Key == "style" || strings.HasPrefix(attribute.Key, "on") {
				t.Errorf("attribute %s on %s", attribute.Key, node.Data)
			}
		}
	}
	return doc
}

// TestShippedPages: what is said fits into a minute, what is clicked has an order, and
// there are answers to some questions.
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

func TestShippedPages(t *testing.T) {
	guide := shipped(t)
	for _, page := range guide.Pages(lessons.DefaultLocale) {
		parse(t, written(t, func(w io.Writer) error { return guide.WritePage(w, page, teacher.Reader{Locale: "en"}) }))
		if words := len(strings.Fields(string(page.Say))); words < 60 || words > 130 {
			t.Errorf("%s: %d words to say", page.Slug, words)
		}
		if !strings.HasPrefix(string(page.Click), "<ol>") || !strings.Contains(string(page.Click), "&amp;scenario=") {
			t.Errorf("%s: what to click is no list with a run in it: %s", page.Slug, page.Click)
		}
		if n := len(page.Questions); n < 3 || n > 5 {
			t.Errorf("%s: %d questions", page.Slug, n)
		}
	}
	for _, locale := range lessons.Locales {
		parse(t, written(t, func(w io.Writer) error { return guide.WriteIndex(w, teacher.Reader{Locale: locale}, "../") }))
	}
}

// TestShippedPlans: there is one for 45 minutes and one for 90, each as long as that.
func TestShippedPlans(t *testing.T) {
	guide := shipped(t)
	var lengths []int
	for _, plan := range guide.Plans(lessons.DefaultLocale) {
		lengths = append(lengths, plan.Minutes)
		if last := plan.Steps[len(plan.Steps)-1]; last.To() != plan.Minutes {
			t.Errorf("the plan for %d minutes ends after %d", plan.Minutes, last.To())
		}
		parse(t, written(t, func(w io.Writer) error { return guide.WritePlan(w, plan, teacher.Reader{Locale: "en"}) }))
	}
	if !slices.Equal(lengths, []int{45, 90}) {
		t.Errorf("plans for %v minutes", lengths)
	}
}
