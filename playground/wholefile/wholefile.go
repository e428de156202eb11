// Package wholefile writes files that are there when they are whole.
package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
)

// Partial ends the name of a file until it is whole. Only a program that was killed
// leaves one behind.
const Partial = ".partial"

// Write writes the file called name. It is there once all of it is on the disk; until
// then, and if it cannot be written, what had the name before stays.
func Write(name string, write func(io.Writer) error) error {
	if err := writeSynced(name+Partial, write); err != nil {
		_ = os.Remove(name + Partial) // should it stay, its name says what it is
		return err
	}
	if err := os.Rename(name+Partial, name); err != nil {
		return errors.Join(err, os.Remove(name+Partial))
	}
	syncDirectory(filepath.Dir(name))
	return nil
}

func writeSynced(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := write(file); err != nil {
		return errors.Join(err, file.Close())
	}
	return errors.Join(file.Sync(), file.Close())
}

// syncDirectory makes a new name outlast a power cut. Not every system can do that,
// and none needs it for the file to be whole.
func syncDirectory(dir string) {
	if d, err := os.Open(dir); err == nil {
		_ = d.Sync()
		d.Close()
	}
}
