package main

import (
	"context"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/zkplayground/zkplayground/playground/program/kit"
)

//go:embed node java
var sources embed.FS

// fetched is the file that says that a directory has all it needs.
const fetched = ".fetched"

// fetch makes the directory of a lock's program, unless it is there already.
func (l lock) fetch(ctx context.Context, dir string) error {
	if _, err := os.Stat(filepath.Join(dir, fetched)); err == nil {
		return nil
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := l.write(dir); err != nil {
		return err
	}
	command := exec.CommandContext(ctx, "sh", "-c", l.prepare)
	command.Dir = dir
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	if err := command.Run(); err != nil {
		return fmt.Errorf("prepare by %q: %w", l.prepare, err)
	}
	return os.WriteFile(filepath.Join(dir, fetched), nil, 0o666)
}

// write writes the lock's program into a directory that is not there yet.
func (l lock) write(dir string) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if l.kit != "" {
		if _, err := kit.Write(l.kit, dir); err != nil {
			return err
		}
	}
	if l.programs != "" {
		own, err := fs.Sub(sources, l.programs)
		if err != nil {
			return err
		}
		if err := os.CopyFS(dir, own); err != nil {
			return err
		}
	}
	for _, c := range l.changes {
		if err := c.make(dir); err != nil {
			return err
		}
	}
	return nil
}

// A change is one of a kit's program.
type change struct{ file, old, new string }

func (c change) make(dir string) error {
	name := filepath.Join(dir, c.file)
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), c.old) {
		return fmt.Errorf("%s has no %q to change", c.file, c.old)
	}
	return os.WriteFile(name, []byte(strings.ReplaceAll(string(text), c.old, c.new)), 0o666)
}
