package wholefile_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/zkplayground/zkplayground/playground/wholefile"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "file")
	broken := errors.New("broken off")
	steps := []struct {
		text string
		err  error
		want string
	}{
		{"first", nil, "first"},
		{"half of", broken, "first"},
		{"second", nil, "second"},
	}
	for _, step := range steps {
		err := wholefile.Write(name, func(w io.Writer) error {
			if _, err := io.WriteString(w, step.text); err != nil {
				t.Fatal(err)
			}
			return step.err
		})
		if !errors.Is(err, step.err) {
			t.Errorf("%s: %v, want %v", step.text, err, step.err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != step.want {
			t.Errorf("after %q the file has %q, %v; want %q", step.text, got, err, step.want)
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
			t.Errorf("after %q there are %v, %v", step.text, entries, err)
		}
	}
}

func TestWriteWhereItCannot(t *testing.T) {
	name := filepath.Join(t.TempDir(), "missing", "file")
	err := wholefile.Write(name, func(io.Writer) error { return nil })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v, want %v", err, os.ErrNotExist)
	}
	taken := t.TempDir() // a directory has the name
	if err := os.WriteFile(filepath.Join(taken, "inside"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := wholefile.Write(taken, func(io.Writer) error { return nil }); err == nil {
		t.Error("a directory was replaced by a file")
	}
	if _, err := os.Stat(taken + wholefile.Partial); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the part of a file is left: %v", err)
	}
}
