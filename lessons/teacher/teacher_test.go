package teacher_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
)

// TestMain looks for goroutines left behind. The clock of the highlighter's regular
// expressions is not ours: it ends by itself a second after its last use.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

const (
	lessonText = "\n\nText.\n\n```scenario\n" + `{"scenario": "herd", "title": "T", "text": "X", "clients": 8, "delay": "250ms", "seed": 1}` + "\n```\n"
	question   = "\n```predict\n" + `{"question": "Who?", "choices": [{"text": "All", "right": true, "because": "B"}, {"text": "<None>", "right": false, "because": "B"}]}` + "\n```\n"
	page       = `# Alpha

Time: 12 minutes

## Aim

To *know*.

## Say

One *holds*.

## Click

1. [Herd](#scenario-herd): all wake.
2. See [the other page](b.md).

## If it goes wrong

Start again.

## The popular wrong vote

### Question 1, choice 2

Look *again*.

## They will ask

### Is 1 < 2?

Yes.

It is.

### Always?

No.

## Exit question

### Why?

Because.
`
	plan = `# Ten minutes

Before.

| minutes | lesson | what |
|---|---|---|
| 2 | | Open a class. |
| 5 | [Alpha](../teacher/a.md) | [Run it](#scenario-herd). |
| 3 | [B](../teacher/b.md) | Ask. |

After.
`
	sheet = `# Before

See [the plan](../plans/10.md), [a page](../teacher/b.md) and ![a queue](../../../static/drawings/queue.svg).
`
)

