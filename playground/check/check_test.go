package check_test

import (
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/check"
)

// TestChecksDescribeThemselves: what a visitor reads of a check comes from the
// check alone.
func TestChecksDescribeThemselves(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range check.All() {
		if c.Name == "" || seen[c.Name] || c.Title == "" || seen[c.Title] {
			t.Errorf("check %q, titled %q: want a name and a title of its own", c.Name, c.Title)
		}
		seen[c.Name], seen[c.Title] = true, true
		if !strings.HasSuffix(c.Sentence, ".") || strings.Count(c.Sentence, ".") != 1 || !strings.Contains(c.Sentence, "; judged by ") {
			t.Errorf("%s: want one sentence that says what is asserted, and by what it is judged, have %q", c.Name, c.Sentence)
		}
		if c.Violated == "" || strings.HasSuffix(c.Violated, ".") || seen[c.Violated] {
			t.Errorf("%s: want a sentence of its own without a full stop that says what has happened, have %q", c.Name, c.Violated)
		}
		seen[c.Violated] = true
	}
}
