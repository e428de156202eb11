// Package disk makes temporary files of which nothing is left when the program is killed, and
// says how much room a disk has.
package disk

import (
	"errors"
	"os"
)

// Directory is where temporary files of dir are: an empty one is the system's.
func Directory(dir string) string {
	if dir == "" {
		return os.TempDir()
	}
	return dir
}

// createNamed makes a temporary file. Where the system allows it the file loses its name
// at once, so that nothing is left of a program that is killed later.
func createNamed(dir, pattern string) (*os.File, error) {
	file, err := os.CreateTemp(dir, pattern)
	if err != nil {
		return nil, err
	}
	_ = os.Remove(file.Name())
	return file, nil
}

// Remove closes a file, if there is one, and makes sure that it has no name.
func Remove(file *os.File) error {
	if file == nil {
		return nil
	}
	err := file.Close()
	if again := os.Remove(file.Name()); !errors.Is(again, os.ErrNotExist) {
		err = errors.Join(err, again)
	}
	return err
}
