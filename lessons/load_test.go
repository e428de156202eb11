package lessons_test

import (
	"errors"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/lessons"
)

const card = "```scenario\n" +
	`{"scenario": "herd", "title": "T", "text": "X", "clients": 8, "delay": "250ms", "seed": 1}` + "\n```\n"

// files makes a file system of names and contents.
func files(namesAndContents ...string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for i := 0; i < len(namesAndContents); i += 2 {
		fsys[namesAndContents[i]] = &fstest.MapFile{Data: []byte(namesAndContents[i+1])}
	}
	return fsys
}

func load(tb testing.TB, namesAndContents ...string) *lessons.Library {
	tb.Helper()
	library, err := lessons.Load(files(namesAndContents...))
	if err != nil {
		tb.Fatal(err)
	}
	return library
}

func TestLoadReadsNameTitleAndCards(t *testing.T) {
	library := load(t, "en/07-two-words.md", "# A *fine* title\n\n"+card)
	got, ok := library.Get("en", "two-words")
	if !ok {
		t.Fatal("no lesson two-words")
	}
	if got.Title != "A fine title" || got.Order != 7 || got.Locale != "en" {
		t.Errorf("got title %q, order %d, locale %q", got.Title, got.Order, got.Locale)
	}
	want := lessons.RunCard{Scenario: "herd", Title: "T", Text: "X", Clients: 8,
		Delay: 250 * time.Millisecond, Seed: 1, For: 15 * time.Second, Lesson: "two-words"}
	ignoreLine := cmp.FilterPath(func(p cmp.Path) bool { return p.String() == "position" }, cmp.Ignore())
	if diff := cmp.Diff([]lessons.RunCard{want}, got.Scenarios, ignoreLine); diff != "" {
		t.Error(diff)
	}
}

func TestLoadRefuses(t *testing.T) {
	const ok = "# T\n\n" + card
	fence := func(name, body string) string { return "# T\n\n" + card + "\n```" + name + "\n" + body + "\n```\n" }
	for name, test := range map[string]struct {
		files fstest.MapFS
		want  error
		at    string
	}{
		"no lesson":            {files(), lessons.ErrEmpty, "en: "},
		"no lesson in en":      {files("de/01-a.md", ok), lessons.ErrEmpty, "en: "},
		"no number":            {files("en/herd.md", ok), lessons.ErrName, "en/herd.md: "},
		"number 00":            {files("en/00-a.md", ok), lessons.ErrName, "en/00-a.md: "},
		"capital in slug":      {files("en/01-A.md", ok), lessons.ErrName, "en/01-A.md: "},
		"locale":               {files("EN/01-a.md", ok), lessons.ErrName, "EN/01-a.md: "},
		"same order":           {files("en/01-a.md", ok, "en/01-b.md", ok), lessons.ErrDuplicate, "en/01-b.md: "},
		"same slug":            {files("en/01-a.md", ok, "en/02-a.md", ok), lessons.ErrDuplicate, "en/02-a.md: "},
		"empty":                {files("en/01-a.md", ""), lessons.ErrTitle, "en/01-a.md:1: "},
		"no title":             {files("en/01-a.md", card), lessons.ErrTitle, "en/01-a.md:1: "},
		"title below":          {files("en/01-a.md", "\n# T\n"+card), lessons.ErrTitle, "en/01-a.md:1: "},
		"empty title":          {files("en/01-a.md", "# \n\n"+card), lessons.ErrTitle, "en/01-a.md:1: "},
		"two titles":           {files("en/01-a.md", ok+"\n# U\n"), lessons.ErrTitle, "en/01-a.md:7: "},
		"nothing to run":       {files("en/01-a.md", "# T\n\ntext\n"), lessons.ErrNothingToRun, "en/01-a.md: "},
		"HTML block":           {files("en/01-a.md", ok+"\n<script>alert(1)</script>\n"), lessons.ErrRawHTML, "en/01-a.md:7: "},
		"inline HTML":          {files("en/01-a.md", ok+"\na <b>c</b>\n"), lessons.ErrRawHTML, "en/01-a.md:7: "},
		"dead link":            {files("en/01-a.md", ok+"\n[x](02-b.md)\n"), lessons.ErrLink, "en/01-a.md:7: "},
		"dead stage link":      {files("en/01-a.md", ok+"\n[x](#stage-zonde)\n"), lessons.ErrLink, "en/01-a.md:7: "},
		"misspelt fence":       {files("en/01-a.md", fence("scenarios", "{}")), lessons.ErrFence, "en/01-a.md:8: "},
		"nameless fence":       {files("en/01-a.md", fence("", "x")), lessons.ErrFence, "en/01-a.md:8: "},
		"fence with options":   {files("en/01-a.md", fence("go {style=monokai}", "x")), lessons.ErrFence, "en/01-a.md:8: "},
		"empty scenario":       {files("en/01-a.md", fence("scenario", "")), lessons.ErrRunCard, "en/01-a.md:8: "},
		"unknown field":        {files("en/01-a.md", fence("scenario", `{"scenaro": "herd"}`)), lessons.ErrRunCard, "en/01-a.md:8: "},
		"line within a fence":  {files("en/01-a.md", fence("scenario", "{\n\"seed\": 1,\n\"clients\": \"8\"\n}")), lessons.ErrRunCard, "en/01-a.md:10: "},
		"text after the value": {files("en/01-a.md", fence("predict", "{\"question\": \"?\"}\n\n{}")), lessons.ErrQuestion, "en/01-a.md:10: "},
		"quotation":            {files("en/01-a.md", ok+"\n> text\n"), lessons.ErrFold, "en/01-a.md:7: "},
		"nothing folded":       {files("en/01-a.md", ok+"\n> ### More\n"), lessons.ErrFold, "en/01-a.md:7: "},
		"card in a fold":       {files("en/01-a.md", ok+"\n> ### More\n>\n> - a\n>\n>   ```scenario\n>   {}\n>   ```\n"), lessons.ErrFold, "en/01-a.md:12: "},
		"fence in a list":      {files("en/01-a.md", ok+"\n- a\n\n  ```scenario\n  {}\n  ```\n"), lessons.ErrRunCard, "en/01-a.md:10: "},
	} {
		t.Run(name, func(t *testing.T) {
			library, err := lessons.Load(test.files)
			if !errors.Is(err, test.want) {
				t.Fatalf("got %v, %v, want %v", library, err, test.want)
			}
			if !strings.HasPrefix(err.Error(), test.at) {
				t.Errorf("error %q does not begin with %q", err, test.at)
			}
			var where *lessons.Error
			if !errors.As(err, &where) {
				t.Errorf("error %v is no *Error", err)
			}
		})
	}
}

