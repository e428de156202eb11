package console

import (
	"strings"
	"unicode/utf16"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// A Request is one of a person at a console. One of its fields is set.
type Request struct {
	// Line is a command, to be done.
	Line *string `json:"line"`
	// Complete is what there is of a line, to be gone on with.
	Complete *string `json:"complete"`
	// Start begins another process in the place of one that is gone.
	Start bool `json:"start"`
}

// A Frame is what a console says. Most have one field.
type Frame struct {
	Joined *Joined `json:"joined,omitempty"`
	Output *Output `json:"output,omitempty"`
	// Prompt is what stands in front of the next line; Done says that a line is done.
	Prompt      string       `json:"prompt,omitempty"`
	Done        bool         `json:"done,omitempty"`
	Completions *Completions `json:"completions,omitempty"`
	// Help is how commands say what they take: those that a console does.
	Help []string `json:"help,omitempty"`
	// Gone says why the console's process is gone, of which another can be started.
	Gone string `json:"gone,omitempty"`
	// Ended is the last frame, and says why.
	Ended string `json:"ended,omitempty"`
	// Reason is what Gone or Ended say in English.
	Reason *event.Reason `json:"reason,omitempty"`
}

// Joined says which client of the run the console is.
type Joined struct {
	Lane   string `json:"lane"`
	Client int    `json:"client"`
}

// Output is some text: "out", "err" or "watch" say of which sort.
type Output struct {
	Stream string `json:"stream"`
	Text   string `json:"text"`
}

// Completions are what the last word of a line can go on as: each may stand in the
// place of what begins at Start, counted as JavaScript counts.
type Completions struct {
	Of    string   `json:"of"`
	Start int      `json:"start"`
	Words []string `json:"words"`
}

func completions(line string, start int, words []string) *Completions {
	if words == nil {
		words = []string{}
	}
	return &Completions{Of: line, Start: len(utf16.Encode([]rune(line[:start]))), Words: words}
}

// streamOf names the sort of a text of zkcli's. That a znode has been created is no
// error, although zkCli writes it where its errors go.
func streamOf(s zkcli.Stream, text string) string {
	switch {
	case s == zkcli.Watch:
		return "watch"
	case s == zkcli.Err && !strings.HasPrefix(text, "Created "):
		return "err"
	default:
		return "out"
	}
}
