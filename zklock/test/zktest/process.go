package zktest

import (
	"errors"
	"os"
)

// Kill ends a process as a crash does. One that is dead already is no error.
func Kill(pid int) error {
	process, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	if err := process.Kill(); !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	return nil
}
