package lessons

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/zkplayground/zkplayground/playground/goal"
)

// Names of the fences that are more than code.
const (
	scenarioFence = "scenario"
	predictFence  = "predict"
	doFence       = "do"
	goalFence     = "check"
	mendFence     = "challenge"
)

// blockFences are those.
var blockFences = []string{scenarioFence, predictFence, doFence, goalFence, mendFence}

// codeFences are the languages that a lesson may show. The list is closed so
// that a misspelt scenario fence is an error instead of a listing.
var codeFences = []string{"bash", "console", "go", "json", "text"}

// checkFence refuses a fence whose info string is not just a known name: what
// follows a name can change how the highlighter writes its styles.
func checkFence(info string) error {
	if slices.Contains(blockFences, info) || slices.Contains(codeFences, info) {
		return nil
	}
	return fmt.Errorf("%w %q, have %s", ErrFence, info, strings.Join(slices.Concat(blockFences, codeFences), ", "))
}

// A badFence is an error at a line within a fence, counted from 0.
type badFence struct {
	line int
	err  error
}

func (b *badFence) Error() string { return b.err.Error() }
func (b *badFence) Unwrap() error { return b.err }

// decodeFence decodes the one JSON value of a fence into v, strictly: unknown
// fields and trailing text are errors. Errors wrap kind.
func decodeFence(body []byte, v any, kind error) error {
	decoder := json.NewDecoder(bytes.NewReader(body))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(v); err != nil {
		return &badFence{line: lineAt(body, offsetOf(body, err, decoder.InputOffset())), err: fmt.Errorf("%w: %w", kind, err)}
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		line := lineAt(body, decoder.InputOffset())
		return &badFence{line: line, err: fmt.Errorf("%w: text after the JSON value", kind)}
	}
	return nil
}

// unknownField is what the decoder says of one. It tells where by the name alone.
var unknownField = regexp.MustCompile(`unknown field ("[^"]*")`)

// offsetOf returns where in a fence the error is: at the word that is wrong, if it names
// one, else where the decoder had come to.
func offsetOf(body []byte, err error, read int64) int64 {
	if name := unknownField.FindStringSubmatch(err.Error()); name != nil {
		return int64(bytes.Index(body, []byte(name[1])))
	}
	if mistaken, ok := errors.AsType[*goal.Mistaken](err); ok && mistaken.Text != "" {
		return int64(bytes.Index(body, []byte(`"`+mistaken.Text+`"`)))
	}
	if syntax, ok := errors.AsType[*json.SyntaxError](err); ok {
		return syntax.Offset
	}
	if mismatch, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return mismatch.Offset
	}
	return read
}

// marshal is v as JSON in the page.
func marshal(v any) (string, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("encode for the page: %w", err)
	}
	return string(text), nil
}

// lineAt counts the line breaks before an offset.
func lineAt(text []byte, offset int64) int {
	offset = min(max(offset, 0), int64(len(text)))
	return bytes.Count(text[:offset], []byte("\n"))
}
