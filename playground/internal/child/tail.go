package child

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"sync"
)

// tailSize is how much of a server's output is kept to explain a failure.
const tailSize = 8 << 10

// A Tail passes on what is written to it and remembers the end. It is safe for
// concurrent use.
type Tail struct {
	next io.Writer

	mu   sync.Mutex
	last []byte
}

// NewTail returns a tail that passes on to next.
func NewTail(next io.Writer) *Tail { return &Tail{next: next} }

// Write keeps p and passes it on. A log that cannot be written must not stop
// the server, so an error of the next writer is not returned.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	if extra := len(t.last) - tailSize; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	_, _ = t.next.Write(p)
	return len(p), nil
}

// Contains reports whether text is in the remembered output.
func (t *Tail) Contains(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Contains(t.last, []byte(text))
}

// Lines returns the last n lines, without the stack traces of Java, indented
// for an error message.
func (t *Tail) Lines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.last))
	if text == "" {
		return "    (the server wrote nothing)"
	}
	all := slices.DeleteFunc(strings.Split(text, "\n"), isStackFrame)
	return "    " + strings.Join(all[max(0, len(all)-n):], "\n    ")
}

func isStackFrame(line string) bool { return strings.HasPrefix(line, "\tat ") }
