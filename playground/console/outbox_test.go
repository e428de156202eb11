package console_test

import (
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/console"
)

// TestOutbox: what a console says comes in order, and what is too much is left out and
// told, without making the console wait.
func TestOutbox(t *testing.T) {
	t.Parallel()
	now := time.Unix(0, 0)
	out := console.NewOutbox(func() time.Time { return now })

	out.Write("out", "a\n")
	out.Write("out", "b\n")
	out.Write("err", "no\n")
	out.Write("watch", "one\n")
	out.Write("watch", "two\n")
	out.Put(console.Frame{Prompt: "> "})
	if got := told(out.Take()); got != "out:a\nb\n|err:no\n|watch:one\n|watch:two\n|prompt:> " {
		t.Errorf("told %q", got)
	}
	if got := out.Take(); got != nil {
		t.Errorf("told %v again", got)
	}

	out.Write("out", strings.Repeat("x", 1<<20))
	if got := told(out.Take()); len(got) > 33<<10 || !strings.HasSuffix(got, "bytes more\n") {
		t.Errorf("a long text came as %d bytes, its end is %q", len(got), got[len(got)-40:])
	}

	now = now.Add(time.Minute)
	sum := 0
	for range 1000 {
		out.Write("out", strings.Repeat("y", 1<<10))
	}
	for _, f := range out.Take() {
		sum += len(f.Output.Text)
	}
	if sum < 200<<10 || sum > 300<<10 {
		t.Errorf("%d bytes wait for who does not read", sum)
	}
	out.Write("out", "z") // the budget is used up
	if got := told(out.Take()); got != "err:… 1 texts were left out: too much at once\n" {
		t.Errorf("told %q", got)
	}
	now = now.Add(time.Minute)
	out.Write("out", "\xff")
	if got := told(out.Take()); got != "out:\uFFFD" {
		t.Errorf("told %q", got)
	}
}

// told are frames as text.
func told(frames []console.Frame) string {
	var all []string
	for _, f := range frames {
		switch {
		case f.Output != nil:
			all = append(all, f.Output.Stream+":"+f.Output.Text)
		case f.Prompt != "":
			all = append(all, "prompt:"+f.Prompt)
		}
	}
	return strings.Join(all, "|")
}
