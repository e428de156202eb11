package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	course "github.com/zkplayground/zkplayground/playground/site"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// site writes the course as static files.
func (p program) site(ctx context.Context, args []string) error {
	var f backendFlags
	flags := newFlags("site")
	f.add(flags)
	if err := p.parse(flags, "site [flags] DIR", args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: site takes the directory to write, got %q", errUsage, flags.Args())
	}
	shown, err := newSite(serveFlags{})
	if err != nil {
		return err
	}
	config := course.Config{Static: shown.Static, Lessons: shown.Lessons, Scenarios: shown.Scenarios, Catalogue: run.Catalogue(), Base: base}
	// Look first: a directory that cannot be written should not cost the start of a server.
	if err := course.Check(flags.Arg(0)); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	backend, err := p.openBackend(ctx, f)
	if err != nil {
		return err
	}
	err = p.siteOn(ctx, config, flags.Arg(0), backend, f)
	return errors.Join(err, backend.close(context.WithoutCancel(ctx)))
}

// siteOn records the runs on the servers, but for those that break theirs.
func (p program) siteOn(ctx context.Context, config course.Config, dir string, b *backend, f backendFlags) error {
	var telling sync.Mutex
	config.Progress = func(line string) {
		telling.Lock()
		defer telling.Unlock()
		fmt.Fprintln(p.stderr, line)
	}
	config.OnOwn = func(ctx context.Context, nodes int, do func(course.Servers) error) error {
		config.Progress(fmt.Sprintf("starting servers to break: %d", nodes))
		own := backendFlags{zookeeper: "auto", redis: f.redis, home: f.home, nodes: nodes}
		return p.onOwn(ctx, own, do)
	}
	return b.lend(ctx, func(servers course.Servers) error {
		config.Servers = servers
		made, err := course.Write(ctx, config, dir)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s: %d pages, %d recordings, %d files, %d bytes; to look at it: python3 -m http.server -d %s\n",
			dir, made.Pages, made.Recordings, made.Files, made.Bytes, dir)
		return err
	})
}

// onOwn starts servers that are nobody else's, whatever the environment says, and lets
// do have them.
func (p program) onOwn(ctx context.Context, f backendFlags, do func(course.Servers) error) error {
	getenv := p.getenv
	p.getenv = func(name string) string {
		if name == "ZK_SERVERS" {
			return ""
		}
		return getenv(name)
	}
	b, err := p.openBackend(ctx, f)
	if err != nil {
		return err
	}
	return errors.Join(b.lend(ctx, do), b.close(context.WithoutCancel(ctx)))
}

// lend lets do have runs on the servers. Each is told what becomes of them.
func (b *backend) lend(ctx context.Context, do func(course.Servers) error) error {
	var told toldRuns
	if err := b.watch(ctx, func(s zkserver.Status) { told.tell(news(s)) }); err != nil {
		return err
	}
	name := room.NewName()
	sweeper, err := b.register(ctx, name, func(string, string) bool { return true }, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	err = do(course.Servers{Addresses: b.addresses, Describe: b.describe, Gate: b.gate, Cluster: b.cluster(), Redis: b.redis,
		SuperPassword: b.super, RunPrefix: name, Began: told.add})
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	return errors.Join(err, b.unregister(ending, sweeper))
}

// toldRuns are told what becomes of their servers. Its methods are safe for concurrent
// use.
type toldRuns struct {
	mu   sync.Mutex
	runs []*run.Run
}

func (t *toldRuns) add(r *run.Run) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.runs = append(t.runs, r)
}

// tell tells those that go on.
func (t *toldRuns) tell(why string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, r := range t.runs {
		if r.State() == event.Running {
			r.NoteZooKeeper(why)
		}
	}
}
