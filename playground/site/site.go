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
	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/run"
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

	// Servers are what the runs are recorded on, below Base.
	Servers Servers
	Base    string
	// OnOwn lets do have so many servers that it may break, and returns its error.
	OnOwn func(ctx context.Context, nodes int, do func(Servers) error) error
	// Progress is told what has been done, from any goroutine.
	Progress func(string)
}

// Servers are what a run needs. Its fields are those of run.Config, but for the last two.
type Servers struct {
	Addresses     []string
	Describe      func() event.Server
	Gate          func(context.Context) error
	Cluster       run.Cluster
	Redis         run.Redis
	SuperPassword string
	// RunPrefix begins the ids of the runs on them, and nobody else's.
	RunPrefix string
	// Began is told each run that has begun, to tell it what becomes of the servers.
	Began func(*run.Run)
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
	recorder := recorder{config: config, folder: folder, sessions: chroot.NewSessions()}
	if err := recorder.record(ctx, runs); err != nil {
		return Summary{}, err
	}
	if summary.Files, summary.Bytes, err = folder.size(); err != nil {
		return Summary{}, err
	}
	return summary, folder.replace()
}
