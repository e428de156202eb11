package child

import (
	"errors"
	"io"
	"strings"
	"testing"
)

// brokenLog cannot be written.
type brokenLog struct{}

func (brokenLog) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestTailKeepsTheLastLines(t *testing.T) {
	output := NewTail(io.Discard)
	if got := output.Lines(3); !strings.Contains(got, "wrote nothing") {
		t.Errorf("lines of nothing = %q", got)
	}
	io.WriteString(output, "one\ntwo\nthree\n\tat java.base/Net.bind0(Native Method)\nfour\n")
	if got, want := output.Lines(2), "    three\n    four"; got != want {
		t.Errorf("lines(2) = %q, want %q", got, want)
	}
}

func TestTailIsBounded(t *testing.T) {
	output := NewTail(io.Discard)
	for range 100 {
		io.WriteString(output, strings.Repeat("x", 1000)+"\n")
	}
	io.WriteString(output, "the end\n")
	if len(output.last) > tailSize || !output.Contains("the end") {
		t.Errorf("%d bytes kept, ending %q", len(output.last), output.Lines(1))
	}
}

func TestTailOutlivesItsLog(t *testing.T) {
	output := NewTail(brokenLog{})
	n, err := io.WriteString(output, "text")
	if n != 4 || err != nil || !output.Contains("text") {
		t.Errorf("Write = %d, %v; kept %q", n, err, output.last)
	}
}
