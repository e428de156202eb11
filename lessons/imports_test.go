package lessons_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// TestImports: lessons know of the playground only what a goal is, and of the playground
// only its pages know lessons.
func TestImports(t *testing.T) {
	const module = "github.com/zkplayground/zkplayground/"
	root := os.DirFS("..")
	for _, folder := range []string{"lessons", "playground"} {
		err := fs.WalkDir(root, folder, func(file string, _ fs.DirEntry, err error) error {
			if err != nil || path.Ext(file) != ".go" || strings.HasSuffix(file, "_test.go") {
				return err
			}
			text, err := fs.ReadFile(root, file)
			if err != nil {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.ImportsOnly)
			if err != nil {
				return err
			}
			for _, each := range parsed.Imports {
				imported, ours := strings.CutPrefix(strings.Trim(each.Path.Value, `"`), module)
				up := folder == "lessons" && strings.HasPrefix(imported, "playground/") && imported != "playground/goal"
				down := folder == "playground" && strings.HasPrefix(imported, "lessons") && !strings.HasPrefix(file, "playground/site/") && !strings.HasPrefix(file, "playground/web/")
				if ours && (up || down) {
					t.Errorf("%s imports %s", file, imported)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}
