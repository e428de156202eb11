package lessons_test

import (
	"encoding/json"
	"fmt"
	"go/format"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
)

// snippetImports are what the Go of a lesson may use without saying so.
var snippetImports = map[string]string{
	"context.": "context",
	"errors.":  "errors",
	"os.":      "os",
	"slices.":  "slices",
	"strings.": "strings",
	"time.":    "time",
	"*zk.":     "github.com/go-zookeeper/zk",
	"zklock.":  "github.com/zkplayground/zkplayground/zklock",
}

// TestGoSnippetsCompile builds the Go of the lessons against the real library.
// Each snippet is a package of its own, which exists only in an overlay, as a
// directory inside this module.
func TestGoSnippetsCompile(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	overlay := map[string]string{}
	packages := []string{}
	for name, snippets := range fences(t, "go") {
		for i, snippet := range snippets {
			directory := fmt.Sprintf("snippet_%s_%d", strings.TrimSuffix(name, ".md"), i)
			overlay[filepath.Join(here, directory, "snippet.go")] = writeSnippet(t, snippet)
			packages = append(packages, "./"+directory)
		}
	}
	for _, lesson := range shipped(t).All() {
		for i, task := range lesson.Tasks {
			if len(task.Go) == 0 {
				continue
			}
			directory := fmt.Sprintf("snippet_task_%s_%d", lesson.Slug, i)
			overlay[filepath.Join(here, directory, "snippet.go")] = writeSnippet(t, function(task))
			packages = append(packages, "./"+directory)
		}
	}
	arguments := append([]string{"build", "-overlay", writeOverlay(t, overlay)}, packages...)
	build := exec.CommandContext(t.Context(), "go", arguments...)
	if output, err := build.CombinedOutput(); err != nil {
		t.Errorf("%v:\n%s", err, output)
	}
}

// function is the Go of a task as a function of what it may use.
func function(task lessons.Task) string {
	body := "\t" + strings.Join(task.Go, "\n\t") + "\n}\n"
	if strings.Contains(body, "again.") {
		return "func do(conn, again *zk.Conn) error {\n" + body
	}
	return "func do(conn *zk.Conn) error {\n" + body
}

// writeSnippet makes a snippet a file and returns its name. One that is a program
// says itself what it uses.
func writeSnippet(t *testing.T, snippet string) string {
	t.Helper()
	var source strings.Builder
	if !strings.Contains(snippet, "package main\n") {
		source.WriteString("package snippet\n\nimport (\n")
		for use, path := range snippetImports {
			if strings.Contains(snippet, use) {
				fmt.Fprintf(&source, "\t%q\n", path)
			}
		}
		source.WriteString(")\n\n")
	}
	source.WriteString(snippet)
	if formatted, err := format.Source([]byte(snippet)); err != nil || string(formatted) != snippet {
		t.Errorf("not formatted as gofmt would (%v):\n%s", err, snippet)
	}
	return writeTemp(t, []byte(source.String()))
}

func writeOverlay(t *testing.T, files map[string]string) string {
	t.Helper()
	overlay, err := json.Marshal(map[string]any{"Replace": files})
	if err != nil {
		t.Fatal(err)
	}
	return writeTemp(t, overlay)
}

func writeTemp(t *testing.T, content []byte) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}
