package lessons_test

import (
	"regexp"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// yourDoing are words by which a sentence says that the reader did something.
var yourDoing = regexp.MustCompile(`(?i)\byou have\b|\byour session was\b`)

// TestMistakesClaimWhatTheyHaveSeen: the sentence of a mistake says that its reader did
// something only where the condition asks that it was the reader.
func TestMistakesClaimWhatTheyHaveSeen(t *testing.T) {
	for _, lesson := range shipped(t).All() {
		if lesson.Locale != lessons.DefaultLocale {
			continue // the others have the same conditions, as another test says
		}
		for _, check := range lesson.Checks {
			for _, mistake := range check.Condition.Mistakes {
				if mistake.Where.By != "you" && yourDoing.MatchString(mistake.Why) {
					t.Errorf("%s: of what anybody may have done it says %q", check.Key(), mistake.Why)
				}
			}
		}
	}
}
