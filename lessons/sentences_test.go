package lessons_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// longest is how many words a sentence of a lesson may have. One idea each.
const longest = 25

var (
	// told matches what a fence says to the reader, as JSON.
	told = regexp.MustCompile(`"(?:question|text|because|task|goal|is|missing|why|tooEarly|says|hint)": "((?:[^"\\]|\\.)*)"`)
	// target matches what a link leads to.
	target = regexp.MustCompile(`\]\([^)]*\)`)
	// cell ends a cell of a table.
	cell = regexp.MustCompile(`\s\|\s`)
	// stop is where a sentence ends, also one before a colon.
	stop = regexp.MustCompile(`[.!?:]["*)”]*(?:\s+|$)`)
	// word is what is counted.
	word = regexp.MustCompile("[\\pL\\d][\\pL\\d'’`/_.-]*")
)

// TestSentencesAreShort holds the English lessons and their pages for teachers to
// sentences that can be read aloud.
func TestSentencesAreShort(t *testing.T) {
	for place, line := range writtenIn(t, lessons.DefaultLocale) {
		if strings.HasPrefix(place, "the page") {
			continue // its sentences have values in them
		}
		texts := []string{line}
		if strings.HasPrefix(strings.TrimSpace(line), `{`) || strings.HasPrefix(line, `  "`) || strings.HasPrefix(line, `     "`) {
			texts = nil
			for _, match := range told.FindAllStringSubmatch(line, -1) {
				texts = append(texts, match[1])
			}
		}
		for _, text := range texts {
			for _, text := range cell.Split(target.ReplaceAllString(text, "]"), -1) {
				for _, sentence := range stop.Split(text, -1) {
					if n := len(word.FindAllString(sentence, -1)); n > longest {
						t.Errorf("%s has a sentence of %d words: %s", place, n, sentence)
					}
				}
			}
		}
	}
}
