package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/wholefile"
)

// reserve makes sure, before a run, that its recording can be written. What a
// file of that name holds stays until there is something to replace it.
func reserve(name string) error {
	if name == "" || isDevice(name) {
		return nil
	}
	err := writable(name)
	if err == nil {
		err = writable(name + wholefile.Partial)
	}
	if err != nil {
		return fmt.Errorf("%w: -record: %w", errUsage, err)
	}
	return nil
}

// writable tries to open a file for writing, and leaves none that was not there.
func writable(name string) error {
	_, missing := os.Lstat(name)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	err = file.Close()
	if errors.Is(missing, os.ErrNotExist) {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// isDevice says that there is something of that name which is written to as it
// is: a device or a pipe.
func isDevice(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// writeRecording does nothing without a name.
func writeRecording(name string, run *run.Run) error {
	if name == "" {
		return nil
	}
	err := writeWhole(name, func(w io.Writer) error { return event.WriteRecording(w, run.Describe(), run.Log()) })
	if err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	return nil
}

// writeWhole writes a file that is there when it is whole. If it cannot be written, as
// on a full disk, there is none, and what had its name before stays.
func writeWhole(name string, write func(io.Writer) error) error {
	if isDevice(name) {
		return writeTo(name, write)
	}
	if target, err := filepath.EvalSymlinks(name); err == nil {
		name = target // else the link would be replaced
	}
	return wholefile.Write(name, write)
}

func writeTo(name string, write func(io.Writer) error) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	return errors.Join(write(file), file.Close())
}

// replaysAlone refuses a replay that is also asked for a run.
func replaysAlone(flags *flag.FlagSet) error {
	if flags.NArg() > 0 || flags.NFlag() > 1 {
		return fmt.Errorf("%w: -replay takes a file, and neither a scenario nor other flags", errUsage)
	}
	return nil
}

// replay folds a recording and prints what the run came to.
func (p program) replay(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	defer recording.Close()
	checker := check.New(recording.Run)
	for e, err := range recording.Events() {
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		checker.Apply(e) // the verdicts that changed are in the recording
	}
	return p.conclusion(checker.Summary())
}