// course are two lessons, one of them in two languages, and their pages.
func course() fstest.MapFS {
	files := make(fstest.MapFS)
	for name, text := range map[string]string{
		"en/01-a.md": "# Alpha" + lessonText + question, "en/02-b.md": "# B" + lessonText + question,
		"zh/01-a.md":      "# 甲" + lessonText + strings.Replace(question, "Who", "谁", 1),
		"en/teacher/a.md": page, "en/teacher/b.md": strings.Replace(page, "Alpha", "B", 1),
		"zh/teacher/a.md":  strings.Replace(page, "Alpha", "甲", 1),
		"en/plans/10.md":   plan,
		"en/plans/2x10.md": plan + strings.TrimPrefix(plan, "# Ten minutes\n"), "en/sheets/before.md": sheet,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return files
}

func load(files fstest.MapFS) (*teacher.Guide, error) {
	library, err := lessons.Load(files)
	if err != nil {
		return nil, err
	}
	return teacher.Load(files, library, nil)
}

// written is the document of a name.
func written(t *testing.T, guide *teacher.Guide, name string, r teacher.Reader) string {
	t.Helper()
	return document(t, func(w io.Writer) error { return guide.Write(w, name, r) })
}

// index is the list of all documents.
func index(t *testing.T, guide *teacher.Guide, r teacher.Reader) string {
	t.Helper()
	return document(t, func(w io.Writer) error { return guide.WriteIndex(w, r, "../") })
}

func document(t *testing.T, write func(io.Writer) error) string {
	t.Helper()
	var page bytes.Buffer
	if err := write(&page); err != nil {
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

func TestPresenterPage(t *testing.T) {
	guide, err := load(course())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		locale, slug string
		want         []string
	}{
		{"en", "a", []string{`<html lang="en">`, `href="../../static/css/course.css"`, `href="../../#lesson=a"`, `href="../../lessons/en/a"`, `href="../../teacher/en"`,
			"<h1>Alpha", "12 min", "Aim</h2>", "<em>know</em>", "Say</h2>", "<em>holds</em>", "Click</h2>", `<a href="../../#lesson=a&amp;scenario=herd">Herd</a>`, `<a href="b">`,
			"wrong</h2>", "<p>Start again.", "<h3>Who? <em>&lt;None&gt;</em></h3>", "<p>Look <em>again", "They will ask</h2>", "<h3>Is 1 &lt; 2?</h3>", "<p>It is.</p>", "<h3>Always?</h3>", "<h3>Why?</h3>", "<p>Because."}},
		{"zh", "a", []string{`<html lang="zh">`, "草稿", "<h1>甲", "讲解</h2>", "<h3>谁?"}},
		{"zh", "b", []string{`<html lang="en">`, `<p class="course-note" lang="zh">尚未翻译`, "<h1>B", `<h2 lang="zh">讲解</h2>`}},
		{"xx", "a", []string{`<html lang="en">`, `href="../../teacher/en"`}},
	} {
		mustSay(t, written(t, guide, test.slug, teacher.Reader{Locale: test.locale}), test.want...)
	}
	if err := guide.Write(io.Discard, "c", teacher.Reader{}); !errors.Is(err, teacher.ErrUnknown) {
		t.Errorf("a page of no lesson: %v", err)
	}
}

func TestPlan(t *testing.T) {
	guide, err := load(course())
	if err != nil {
		t.Fatal(err)
	}
	mustSay(t, written(t, guide, "plan-10", teacher.Reader{Locale: "ru"}), `<html lang="en">`, "Это ещё не переведено", "<h1>Ten minutes</h1>", "<p>Before.</p>", `<tr lang="ru">`, "Минуты",
		"<td>0–2</td>", `<td>2–7</td><th scope="row"><a href="a">Alpha</a></th><td><a href="../../#lesson=a&amp;scenario=herd">Run it</a>.</td>`,
		"<td>7–10</td>", "<p>After.</p>")
	mustSay(t, written(t, guide, "plan-2x10", teacher.Reader{Locale: "en"}), "<p>Before.</p>", "<td>7–10</td>", "<p>After.</p>\n<p>Before.</p>", "<td>0–2</td>", "<td>7–10</td>", "<p>After.</p>")
	mustSay(t, index(t, guide, teacher.Reader{Locale: "zh"}), `<html lang="zh">`, "英文部分尚未翻译", `<a href="../teacher/zh/plan-10" lang="en">Ten minutes</a>`, `plan-2x10`,
		`<a href="../teacher/zh/before" lang="en">Before</a>`, `<a href="../teacher/zh/solutions">`, `<a href="../teacher/zh/a" lang="zh">甲</a>`, "12 分钟", `<a href="../teacher/zh/b" lang="en">B</a>`)
}

func TestSheet(t *testing.T) {
	guide, err := load(course())
	if err != nil {
		t.Fatal(err)
	}
	mustSay(t, written(t, guide, "before", teacher.Reader{Locale: "zh", Room: "k7"}), `<html lang="en">`, "尚未翻译", "<h1>Before</h1>",
		`<a href="plan-10?room=k7">the plan</a>`, `<a href="b?room=k7">`, `<img src="../../static/drawings/queue.svg" alt="a queue">`)
}

// TestLinksIntoTheRoomOfAClass: all that lead to the playground, and all that lead to
// another of the documents.
func TestLinksIntoTheRoomOfAClass(t *testing.T) {
	guide, err := load(course())
	if err != nil {
		t.Fatal(err)
	}
	reader := teacher.Reader{Locale: "en", Room: "k7"}
	mustSay(t, written(t, guide, "a", reader), `href="../../static/`, `href="../../rooms/k7#lesson=a"`,
		`href="../../lessons/en/a"`, `href="../../teacher/en?room=k7"`, `href="../../rooms/k7#lesson=a&amp;scenario=herd"`, `href="b?room=k7"`)
	mustSay(t, written(t, guide, "plan-10", reader), `href="../../rooms/k7"`, `href="a?room=k7"`, `href="../../rooms/k7#lesson=a&amp;scenario=herd"`)
	mustSay(t, index(t, guide, reader), `href="../rooms/k7"`, `href="../teacher/en/plan-10?room=k7"`, `href="../teacher/en/before?room=k7"`, `href="../teacher/en/a?room=k7"`)
}

// TestLoadSaysWhatIsWrong: in which file, on which line, and what.
func TestLoadSaysWhatIsWrong(t *testing.T) {
	for name, test := range map[string]struct {
		file, old, new string
		kind           error
		line           int
		says           string
	}{
		"another title":              {"en/teacher/a.md", "# Alpha", "# Alfa", teacher.ErrPage, 1, `the title is "Alfa", the lesson's is "Alpha"`},
		"no title":                   {"en/teacher/a.md", "# Alpha\n", "", teacher.ErrPage, 1, `must be "# Title"`},
		"no time":                    {"en/teacher/a.md", "Time: 12 minutes\n\n", "", teacher.ErrPage, 3, "Time: N minutes"},
		"another time":               {"en/teacher/a.md", "12 minutes", "long", teacher.ErrPage, 3, "Time: N minutes"},
		"unknown section":            {"en/teacher/a.md", "## Click", "## Press", teacher.ErrPage, 13, `"Press" is unknown`},
		"sections in another order":  {"en/teacher/a.md", "## Say", "## Click", teacher.ErrPage, 9, `"Click" is unknown, or in the wrong place`},
		"a section too many":         {"en/teacher/a.md", "Because.\n", "Because.\n\n## More\n", teacher.ErrPage, 46, `"More"`},
		"a second title":             {"en/teacher/a.md", "## Say", "# Say", teacher.ErrPage, 9, `"Say"`},
		"text before the sections":   {"en/teacher/a.md", "## Aim", "Listen.\n\n## Aim", teacher.ErrPage, 5, "text before"},
		"a section without anything": {"en/teacher/a.md", "One *holds*.\n", "", teacher.ErrPage, 0, `"Say" is missing or empty`},
		"a question without answer":  {"en/teacher/a.md", "No.\n", "", teacher.ErrPage, 36, "without its answer"},
		"an answer without question": {"en/teacher/a.md", "### Is 1 < 2?", "It is so.", teacher.ErrPage, 30, "without its question"},
		"a vote without its place":   {"en/teacher/a.md", "### Question 1, choice 2", "### None", teacher.ErrPage, 24, `"None" is no vote`},
		"a vote on no question":      {"en/teacher/a.md", "### Question 1, choice 2", "### Question 2, choice 1", teacher.ErrPage, 24, "the lesson has no Question 2, choice 1"},
		"a vote that is right":       {"en/teacher/a.md", "### Question 1, choice 2", "### Question 1, choice 1", teacher.ErrPage, 24, "is the right one"},
		"a sheet without its title":  {"en/sheets/before.md", "# Before", "Before", teacher.ErrSheet, 1, `must be "# Title"`},
		"a link of a sheet":          {"en/sheets/before.md", "../plans/10.md", "10.md", lessons.ErrLink, 3, "10.md"},
		"raw HTML":                   {"en/teacher/a.md", "One *holds*", "One <b>holds</b>", lessons.ErrRawHTML, 11, ""},
		"a scenario that is not run": {"en/teacher/a.md", "#scenario-herd", "#scenario-hurd", lessons.ErrLink, 15, `the lesson "a" runs no "hurd"`},
		"a page that is not there":   {"en/teacher/a.md", "(b.md)", "(c.md)", lessons.ErrLink, 16, "c.md"},
		"a link to a place":          {"en/teacher/a.md", "(b.md)", "(javascript:alert)", lessons.ErrLink, 16, "javascript"},
		"a plan without its title":   {"en/plans/10.md", "# Ten", "Ten", teacher.ErrPlan, 1, `must be "# Title"`},
		"minutes that are too many":  {"en/plans/10.md", "| 5 |", "| 6 |", teacher.ErrPlan, 5, "come to 11, want 10"},
		"minutes that are none":      {"en/plans/10.md", "| 5 |", "| some |", teacher.ErrPlan, 8, "must begin with its minutes"},
		"a plan without a table":     {"en/plans/10.md", plan[strings.Index(plan, "| minutes"):strings.Index(plan, "\nAfter")], "", teacher.ErrPlan, 0, "0 tables of steps, want 1"},
		"two tables":                 {"en/plans/10.md", "After.", plan[strings.Index(plan, "| minutes"):strings.Index(plan, "\nAfter")], teacher.ErrPlan, 0, "2 tables of steps, want 1"},
		"a link of a plan":           {"en/plans/10.md", "../teacher/b.md", "b.md", lessons.ErrLink, 9, "b.md"},
		"a scenario of no lesson":    {"en/plans/10.md", "Open a class", "[Open](#scenario-herd)", lessons.ErrLink, 7, "herd"},
		"a scenario of another":      {"en/plans/10.md", "#scenario-herd", "#scenario-hurd", lessons.ErrLink, 8, `the lesson "a" runs no "hurd"`},
		"a table of two columns":     {"en/plans/10.md", "| minutes | lesson | what |\n|---|---|---|", "| minutes | lesson |\n|---|---|", teacher.ErrPlan, 7, "2 cells"},
		"a title of a lesson in zh":  {"zh/teacher/a.md", "# 甲", "# 乙", teacher.ErrPage, 1, `the lesson's is "甲"`},
	} {
		t.Run(name, func(t *testing.T) {
			files := course()
			before := string(files[test.file].Data)
			files[test.file].Data = []byte(strings.Replace(before, test.old, test.new, 1))
			if string(files[test.file].Data) == before {
				t.Fatalf("nothing is wrong: %q is not there", test.old)
			}
			mustSayWhere(t, files, test.kind, test.file, test.line, test.says)
		})
	}
}

// TestLoadKnowsFiles: a page is of a lesson, and a plan of so many minutes.
func TestLoadKnowsFiles(t *testing.T) {
	files := course()
	files["en/teacher/c.md"] = files["en/teacher/a.md"]
	mustSayWhere(t, files, teacher.ErrNoLesson, "en/teacher/c.md", 0, "")
	files = course()
	files["en/plans/long.md"] = files["en/plans/10.md"]
	mustSayWhere(t, files, teacher.ErrPlan, "en/plans/long.md", 0, "neither MINUTES nor NxMINUTES")
	for _, name := range []string{"a", "solutions", "plan-1"} {
		files = course()
		files["en/sheets/"+name+".md"] = files["en/sheets/before.md"]
		mustSayWhere(t, files, teacher.ErrSheet, "en/sheets/"+name+".md", 0, "another document")
	}
}

func mustSayWhere(t *testing.T, files fstest.MapFS, kind error, file string, line int, says string) {
	t.Helper()
	_, err := load(files)
	at := fmt.Sprintf("%s:%d: ", file, line)
	if line == 0 {
		at = file + ": "
	}
	var where *lessons.Error
	if !errors.Is(err, kind) || !errors.As(err, &where) || !strings.HasPrefix(err.Error(), at) || !strings.Contains(err.Error(), says) {
		t.Errorf("got %v, want %v at %q with %q", err, kind, at, says)
	}
}
