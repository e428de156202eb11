package main

import (
	"errors"
	"flag"
	"fmt"
	"os"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
)

// reserve makes sure, before a run, that its recording can be written. What a
// file of that name holds stays until there is something to replace it.
func reserve(name string) error {
	if name == "" {
		return nil
	}
	file, err := os.OpenFile(name, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return fmt.Errorf("%w: -record: %w", errUsage, err)
	}
	return file.Close()
}

// writeRecording does nothing without a name.
func writeRecording(name string, run *run.Run) error {
	if name == "" {
		return nil
	}
	file, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("write the recording: %w", err)
	}
	err = event.WriteRecording(file, run.Describe(), run.Log())
	return errors.Join(err, file.Close())
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
	recording, err := event.OpenRecording(file)
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
	return p.judge(checker.Summary())
}
