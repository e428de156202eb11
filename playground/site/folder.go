package site

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// ErrNotOurs is returned for a directory that has something in it and was not made by
// this package.
var ErrNotOurs = errors.New("is not empty, and no site that this command has made")

// mark is in the first page of a site, and says that this package has made it.
const mark = `<meta name="generator" content="zkplayground site">`

// Check says whether a site may be written into dir: ErrNotOurs, or why it cannot.
func Check(dir string) error {
	f, err := openFolder(dir)
	if err != nil {
		return err
	}
	return f.discard()
}

// A folder is a directory that is there when it is whole: until then what it is to hold
// stands beside it.
type folder struct {
	path, partial string
}

// openFolder makes the place for what the directory at path is to hold. What had that
// path before must be a site, or empty, and stays until replace.
func openFolder(path string) (*folder, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target // else the link would be replaced
	}
	f := &folder{path: path}
	if err := f.check(); err != nil {
		return nil, err
	}
	if f.partial, err = os.MkdirTemp(filepath.Dir(path), filepath.Base(path)+wholefile.Partial+"-"); err != nil {
		return nil, err
	}
	return f, os.Chmod(f.partial, 0o755) // it is to be served, maybe by others
}

// check refuses to replace what is not ours.
func (f *folder) check() error {
	entries, err := os.ReadDir(f.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	index, err := os.ReadFile(filepath.Join(f.path, "index.html"))
	if err != nil || !strings.Contains(string(index), mark) {
		return fmt.Errorf("%s %w", f.path, ErrNotOurs)
	}
	return nil
}

// file is where a file lies until the directory is whole, whose name has slashes.
func (f *folder) file(name string) string { return filepath.Join(f.partial, filepath.FromSlash(name)) }

// write writes a file of it.
func (f *folder) write(name string, content []byte) error {
	if err := os.MkdirAll(filepath.Dir(f.file(name)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(f.file(name), content, 0o644)
}

// replace puts what has been written in its place.
func (f *folder) replace() error {
	if err := f.check(); err != nil { // it took a while
		return err
	}
	before := f.partial + "-before"
	switch err := os.Rename(f.path, before); {
	case errors.Is(err, fs.ErrNotExist):
		return os.Rename(f.partial, f.path)
	case err != nil:
		return err
	}
	if err := os.Rename(f.partial, f.path); err != nil {
		return errors.Join(err, os.Rename(before, f.path))
	}
	return os.RemoveAll(before)
}

// discard removes what has not become whole.
func (f *folder) discard() error { return os.RemoveAll(f.partial) }

// size is how many files there are, and how many bytes they have.
func (f *folder) size() (files int, bytes int64, err error) {
	err = filepath.WalkDir(f.partial, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		files++
		bytes += info.Size()
		return nil
	})
	return files, bytes, err
}
