package lessons_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

const prediction = "```predict\n" + `{"question": "Q?", "choices": [
  {"text": "A", "right": true, "because": "Yes."},
  {"text": "B", "right": false, "because": "No."}
]}` + "\n```\n"

// TestTranslation: a translation has other words, and nothing else.
func TestTranslation(t *testing.T) {
	english := exercise + "\n" + prediction + "\n> ### More\n>\n> Text\n"
	words := strings.NewReplacer("# T", "# Ü", `"Make it."`, `"Mach es."`, `"It is there."`, `"Es ist da."`, `"made", "missing"`, `"gemacht", "missing"`, `"Q?"`, `"F?"`)
	german := words.Replace(english)
	if err := load(t, "en/01-a.md", english, "de/01-a.md", german).Validate(known); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct{ old, new, want string }{
		"another seed":       {`"seed": 1`, `"seed": 2`, "de/01-a.md:4: not a translation: run card 1 runs otherwise than at en/01-a.md:4"},
		"another answer":     {`"stat /a"`, `"stat /b"`, "de/01-a.md:8: not a translation: task 1 is done otherwise"},
		"another step":       {`"event": "created"`, `"event": "deleted"`, `de/01-a.md:12: not a translation: check "made" asks for other things`},
		"another name":       {`"name": "made"`, `"name": "gemacht"`, `check "gemacht" asks for other things`},
		"another attempt":    {`"create /b"`, `"create /c"`, `check "made" asks for other things`},
		"another figure":     {`"seed": 1`, `"seed": 1, "states": [{"says": "Ü", "lane": "herd", "figure": "releases", "atLeast": 1}]`, "run card 1 states other figures than at en/01-a.md:4"},
		"another is right":   {`"right": true`, `"right": false`, "question 1 has other right answers"},
		"shown elsewhere":    {`"right": true, "because": "Yes."}`, `"right": true, "because": "Yes."}], "shownAt": "first-release", "choices": [{"text": "A", "right": true, "because": "Yes."}`, "question 1 is shown otherwise"},
		"nothing folded":     {"> ### More\n>\n> Text\n", "", "it has 0 folds, en/01-a.md has 1"},
		"a question too few": {prediction, "", "it has 0 questions, en/01-a.md has 1"},
		"a card too many":    {"```do", card + "\n```do", "it has 2 run cards, en/01-a.md has 1"},
	} {
		text := strings.Replace(german, test.old, test.new, 1)
		if test.new == `"right": false` {
			text = strings.Replace(german, `"right": true, "because": "Yes."},`+"\n"+`  {"text": "B", "right": false`, `"right": false, "because": "Yes."},`+"\n"+`  {"text": "B", "right": true`, 1)
		}
		if text == german {
			text = strings.Replace(german, words.Replace(test.old), test.new, 1)
		}
		if text == german {
			t.Fatalf("%s: nothing is changed", name)
		}
		err := load(t, "en/01-a.md", english, "de/01-a.md", text).Validate(known)
		if !errors.Is(err, lessons.ErrTranslation) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
	for _, name := range []string{"de/02-a.md", "de/01-b.md"} {
		if err := load(t, "en/01-a.md", english, name, german).Validate(known); !errors.Is(err, lessons.ErrTranslation) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	mistaken := strings.Replace(english, `"event": "not created", "error": "NodeExists"`, `"event": "violated", "check": "fif"`, 1)
	if err := load(t, "en/01-a.md", mistaken, "de/01-a.md", german).Validate(known); !errors.Is(err, lessons.ErrCheck) {
		t.Errorf("a mistake in the original: got %v, want that it is told first", err)
	}
}
