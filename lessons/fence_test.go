package lessons

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestParseRunCard(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want string // a part of the error, empty for none
	}{
		"whole":          {`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "delay": "0s", "seed": 1}`, ""},
		"largest":        {`{"scenario": "a", "title": "t", "text": "x", "clients": 50, "delay": "1s", "seed": 9223372036854775807}`, ""},
		"no scenario":    {`{"title": "t", "text": "x", "clients": 1, "delay": "0s", "seed": 1}`, "scenario is missing"},
		"blank title":    {`{"scenario": "a", "title": " ", "text": "x", "clients": 1, "delay": "0s", "seed": 1}`, "title is missing"},
		"no text":        {`{"scenario": "a", "title": "t", "clients": 1, "delay": "0s", "seed": 1}`, "text is missing"},
		"no clients":     {`{"scenario": "a", "title": "t", "text": "x", "delay": "0s", "seed": 1}`, "clients must be 1 to 50"},
		"51 clients":     {`{"scenario": "a", "title": "t", "text": "x", "clients": 51, "delay": "0s", "seed": 1}`, "clients must be 1 to 50"},
		"no delay":       {`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "seed": 1}`, "delay: "},
		"negative delay": {`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "delay": "-1ms", "seed": 1}`, "delay must be"},
		"long delay":     {`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "delay": "1001ms", "seed": 1}`, "delay must be"},
		"no seed":        {`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "delay": "0s"}`, "seed must be positive"},
		"unknown field":  {`{"recipe": "a"}`, `unknown field "recipe"`},
		"a list":         {`[]`, "array"},
		"unclosed":       {`{"scenario": "a"`, "EOF"},
	} {
		t.Run(name, func(t *testing.T) { checkError(t, second(parseRunCard([]byte(test.body))), ErrRunCard, test.want) })
	}
}

func TestParseQuestion(t *testing.T) {
	const right, wrong = `{"text": "a", "right": true, "because": "b"}`, `{"text": "c", "because": "d"}`
	question := func(choices ...string) string {
		return `{"question": "q", "choices": [` + strings.Join(choices, ",") + `]}`
	}
	with := func(name, value string) string {
		return strings.Replace(question(wrong, right), `{"question"`, `{"`+name+`": `+value+`, "question"`, 1)
	}
	shown := func(moment string) string { return with("shownAt", moment) }
	measured := func(measure string) string { return with("measured", "["+measure+"]") }
	for name, test := range map[string]struct {
		body string
		want string
	}{
		"two":           {question(wrong, right), ""},
		"six":           {question(right, wrong, wrong, wrong, wrong, wrong), ""},
		"one":           {question(right), "2 to 6 choices"},
		"seven":         {question(right, wrong, wrong, wrong, wrong, wrong, wrong), "2 to 6 choices"},
		"none right":    {question(wrong, wrong), "0 choices are right"},
		"two right":     {question(right, right), "2 choices are right"},
		"no because":    {question(right, `{"text": "c"}`), "choice 2 needs"},
		"no text":       {question(`{"right": true, "because": "b"}`, wrong), "choice 1 needs"},
		"no question":   {`{"choices": []}`, "question is missing"},
		"unknown field": {`{"question": "q", "answers": []}`, `unknown field "answers"`},
		"an event":      {shown(`[{"event": "made"}]`), `unknown event "made"`},
		"no event":      {shown(`[]`), "needs 1 to 8 events"},
		"neither":       {shown(`{"check": "a"}`), `unknown field "check"`},
		"a measure":     {measured(`{"lane": "a", "figure": "woken per release"}`), "measured: atLeast or atMost is missing"},
		"an instant":    {shown(`"stuck"`), ""},
		"group is ours": {`{"question": "q", "Group": "x"}`, `unknown field "Group"`},
	} {
		t.Run(name, func(t *testing.T) { checkError(t, second(parseQuestion([]byte(test.body))), ErrQuestion, test.want) })
	}
}

func second[T any](_ T, err error) error { return err }

func checkError(t *testing.T, err, kind error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Errorf("got %v", err)
	case want != "" && (!errors.Is(err, kind) || !strings.Contains(err.Error(), want)):
		t.Errorf("got %v, want %v with %q", err, kind, want)
	}
}

func FuzzParseRunCard(f *testing.F) {
	f.Add([]byte(`{"scenario": "a", "title": "t", "text": "x", "clients": 1, "delay": "5ms", "seed": 1}`))
	f.Add([]byte(`{"clients": 1e9, "delay": "1h"}`))
	f.Add([]byte("{\n\n"))
	f.Fuzz(func(t *testing.T, body []byte) {
		card, err := parseRunCard(body)
		checkFenceError(t, body, err, ErrRunCard)
		inRange := card.Clients >= 1 && card.Clients <= 50 && card.Delay >= 0 && card.Delay <= time.Second && card.Seed > 0
		if err == nil && (!inRange || card.Scenario == "" || card.Title == "") {
			t.Errorf("accepted %+v", card)
		}
	})
}

func FuzzParseQuestion(f *testing.F) {
	f.Add([]byte(`{"question": "q", "choices": [{"text": "a", "right": true, "because": "b"}, {"text": "c", "because": "d"}]}`))
	f.Add([]byte(`{"choices": [{}]}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		question, err := parseQuestion(body)
		checkFenceError(t, body, err, ErrQuestion)
		if err == nil && (question.Text == "" || len(question.Choices) < 2 || len(question.Choices) > 6) {
			t.Errorf("accepted %+v", question)
		}
	})
}

// checkFenceError checks that an error is of its kind and lies in the body.
func checkFenceError(t *testing.T, body []byte, err, kind error) {
	t.Helper()
	if err != nil && !errors.Is(err, kind) {
		t.Errorf("error %v is not %v", err, kind)
	}
	if bad, ok := errors.AsType[*badFence](err); ok && bad.line > strings.Count(string(body), "\n") {
		t.Errorf("error at line %d of %q", bad.line, body)
	}
}

func TestCheckFence(t *testing.T) {
	got := map[string]bool{}
	for _, info := range []string{"scenario", "predict", "go", "console", "bash", "text", "json", "", "Go", "go x", "python"} {
		got[info] = checkFence(info) == nil
	}
	want := map[string]bool{"scenario": true, "predict": true, "go": true, "console": true, "bash": true,
		"text": true, "json": true, "": false, "Go": false, "go x": false, "python": false}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
