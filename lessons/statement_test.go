package lessons_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
)

// stating is a lesson that says a figure of its run.
const stating = "# T\n\nThat wakes **seven** clients.\n\n```scenario\n" +
	`{"scenario": "herd", "title": "T", "text": "X.", "clients": 8, "delay": "0s", "seed": 7, "for": "8s",
"states": [{"says": "wakes seven clients", "lane": "herd", "figure": "woken per release", "atLeast": 6.5, "atMost": 7}]}` + "\n```\n"

func TestStatement(t *testing.T) {
	lesson, _ := load(t, "en/01-a.md", stating).Get("en", "a")
	said := lesson.Scenarios[0].States[0]
	for name, test := range map[string]struct {
		lane check.Lane
		want string
	}{
		"as it is said": {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 3, Wakeups: 21}}, ""},
		"too few":       {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 3, Wakeups: 3}}, `woken per release of lane herd is 1.00, want at least 6.5 and at most 7`},
		"too many":      {check.Lane{Name: "herd", Rounds: check.Rounds{Complete: 1, Wakeups: 8}}, `is 8.00`},
		"nothing":       {check.Lane{Name: "herd"}, `is 0.00`},
		"another lane":  {check.Lane{Name: "mutex"}, `has no lane "herd"`},
	} {
		err := said.Check(check.Summary{Lanes: []check.Lane{test.lane}})
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}

func TestLoadSaysWhatIsWrongWithAStatement(t *testing.T) {
	for name, test := range map[string]struct{ old, new, want string }{
		"not said":       {`"wakes seven clients"`, `"wakes six clients"`, `does not say "wakes six clients"`},
		"no words":       {`"says": "wakes seven clients", `, ``, "says is missing"},
		"no lane":        {`"lane": "herd", `, ``, "lane is missing"},
		"unknown figure": {`"woken per release"`, `"woken"`, `unknown figure "woken", have ["acquisitions"`},
		"no bound":       {`, "atLeast": 6.5, "atMost": 7`, ``, "atLeast or atMost is missing"},
		"for ever":       {`"for": "8s"`, `"for": "8h"`, "for must be 1s to 1m0s"},
	} {
		text := strings.Replace(stating, test.old, test.new, 1)
		if text == stating {
			t.Fatalf("%s: nothing is wrong", name)
		}
		_, err := lessons.Load(files("en/01-a.md", text))
		if !errors.Is(err, lessons.ErrRunCard) || !strings.Contains(err.Error(), "en/01-a.md:6: ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %q", name, err, test.want)
		}
	}
}
