// Package export makes one self-contained HTML page of a recording: it plays the
// recorded run beside its lesson, from a disk and without a network.
//
// What is written is the template static/saved.html with everything inside: the
// page's script and styles as `make lib` bundled them, its sentences where it is not in
// English, the lesson, what the catalogue says of faults, recipes and checks, and the
// events themselves, as NDJSON compressed by gzip in base64, which every browser can undo
// by itself. A content security policy that names the script and the styles by their
// hashes forbids the page everything else, so it can load nothing and run nothing that is
// not ours.
//
// The package reads recordings, it does not make any; what it writes is streamed, so a
// long recording takes no more memory than a short one.
package export

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"io/fs"
	"strings"
	"text/template"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/static"
)

// ErrNotBundled is returned where the page's script has not been bundled.
var ErrNotBundled = errors.New("the page is not bundled, run `make lib` and build the program again")

// A Config is what pages are made of.
type Config struct {
	// Static holds the page.
	Static fs.FS
	// Lessons and Scenarios say what is to be read beside a run.
	Lessons   *lessons.Library
	Scenarios scenario.Set
	// Catalogue says what faults, recipes and checks there are.
	Catalogue scenario.Catalogue
	// Language is that of the pages, by its code; empty for English.
	Language string
}

// A Template writes pages. It never changes and is safe for concurrent use.
type Template struct {
	config        Config
	page          *template.Template
	script, style string
	catalogue     string
	language      string
	sentences     string
}

// New reads the parts that all pages have in common. Its errors wrap ErrNotBundled or
// static.ErrNoLanguage, or say what is wrong with a part.
func New(config Config) (*Template, error) {
	t := &Template{config: config, language: cmp.Or(config.Language, lessons.DefaultLocale)}
	var err error
	if t.page, err = template.ParseFS(config.Static, "saved.html"); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	if t.script, err = bundled(config.Static, "saved.js"); err != nil {
		return nil, err
	}
	if t.style, err = bundled(config.Static, "saved.css"); err != nil {
		return nil, err
	}
	t.style += string(lessons.StyleSheet())
	sentences, err := static.Sentences(config.Static, t.language)
	if err != nil {
		return nil, err
	}
	if t.sentences, err = inScript(sentences); err != nil {
		return nil, err
	}
	t.catalogue, err = inScript(config.Catalogue)
	return t, err
}

// inScript is a value as JSON, with what could end a script escaped.
func inScript(value any) (string, error) {
	text, err := json.Marshal(value)
	return string(text), err
}

// bundled reads a script or a style sheet that can stand in a page as it is.
func bundled(files fs.FS, name string) (string, error) {
	content, err := fs.ReadFile(files, "lib/page/"+name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ErrNotBundled
	}
	if err != nil {
		return "", err
	}
	lower := strings.ToLower(string(content))
	for _, end := range []string{"</script", "</style", "<!--"} {
		if strings.Contains(lower, end) {
			return "", fmt.Errorf("%s contains %q, which would end it in a page", name, end)
		}
	}
	return string(content), nil
}

// Write writes the page of a recording. Its errors are the writer's, or the
// recording's, which wrap event.ErrNotRecording; then what has been written is no page.
func (t *Template) Write(w io.Writer, recording *event.Recording) error {
	lesson, err := t.lesson(recording.Run.Scenario)
	if err != nil {
		return err
	}
	parts := map[string]string{
		"Title":      html.EscapeString(title(recording.Run)),
		"Script":     t.script,
		"ScriptHash": hash(t.script),
		"Style":      t.style,
		"StyleHash":  hash(t.style),
		"Lesson":     lesson,
		"Catalogue":  t.catalogue,
		"Language":   t.language,
		"Sentences":  t.sentences,
	}
	if err := t.page.Execute(w, parts); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	if err := embed(w, recording); err != nil {
		return err
	}
	if err := t.page.ExecuteTemplate(w, "end", parts); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

func title(run event.Run) string {
	if run.Title != "" {
		return run.Title
	}
	return run.Scenario
}

// hash is the name of an inline script or style in a content security policy.
func hash(content string) string {
	sum := sha256.Sum256([]byte(content))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// embed writes the recording so that it can stand in a page: base64 has no character
// that means anything there.
func embed(w io.Writer, recording *event.Recording) error {
	text := base64.NewEncoder(base64.StdEncoding, w)
	compressor := gzip.NewWriter(text)
	if err := recording.WriteText(compressor); err != nil {
		return err
	}
	if err := errors.Join(compressor.Close(), text.Close()); err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	return nil
}
