package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/sitetest"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestSite writes the whole course as static files: all links of all pages lead
// somewhere, every run went as it is made to, what the lessons say of one in figures is
// so, and each solution meets its goal. With $SITE_DIR it is left there, for the tests
// of the page; with -compose the runs that break no server are on one of a compose file.
func TestSite(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("SITE_DIR")
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "site")
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		t.Fatal(err)
	}
	var settings []string
	if zktest.Composed() {
		settings = append(settings, "ZK_SERVERS="+zktest.Start(t).Address())
	}
	c := start(t, settings, "site", dir)
	if code := c.exitCode(t, 2*timeout); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	t.Log(c.stdout.text())
	if out := c.stdout.text(); !strings.Contains(out, "python3 -m http.server -d "+dir) {
		t.Errorf("it does not say how to look at the site: %q", out)
	}
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	pages := sitetest.Links(t, dir)
	if len(pages) <= len(library.All()) {
		t.Errorf("there are %d pages for %d lessons", len(pages), len(library.All()))
	}
	sitetest.Recordings(t, dir, library)
	c.mustLeaveNoFile(t)
}

// TestOwnServers: the runs of a site that break servers get three of their own, whatever
// server the others are on.
func TestOwnServers(t *testing.T) {
	t.Parallel()
	var stderr output
	p := program{stdout: &stderr, stderr: &stderr, getenv: func(name string) string {
		if name == "ZK_SERVERS" {
			return "127.0.0.1:1"
		}
		return os.Getenv(name)
	}}
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	err := p.onOwnServers(ctx, backendFlags{zookeeper: "auto", redis: "auto", nodes: 3}, func(rooms *room.Rooms) error {
		own, err := rooms.Get(room.Main)
		if err != nil {
			return err
		}
		chosen, err := findScenario("predecessor")
		if err != nil {
			return err
		}
		started, err := own.Start(ctx, chosen)
		if err != nil {
			return err
		}
		return started.Inject(ctx, scenario.Fault{Name: "kill-leader"})
	})
	if err != nil {
		t.Error(err)
	}
}
