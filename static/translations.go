package static

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// ErrNoLanguage is returned where the page has no sentences in a language.
var ErrNoLanguage = errors.New("no such language")

// Sentences reads what the page says in a language, by the English sentences: nothing for
// English itself, in which they stand where they are used.
func Sentences(files fs.FS, language string) (map[string]string, error) {
	found := map[string]string{}
	if language == "en" {
		return found, nil
	}
	table, err := fs.ReadFile(files, "js/text/languages/"+language+".json")
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
		return nil, fmt.Errorf("%w: %q", ErrNoLanguage, language)
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(table, &found); err != nil {
		return nil, fmt.Errorf("read the sentences in %q: %w", language, err)
	}
	return found, nil
}
