package lessons_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// courseMap is the map of a course as it is written.
func courseMap(t *testing.T, library *lessons.Library, locale, root string) string {
	t.Helper()
	var page bytes.Buffer
	if err := library.WriteMap(&page, locale, root); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

// mustSay wants a document to have all of it, in that order.
func mustSay(t *testing.T, document string, want ...string) {
	t.Helper()
	rest := document
	for _, each := range want {
		_, after, found := strings.Cut(rest, each)
		if !found {
			t.Errorf("%q is missing, or comes too early, in\n%s", each, document)
			continue
		}
		rest = after
	}
}

func TestMapOfTheCourse(t *testing.T) {
	library, err := lessons.Load(files("course.json", course,
		"en/01-a.md", "# A\n\nDo it *now*.\nThen <3.\n\nMore.\n"+card+"\n"+task+"\n"+goalCheck, "en/02-b.md", "# B\n"+card, "ru/02-b.md", "# Б\n"+card))
	if err != nil {
		t.Fatal(err)
	}
	mustSay(t, courseMap(t, library, "en", "../"), `<html lang="en">`, `href="../static/css/course.css"`, "2 lessons with 1 goals: 15 minutes", `href="../#lesson=a" data-lesson="a" data-says`, "<h2>First</h2>",
		`id="a"`, `<a href="../#lesson=a" data-lesson="a" lang="en">A</a>`, "5 min", `<a class="map-print" href="../lessons/en/a">print</a>`, "Do it now. Then &lt;3.", `<li data-goal="a/made">It is there.</li>`,
		`id="b"`, `<a href="../#lesson=b" data-lesson="b" lang="en">B</a>`, "10 min", `Builds on: <a href="#a" lang="en">A</a>`)
	russian := courseMap(t, library, "ru", "../../")
	mustSay(t, russian, `<html lang="ru">`, `href="../../static/css/course.css"`, "ещё не переведено", `<a href="../../#lesson=a" data-lesson="a" lang="en">A</a>`, `href="../../lessons/ru/a"`, `<a href="../../#lesson=b" data-lesson="b" lang="ru">Б</a>`)
	if strings.Contains(courseMap(t, library, "en", "../"), "not translated") {
		t.Error("the English map is not translated")
	}
	mustSay(t, courseMap(t, library, `"><script>`, "../"), `<html lang="en">`, `"../lessons/en/a"`)
}

// TestMapWithoutACourse has all lessons in one part.
func TestMapWithoutACourse(t *testing.T) {
	mustSay(t, courseMap(t, load(t, "en/01-a.md", "# A\n"+card, "en/02-b.md", "# B\n"+card), "en", "../"), `id="a"`, `id="b"`)
}

// TestMapIsSafe: nothing inline, and its only script is the page's own.
func TestMapIsSafe(t *testing.T) {
	page := courseMap(t, shipped(t), "en", "../")
	const script = `<script type="module" src="../static/js/shell/course-map.js"></script>`
	mustSay(t, page, script)
	checkSafe(t, []byte(strings.Replace(page, script, "", 1)))
}
