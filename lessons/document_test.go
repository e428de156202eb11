package lessons_test

import (
	"bytes"
	"errors"
	"net/url"
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
	if err := library.WriteDocument(&page, lesson); err != nil {
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
			base + "#lesson=b",
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
	if err := library.WriteDocument(failing{full}, lesson); !errors.Is(err, full) {
		t.Errorf("got %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
