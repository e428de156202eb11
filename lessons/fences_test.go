package lessons_test

import (
	"io/fs"
	"os"
	"regexp"
	"testing"
)

// foldPattern finds the parts that are folded, and quotePattern what begins each of their lines.
var (
	foldPattern  = regexp.MustCompile(`(?m)^> #.*\n(?:>.*\n)*`)
	quotePattern = regexp.MustCompile(`(?m)^> ?`)
)

// fencePattern finds the fences that start at the left margin, as all do here.
var fencePattern = regexp.MustCompile("(?ms)^```(\\w+)\n(.*?)^```$")

// fences returns the bodies of the fences of one language, by lesson file, in
// the order of the text. A test that gets none would prove nothing, so it fails.
func fences(t *testing.T, language string) map[string][]string {
	t.Helper()
	lessonFiles := os.DirFS("en")
	names, err := fs.Glob(lessonFiles, "*.md")
	if err != nil {
		t.Fatal(err)
	}
	found := make(map[string][]string)
	for _, name := range names {
		text, err := fs.ReadFile(lessonFiles, name)
		if err != nil {
			t.Fatal(err)
		}
		text = foldPattern.ReplaceAllFunc(text, func(fold []byte) []byte { return quotePattern.ReplaceAll(fold, nil) })
		for _, fence := range fencePattern.FindAllSubmatch(text, -1) {
			if string(fence[1]) == language {
				found[name] = append(found[name], string(fence[2]))
			}
		}
	}
	if len(found) == 0 {
		t.Fatalf("no %s fences", language)
	}
	return found
}
