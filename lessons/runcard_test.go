package lessons_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// TestAskedRun: what a question is about is what the lesson says, or what stands next.
func TestAskedRun(t *testing.T) {
	other := strings.Replace(card, `"herd"`, `"other"`, 1)
	few := strings.Replace(card, `"clients": 8`, `"clients": 2`, 1)
	asks := func(shownAt string) string {
		return strings.Replace(prediction, `"choices"`, `"shownAt": `+shownAt+`, "choices"`, 1)
	}
	for name, test := range map[string]struct{ text, want string }{
		"the card below":       {other + prediction + card, `{"scenario":"herd"}`},
		"the last card":        {card + other + prediction, `{"scenario":"other"}`},
		"one of two":           {prediction + few + card, `{"scenario":"herd","clients":2}`},
		"an instant":           {asks(`"first-release"`) + card, `{"scenario":"herd","instant":"first-release"}`},
		"an event, twice":      {asks(`[{"event": "woken", "times": 2}]`) + card, `{"scenario":"herd","goal":{"steps":[{"is":"","missing":"","where":{"kind":"lock.woken"}},{"is":"","missing":"","where":{"kind":"lock.woken"},"follows":true}]}}`},
		"the goal below":       {card + prediction + task + goalCheck, "made"},
		"a goal that is named": {card + asks(`{"goal": "made"}`) + other + task + goalCheck, "made"},
	} {
		t.Run(name, func(t *testing.T) {
			library := load(t, "en/01-a.md", "# T\n\n"+test.text)
			if err := library.Validate(known); err != nil {
				t.Fatal(err)
			}
			lesson, _ := library.Get("en", "a")
			run, err := json.Marshal(lesson.Questions[0].Run)
			if err != nil {
				t.Fatal(err)
			}
			want := test.want
			if want == "made" {
				condition, _ := json.Marshal(lesson.Checks[0].Condition)
				want = `{"scenario":"herd","goal":` + string(condition) + `}`
			}
			if string(run) != want {
				t.Errorf("got %s, want %s", run, want)
			}
		})
	}
	for want, text := range map[string]string{
		`no check "made"`:         asks(`{"goal": "made"}`) + card,
		`unknown instant "stuck"`: asks(`"stuck"`) + card,
	} {
		library, err := lessons.Load(files("en/01-a.md", "# T\n\n"+text))
		if err == nil {
			err = library.Validate(known)
		}
		if !errors.Is(err, lessons.ErrQuestion) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}
