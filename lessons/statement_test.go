package lessons_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// stating is a lesson that says a figure of its run.
const stating = "# T\n\nThat wakes **seven** clients.\n\n```scenario\n" +
	`{"scenario": "herd", "title": "T", "text": "X.", "clients": 8, "delay": "0s", "seed": 7, "for": "8s",
"states": [{"says": "wakes seven clients", "lane": "herd", "figure": "woken per release", "atLeast": 6.5, "atMost": 7}]}` + "\n```\n"

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
