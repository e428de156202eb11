package knownbugs

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The go command is run for each bug, so make test puts only one back, to see that
// this works.
var relapsing = flag.String("relapses", "3", "the `numbers` of the known bugs that TestRelapses puts back, with commas between them, or all, which takes half an hour")

// shortTimeout has tests that would wait forever on a bug give up soon.
var shortTimeout = change{"test/locks/helpers_test.go", "const timeout = time.Minute", "const timeout = 10 * time.Second"}

// Each bug that is put back is caught by a test that knownBugs names, and that
// passes without the bug.
func TestRelapses(t *testing.T) {
	t.Parallel()
	for _, r := range chosenRelapses(t) {
		known := knownBugs[r.number-1]
		t.Run(fmt.Sprintf("T%02d", r.number), func(t *testing.T) {
			if how := failing(t, known.tests, nil); how != "" {
				t.Fatalf("without the bug: %s", how)
			}
			how := failing(t, known.tests, r.changes)
			if how == "" {
				t.Fatalf("%s: none of %s fails", known.bug, known.tests)
			}
			t.Logf("%s: %s", known.bug, how)
		})
	}
}

// chosenRelapses are those that the flag names.
func chosenRelapses(t *testing.T) (chosen []relapse) {
	t.Helper()
	if *relapsing == "all" {
		return relapses
	}
	for number := range strings.SplitSeq(*relapsing, ",") {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 || n > len(relapses) {
			t.Fatalf("-relapses: no bug has the number %q; want some of 1 to %d, as in 3,14, or all", number, len(relapses))
		}
		chosen = append(chosen, relapses[n-1])
	}
	return chosen
}

// Each relapse fits the code as it stands, and leaves what can be parsed.
func TestRelapsesFit(t *testing.T) {
	t.Parallel()
	for i, r := range relapses {
		if r.number != i+1 {
			t.Errorf("T%02d stands in the place of T%02d", r.number, i+1)
		}
		for file, text := range changed(t, r.changes) {
			if _, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution); err != nil {
				t.Errorf("T%02d: %v", r.number, err)
			}
		}
	}
	if len(relapses) != bugs {
		t.Errorf("%d relapses, want %d", len(relapses), bugs)
	}
}

// changed returns the texts of the files with the changes.
func changed(t *testing.T, changes []change) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	for _, c := range changes {
		text, known := texts[c.file]
		if !known {
			read, err := os.ReadFile(filepath.Join(root, c.file))
			if err != nil {
				t.Fatal(err)
			}
			text = string(read)
		}
		if n := strings.Count(text, c.code); n != 1 {
			t.Fatalf("%s has %q %d times, want once", c.file, c.code, n)
		}
		texts[c.file] = strings.Replace(text, c.code, c.instead, 1)
	}
	return texts
}

// byDirectory returns the tests that a knownBug names by the directories of their
// packages, which it returns in their order.
func byDirectory(tests string) (dirs []string, in map[string][]string) {
	in = make(map[string][]string)
	for _, name := range strings.Fields(tests) {
		dir, test := split(name)
		if in[dir] == nil {
			dirs = append(dirs, dir)
		}
		in[dir] = append(in[dir], test)
	}
	return dirs, in
}

// failing runs the tests on the code with the changes, until those of one package
// fail, and says how they do; it returns "" when all pass. A test that hangs
// fails, too. On a machine too busy for such a short timeout, that may be mistaken for
// the bug, so the line that is told is to be read.
func failing(t *testing.T, tests string, changes []change) (how string) {
	t.Helper()
	overlay := writeOverlay(t, append(slices.Clone(changes), shortTimeout))
	dirs, in := byDirectory(tests)
	for _, dir := range dirs {
		command := exec.CommandContext(t.Context(), "go", "test", "-overlay", overlay, "-vet=off", "-count=1", "-failfast",
			"-timeout", "2m", "-run", "^("+strings.Join(in[dir], "|")+")$", "./"+dir)
		command.Dir = root
		out, err := command.CombinedOutput()
		if err == nil {
			continue
		}
		if how = firstFailure(string(out)); how == "" {
			t.Fatalf("the tests of %s did not run: %v\n%s", dir, err, out)
		}
		return how
	}
	return ""
}

// firstFailure returns the first line of the output that tells of one.
func firstFailure(out string) string {
	for line := range strings.Lines(out) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"--- FAIL: ", "panic: ", "fatal error: "} {
			if strings.HasPrefix(line, mark) {
				return line
			}
		}
	}
	return ""
}

// writeOverlay writes what has the go command see the changes in the files' places.
func writeOverlay(t *testing.T, changes []change) (file string) {
	t.Helper()
	dir, replace := t.TempDir(), make(map[string]string)
	for name, text := range changed(t, changes) {
		original, err := filepath.Abs(filepath.Join(root, name))
		instead := filepath.Join(dir, strings.ReplaceAll(name, "/", "-"))
		if err := errors.Join(err, os.WriteFile(instead, []byte(text), 0o600)); err != nil {
			t.Fatal(err)
		}
		replace[original] = instead
	}
	file = filepath.Join(dir, "overlay.json")
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err := errors.Join(err, os.WriteFile(file, list, 0o600)); err != nil {
		t.Fatal(err)
	}
	return file
}
