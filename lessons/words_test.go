package lessons

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// verbs are what stands in a word for a value.
var verbs = regexp.MustCompile(`%[a-z]|\{[a-z]+\}`)

// TestWordsAreComplete wants each word in each locale, with the same values, and those of
// English in that order, as they are given.
func TestWordsAreComplete(t *testing.T) {
	for name, word := range words {
		for _, locale := range Locales {
			text, err := Word(locale, name)
			if err != nil || strings.TrimSpace(text) == "" || locale != DefaultLocale && text == word.en {
				t.Errorf("%s in %s is %q, %v", name, locale, text, err)
			}
			if want, got := verbs.FindAllString(word.en, -1), verbs.FindAllString(text, -1); !slices.Equal(want, got) {
				t.Errorf("%s in %s has the values %q, want %q", name, locale, got, want)
			}
		}
	}
	if _, err := Word("zh", "no-such-word"); err == nil {
		t.Error("a word that is not there is there")
	}
	if word, err := Word("xx", "minutes", 20); err != nil || word != "20 min" {
		t.Errorf("in another locale: %q, %v", word, err)
	}
}

// TestEveryWordIsUsed wants the templates to ask for words that there are, and for all.
func TestEveryWordIsUsed(t *testing.T) {
	files, err := filepath.Glob("templates/*.html")
	more, _ := filepath.Glob("*/templates/*.html")
	if files = append(files, more...); err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	used := make(map[string]bool)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`\bword "([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			if used[found[1]] = true; words[found[1]] == (wording{}) {
				t.Errorf("%s asks for %q, which is not there", file, found[1])
			}
		}
	}
	for name := range words {
		if !used[name] {
			t.Errorf("no template uses %q", name)
		}
	}
}