func TestGetFallsBackToTheDefaultLocale(t *testing.T) {
	library := load(t,
		"en/01-a.md", "# English A\n"+card,
		"en/02-b.md", "# English B\n"+card,
		"de/01-a.md", "# Deutsch A\n"+card)
	for _, test := range []struct{ locale, slug, want string }{
		{"en", "a", "English A"},
		{"de", "a", "Deutsch A"},
		{"de", "b", "English B"},
		{"", "b", "English B"},
		{"de", "c", ""},
	} {
		lesson, ok := library.Get(test.locale, test.slug)
		if ok != (test.want != "") || lesson.Title != test.want {
			t.Errorf("Get(%q, %q) = %q, %v, want %q", test.locale, test.slug, lesson.Title, ok, test.want)
		}
	}
}

func TestAllIsSortedAndTheCallersOwn(t *testing.T) {
	library := load(t, "en/10-a.md", "# A\n"+card, "en/02-b.md", "# B\n"+card, "de/02-b.md", "# C\n"+card)
	var titles []string
	for _, lesson := range library.All() {
		titles = append(titles, lesson.Title)
	}
	if diff := cmp.Diff([]string{"C", "B", "A"}, titles); diff != "" {
		t.Error(diff)
	}
	library.All()[0].Title = "changed"
	if got := library.All()[0].Title; got != "C" {
		t.Errorf("a caller's change shows in the library: %q", got)
	}
}

// known is what the lessons of the tests can name.
var known = lessons.Known{Scenarios: []string{"other", "herd"}, Faults: []string{"crash"}, Checks: []string{"fifo"},
	Decisive: func(string) []string { return []string{"first-release"} },
	Fault: func(b lessons.Break) error {
		if b.Fault != "crash" {
			return errors.New("no such fault")
		}
		return nil
	}}

func TestValidate(t *testing.T) {
	breaks := strings.Replace(exercise, `"stat /a"`, `{"break": {"fault": "crash"}, "says": "Break it."}`, 1)
	if err := load(t, "en/01-a.md", breaks).Validate(known); err != nil {
		t.Error(err)
	}
	for name, test := range map[string]struct {
		old, new string
		kind     error
		want     string
	}{
		"scenario":                 {`"scenario": "herd"`, `"scenario": "hurd"`, lessons.ErrUnknownScenario, `en/01-a.md:4: unknown scenario "hurd"`},
		"fault of a task":          {`"fault": "crash"`, `"fault": "crsh"`, lessons.ErrTask, "en/01-a.md:8: bad task: no such fault"},
		"fault of a step":          {`"event": "created", "path": "/a"`, `"event": "broken", "fault": "crsh"`, lessons.ErrCheck, `en/01-a.md:12: bad check "made": unknown fault "crsh"`},
		"check of a mistake":       {`"event": "not created", "error": "NodeExists"`, `"event": "violated", "check": "fif"`, lessons.ErrCheck, `en/01-a.md:12: bad check "made": unknown check "fif"`},
		"fault of a wrong attempt": {`["create /b"]`, `[{"break": {"fault": "crsh"}, "says": "Break it."}]`, lessons.ErrCheck, "no such fault"},
		"wait of a task":           {`"create /a"`, `{"wait": {"event": "violated", "check": "fif"}}, "create /a"`, lessons.ErrTask, `unknown check "fif"`},
	} {
		source := strings.ReplaceAll(breaks, test.old, test.new)
		if source == breaks {
			t.Fatalf("%s: nothing is wrong", name)
		}
		err := load(t, "en/01-a.md", source).Validate(known)
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
