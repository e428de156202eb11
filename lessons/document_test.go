package lessons_test

import (
	"bytes"
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
)

func document(t *testing.T, library *lessons.Library, slug string) *html.Node {
	t.Helper()
	lesson, ok := library.Get("en", slug)
	if !ok {
		t.Fatalf("no lesson %q", slug)
	}
	var page bytes.Buffer
	if err := library.WriteDocument(&page, lesson, "en"); err != nil {
		t.Fatal(err)
	}
	doc, err := html.Parse(&page)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// links lists the addresses in a document, as a browser would resolve them.
func links(t *testing.T, doc *html.Node, base string) []string {
	t.Helper()
	from, err := url.Parse(base)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for node := range doc.Descendants() {
		for _, attribute := range node.Attr {
			if attribute.Key != "href" {
				continue
			}
			address, err := from.Parse(attribute.Val)
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, address.String())
		}
	}
	return found
}

func TestDocumentLinksUnderAnyBase(t *testing.T) {
	library := load(t, "en/01-a.md", "# A\n"+card, "en/02-b.md", "# B\n\n"+card+"\n[a](01-a.md)\n",
		"en/03-c.md", "# C\n"+card, "de/02-b.md", "# D\n"+card)
	for _, base := range []string{"http://host/", "http://host/class/7/"} {
		want := []string{
			base + "static/css/icon.svg", base + "static/css/theme.css", base + "static/css/lesson.css",
			base + "static/css/exercise.css", base + "static/css/lesson-document.css", base + "lessons/code.css",
			base + "#lesson=b", base + "lessons/en",
			base + "#lesson=b&scenario=herd", base + "lessons/en/a",
			base + "lessons/en/a", base + "lessons/en/c",
		}
		got := links(t, document(t, library, "b"), base+"lessons/en/b")
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("under %s:\n%s", base, diff)
		}
	}
}

func TestDocumentOfTheOnlyLessonHasNoNeighbours(t *testing.T) {
	library := load(t, "en/01-a.md", "# A\n"+card)
	for node := range document(t, library, "a").Descendants() {
		for _, attribute := range node.Attr {
			if attribute.Key == "rel" && (attribute.Val == "prev" || attribute.Val == "next") {
				t.Errorf("link to a neighbour: %v", node.Attr)
			}
		}
	}
}

func TestWriteDocumentReturnsTheWritersError(t *testing.T) {
	library := load(t, "en/01-a.md", "# A\n"+card)
	lesson, _ := library.Get("en", "a")
	full := errors.New("disk full")
	if err := library.WriteDocument(failing{full}, lesson, "en"); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

// text is what a reader sees of a document, and the languages of its parts.
func text(t *testing.T, library *lessons.Library, locale, slug string) string {
	t.Helper()
	lesson, _ := library.Get(locale, slug)
	var page bytes.Buffer
	if err := library.WriteDocument(&page, lesson, locale); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// TestDocumentInTheLanguageAskedFor: its fixed words are in it, and a lesson that is not
// says so, in its own language all the same.
func TestDocumentInTheLanguageAskedFor(t *testing.T) {
	library := load(t, "en/01-a.md", "# A\n"+card, "en/02-b.md", "# B\n"+card, "zh/01-a.md", "# 甲\n"+card)
	for _, test := range []struct {
		locale, slug string
		want         []string
	}{
		{"en", "a", []string{`<html lang="en">`, "Run this", ">Next<", `href="../../lessons/en/b"`, "Map of the course"}},
		{"zh", "a", []string{`<html lang="zh">`, ">运行<", "草稿", ">下一课<", `href="../../lessons/zh/b"`, `<span class="lesson-title" lang="en">B</span>`}},
		{"zh", "b", []string{`<html lang="en">`, "Run this", `<p class="lesson-fallback" lang="zh">尚未翻译，以下为英文。</p>`, ">上一课<", `<span class="lesson-title" lang="zh">甲</span>`}},
		{"ru", "a", []string{`<html lang="en">`, `<p class="lesson-fallback" lang="ru">Это ещё не переведено`, `href="../../lessons/ru"`}},
		{"xx", "a", []string{`<html lang="en">`, "Run this", `href="../../lessons/en"`}},
	} {
		got := text(t, library, test.locale, test.slug)
		for _, want := range test.want {
			if !strings.Contains(got, want) {
				t.Errorf("%s in %s lacks %q:\n%s", test.slug, test.locale, want, got)
			}
		}
		if (test.locale == "zh") != strings.Contains(got, "zh") || strings.Contains(got, "fallback") != (test.locale == "ru" || test.slug == "b") {
			t.Errorf("%s in %s:\n%s", test.slug, test.locale, got)
		}
	}
}
