package lessons_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// A term is an entry of a glossary: what is written for an English word or idea, and what
// must not be written for it, each as a regular expression.
type term struct {
	English string   `json:"en"`
	Use     string   `json:"use"`
	Never   []string `json:"never"`
	Why     string   `json:"why,omitempty"`
}

// TestGlossary holds lessons, pages for teachers and the words of the page to the
// glossary of their language.
func TestGlossary(t *testing.T) {
	for _, locale := range lessons.Locales {
		t.Run(locale, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join("glossary", locale+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var terms []term
			if err := json.Unmarshal(text, &terms); err != nil {
				t.Fatal(err)
			}
			written := writtenIn(t, locale)
			for _, term := range terms {
				never := regexp.MustCompile(strings.Join(term.Never, "|"))
				used := false
				for place, sentence := range written {
					used = used || strings.Contains(sentence, term.Use)
					if found := never.FindString(sentence); found != "" {
						t.Errorf("%s says %q: for %q write %q", place, found, term.English, term.Use)
					}
				}
				if !used {
					t.Errorf("nothing says %q, for %q", term.Use, term.English)
				}
			}
		})
	}
}

// writtenIn returns each line that is written in a language, by its place.
func writtenIn(t *testing.T, locale string) map[string]string {
	t.Helper()
	written := map[string]string{}
	for _, pattern := range []string{"*.md", "*/*.md"} {
		names, err := filepath.Glob(filepath.Join(locale, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for number, line := range strings.Split(string(text), "\n") {
				written[fmt.Sprintf("%s:%d", name, number+1)] = line
			}
		}
	}
	for english, said := range pageWords(t, locale) {
		written[fmt.Sprintf("the page’s %q", english)] = said
	}
	return written
}

// pageWords returns the words of the page in a language, by the English ones.
func pageWords(t *testing.T, locale string) map[string]string {
	t.Helper()
	source := locale
	if locale == lessons.DefaultLocale {
		source = "zh" // its keys are the English sentences
	}
	text, err := os.ReadFile("../static/js/text/languages/" + source + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]string
	if err := json.Unmarshal(text, &words); err != nil {
		t.Fatal(err)
	}
	if locale == lessons.DefaultLocale {
		for english := range words {
			words[english] = english
		}
	}
	return words
}
