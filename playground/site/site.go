// Package site writes the course as static files: its lessons, each beside a recording
// of every run that it has, and beside one in which each of its goals is reached.
//
//	lessons, scenarios -> Runs -> recorder, on a real ZooKeeper -> runs/NAME.ndjson.zst
//	lessons -> pages -> index.html, lessons/LOCALE/SLUG.html
//	static/lib/site, as `make lib` bundled it -> static/
//
// A site needs a file server and nothing else. All of its links are relative, so that it
// may lie anywhere; it fetches nothing from elsewhere, and a content security policy in
// each page forbids it to. What takes a live server says how to start one.
//
// The recordings are those of `playground run -record`, and are common to all languages.
// The site is written beside the directory that it replaces, and takes its place when all
// of it is there: half a site is never seen.
package site

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
)

// A Config is what a site is made of, and with.
type Config struct {
	// Static holds the parts of the pages.
	Static fs.FS
	// Lessons are the course, Scenarios what it runs, and Catalogue says what faults,
	// recipes and checks there are.
	Lessons   *lessons.Library
	Scenarios scenario.Set
	Catalogue scenario.Catalogue

	// Rooms are where the runs are recorded, on the ZooKeeper of that version.
	Rooms     *room.Rooms
	ZooKeeper string
	// OnOwnServers lets do have rooms whose servers it may break, and returns its error.
	OnOwnServers func(ctx context.Context, do func(*room.Rooms) error) error
	// Progress is told what has been done, from any goroutine.
	Progress func(string)
}

// A Summary tells what a site has come to.
type Summary struct {
	Pages, Recordings, Files int
	Bytes                    int64
}

// Write records the runs and writes the site into dir, which is a site, empty, or not
// there, and stays as it is if the error is not nil. Errors wrap ErrNotOurs or
// ErrNotBundled, or tell which run could not be recorded.
func Write(ctx context.Context, config Config, dir string) (summary Summary, err error) {
	pages, err := newPages(config)
	if err != nil {
		return Summary{}, err
	}
	runs, err := Runs(config.Lessons, config.Scenarios)
	if err != nil {
		return Summary{}, err
	}
	folder, err := openFolder(dir)
	if err != nil {
		return Summary{}, err
	}
	defer func() { err = errors.Join(err, folder.discard()) }()
	summary.Recordings = len(runs)
	if summary.Pages, err = pages.write(folder); err != nil {
		return Summary{}, fmt.Errorf("write the pages: %w", err)
	}
	recorder := recorder{config: config, folder: folder}
	if err := recorder.record(ctx, runs); err != nil {
		return Summary{}, err
	}
	if summary.Files, summary.Bytes, err = folder.size(); err != nil {
		return Summary{}, err
	}
	return summary, folder.replace()
}
