package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/site/export"
)

// export makes a page of a recording. A recording that cannot be read is the user's to
// change, as is a file that cannot be written.
func (p program) export(_ context.Context, args []string) error {
	flags := newFlags("export")
	if err := p.parse(flags, "export RECORDING OUT.html", args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return fmt.Errorf("%w: export takes a recording and the page to write, got %q", errUsage, flags.Args())
	}
	site, err := newSite(serveFlags{})
	if err != nil {
		return err
	}
	page, err := export.New(site.ExportConfig())
	if err != nil {
		return err
	}
	if err := writePage(page, flags.Arg(0), flags.Arg(1)); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	return nil
}

func writePage(page *export.Template, from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	recording, err := event.OpenRecording(file, check.Follow)
	if err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	defer recording.Close()
	err = writeWhole(to, func(w io.Writer) error { return page.Write(w, recording) })
	if errors.Is(err, event.ErrNotRecording) {
		return fmt.Errorf("%s: %w", from, err)
	}
	return err
}
