package zkcli_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// TestHistoryIsBounded: a console that is typed at for hours keeps the newest lines, under
// their own numbers, and not the memory of all.
func TestHistoryIsBounded(t *testing.T) { // not parallel: it measures the heap
	const lines, length, most = 400, 8 << 10, 1 << 20
	s := start(t, "127.0.0.1:1", func(c *zkcli.Config) {
		c.Unknown = func([]string) string { return "no such command" }
	})
	before := heap()
	for i := range lines / 2 {
		s.Execute(t.Context(), fmt.Sprintf("line%d %s", i, strings.Repeat("x", length)))
		s.take()
		s.Execute(t.Context(), fmt.Sprintf("redo %d", 2*i)) // it counts as what it does again
		s.take()
	}
	if grown := heap() - before; grown > most {
		t.Errorf("after %d lines the heap has grown by %d bytes, want at most %d", lines, grown, most)
	}
	if want := fmt.Sprintf(" %d] ", lines); !strings.HasSuffix(s.Prompt(), want) {
		t.Errorf("the prompt is %q, want %q at its end", s.Prompt(), want)
	}
	shown := strings.Split(strings.TrimSpace(s.do("history")), "\n")
	if len(shown) != 11 {
		t.Fatalf("the history shows %d lines, want 11", len(shown))
	}
	for i, line := range shown {
		number := lines - 10 + i
		want := fmt.Sprintf("%d - line%d x", number, number/2)
		if number == lines {
			want = fmt.Sprintf("%d - history", number)
		}
		if !strings.HasPrefix(line, want) {
			t.Errorf("the history shows %.20q, want %q", line, want)
		}
	}
	if got := s.do("redo 0"); got != "Command index out of range\n" {
		t.Errorf("redo of a line that is forgotten: %q", got)
	}
	if got := s.do(fmt.Sprintf("redo %d", lines-1)); got != "no such command\n" {
		t.Errorf("redo of a line that is not: %q", got)
	}
}

// heap is how much memory is in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
