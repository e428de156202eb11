package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/site/export"
)

// A judgeReport is a directory with the result of a judgement, and a page for each run.
type judgeReport struct {
	dir  string // empty for none
	page *export.Template
}

func (p program) newReport(f judgeFlags) (*judgeReport, error) {
	if f.report == "" {
		return &judgeReport{}, nil
	}
	if err := os.MkdirAll(f.report, 0o777); err != nil {
		return nil, fmt.Errorf("%w: -report: %w", errUsage, err)
	}
	site, err := newSite(serveFlags{})
	if err != nil {
		return nil, err
	}
	page, err := export.New(site.ExportConfig())
	if err != nil {
		return nil, fmt.Errorf("%w: -report: %w", errUsage, err)
	}
	return &judgeReport{f.report, page}, nil
}

// keep writes the recording of a trial, and the page that shows it.
func (r *judgeReport) keep(o judge.Outcome, trial *run.Run) error {
	if r.dir == "" {
		return nil
	}
	recording := filepath.Join(r.dir, o.File("ndjson.zst"))
	if err := writeWhole(recording, func(w io.Writer) error { return event.WriteRecording(w, trial.Describe(), trial.Log()) }); err != nil {
		return fmt.Errorf("write the recording of %s: %w", o.Trial.Name, err)
	}
	return writePage(r.page, recording, filepath.Join(r.dir, o.File("html")))
}

func (r *judgeReport) write(result judge.Result) error {
	if r.dir == "" {
		return nil
	}
	return errors.Join(writeWhole(filepath.Join(r.dir, "index.html"), result.WriteReport),
		writeWhole(filepath.Join(r.dir, "result.json"), func(w io.Writer) error { return printJSON(w, result) }))
}
