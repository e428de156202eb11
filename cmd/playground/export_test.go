package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const lostWakeup = "../../static/test/fixtures/lost-wakeup.ndjson.zst"

func TestExport(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "run.html")
	c := start(t, nil, "export", lostWakeup, out)
	if code := c.exitCode(t, timeout); code != 0 || c.stdout.text() != "" {
		t.Fatalf("exit code %d, stdout %q, stderr %q", code, c.stdout.text(), c.stderr.text())
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if text := string(page); !strings.HasPrefix(text, "<!doctype html>") || !strings.HasSuffix(text, "</html>\n") {
		t.Errorf("it is no page, but %.60q … %.60q", text, text[max(0, len(text)-60):])
	}
}

// What cannot be exported is told in one line, and leaves what was there.
func TestExportRefuses(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	recording, err := os.ReadFile(lostWakeup)
	if err != nil {
		t.Fatal(err)
	}
	cut := filepath.Join(dir, "cut.ndjson.zst")
	if err := os.WriteFile(cut, recording[:len(recording)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"no arguments", nil, "export takes a recording and the page to write"},
		{"no page", []string{lostWakeup}, "export takes a recording and the page to write"},
		{"an argument too many", []string{lostWakeup, "a.html", "b.html"}, "export takes a recording and the page to write"},
		{"no such file", []string{filepath.Join(dir, "none"), "OUT"}, "no such file"},
		{"no recording", []string{"main.go", "OUT"}, "main.go: not a readable recording"},
		{"half a recording", []string{cut, "OUT"}, "cut.ndjson.zst: not a readable recording"},
		{"no such folder", []string{lostWakeup, filepath.Join(dir, "none", "out.html")}, "no such file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			out := filepath.Join(t.TempDir(), "out.html")
			if err := os.WriteFile(out, []byte("before"), 0o666); err != nil {
				t.Fatal(err)
			}
			args := []string{"export"}
			for _, arg := range test.args {
				args = append(args, strings.Replace(arg, "OUT", out, 1))
			}
			c := start(t, nil, args...)
			if code := c.exitCode(t, timeout); code != exitUsage {
				t.Errorf("exit code %d, want %d", code, exitUsage)
			}
			if line := c.stderr.text(); !strings.Contains(line, test.want) || strings.Count(line, "\n") != 1 {
				t.Errorf("stderr %q, want one line with %q", line, test.want)
			}
			if left, err := os.ReadFile(out); err != nil || string(left) != "before" {
				t.Errorf("the file has %.20q: %v", left, err)
			}
			if files, err := os.ReadDir(filepath.Dir(out)); err != nil || len(files) != 1 {
				t.Errorf("%d files are left: %v", len(files), err)
			}
		})
	}
}
