package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

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
	config := course.Config{Static: shown.Static, Lessons: shown.Lessons, Scenarios: shown.Scenarios, Catalogue: run.Catalogue()}
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
	config.OnOwnServers = func(ctx context.Context, do func(*room.Rooms) error) error {
		config.Progress("starting three servers to break")
		return p.onOwnServers(ctx, backendFlags{zookeeper: "auto", redis: f.redis, home: f.home, nodes: 3}, do)
	}
	return b.openRooms(ctx, func(rooms *room.Rooms) error {
		config.Rooms, config.ZooKeeper = rooms, b.describe().Version
		made, err := course.Write(ctx, config, dir)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(p.stdout, "%s: %d pages, %d recordings, %d files, %d bytes\nlook at it: python3 -m http.server -d %s\n",
			dir, made.Pages, made.Recordings, made.Files, made.Bytes, dir)
		return err
	})
}

// onOwnServers starts servers that are nobody else's, whatever the environment says.
func (p program) onOwnServers(ctx context.Context, f backendFlags, do func(*room.Rooms) error) error {
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
	return errors.Join(b.openRooms(ctx, do), b.close(context.WithoutCancel(ctx)))
}

// endRecorded bounds the end of a run that is recorded: nobody waits for it, and the
// machine may be busy with others.
const endRecorded = 10 * time.Second

// openRooms lets do have rooms on the servers, and closes them.
func (b *backend) openRooms(ctx context.Context, do func(*room.Rooms) error) error {
	name := room.NewName()
	rooms := room.New(room.Config{Backend: b.ofRuns(), Base: base, RunPrefix: name, EndTimeout: endRecorded})
	if err := b.watch(ctx, func(s zkserver.Status) { rooms.NoteZooKeeper(news(s)) }); err != nil {
		return err
	}
	sweeper, err := b.register(ctx, name, rooms.InUse, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	err = do(rooms)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return errors.Join(err, rooms.Close(ending), b.unregister(ending, sweeper))
}
