package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/lessons/teacher"
	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/chroot"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/exercise"
	"github.com/zkplayground/zkplayground/playground/web"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/static"
)

// closeTimeout bounds the end of the runs. With the stop of a managed
// ZooKeeper, which they need until then, it makes less than 5 s.
const closeTimeout = 3400 * time.Millisecond

// unwatchedEvery is the time between two looks for runs that nobody watches.
const unwatchedEvery = 250 * time.Millisecond

type serveFlags struct {
	backendFlags
	addressFlags
	clusterFlags
	teacherToken string
	guests       string
	lock         string
	unwatched    time.Duration
	dev          bool
	limits       room.Limits
}

// serve serves the page until ctx ends.
func (p program) serve(ctx context.Context, args []string) error {
	f, err := p.parseServe(args)
	if err != nil {
		return err
	}
	site, err := newSite(f)
	if err != nil {
		return err
	}
	site.Log = slog.New(slog.NewTextHandler(p.stderr, nil))
	f.configure(&site)
	backend, err := p.newBackend(f.backendFlags)
	if err != nil {
		return err
	}
	// Listen first: an address that is taken should not cost the start of a server.
	sockets, err := f.listen(ctx, site.Log)
	if err != nil {
		return err
	}
	if f.guests != "" {
		listener, err := listen(ctx, "-guests", f.guests)
		if err != nil {
			return errors.Join(err, sockets.close())
		}
		site.Guests = guests.New(listener, guests.Config{Address: f.guests, Limits: f.limits.Guest, Log: site.Log})
		defer site.Guests.Close()
	}
	if err := backend.start(ctx, f.backendFlags); err != nil {
		return errors.Join(err, sockets.close())
	}
	site.Guarded = f.teacherToken != "" || f.othersReach(sockets.page)
	site.TeacherToken = cmp.Or(f.teacherToken, rand.Text())
	site.Addresses = f.reachable(sockets.page)
	err = p.serveOn(ctx, sockets, site, backend, f)
	return errors.Join(err, sockets.close(), backend.close(context.WithoutCancel(ctx)))
}

func (f *serveFlags) add(flags *flag.FlagSet) {
	f.backendFlags.add(flags)
	f.addressFlags.add(flags)
	f.clusterFlags.add(flags)
	addLimits(flags, &f.limits)
	flags.StringVar(&f.teacherToken, "teacher-token", "", "`token` of the teacher's link; with one, whoever lacks it is no teacher, also on this machine; empty means a random one")
	flags.StringVar(&f.guests, "guests", "", "`address` at which any ZooKeeper client can join the run of the room main, as 127.0.0.1:2281; other rooms get the ports after that; empty means nobody can")
	flags.StringVar(&f.lock, "lock", "", "`command` of a program that is your lock, as 'python3 mylock.py'; the scenario your-lock runs it, as you, for whoever may start a run")
	flags.DurationVar(&f.unwatched, "unwatched", 2*time.Minute, "end a run that nobody has watched for this `time`; 0 means never")
	flags.BoolVar(&f.dev, "dev", false, "serve the page from ./static instead of from the program, to work on it")
}

func (p program) parseServe(args []string) (serveFlags, error) {
	f := serveFlags{limits: room.DefaultLimits()}
	flags := newFlags("serve")
	f.add(flags)
	if err := p.parseAnywhere(flags, "serve [flags]", args); err != nil {
		return f, err
	}
	if f.unwatched < 0 {
		return f, fmt.Errorf("%w: -unwatched %v is negative, 0 means never", errUsage, f.unwatched)
	}
	return f, errors.Join(noArguments(flags), f.addressFlags.check(), f.clusterFlags.check(f.backendFlags, p.getenv("ZK_SERVERS")))
}

// newSite loads what the server shows and makes sure that it fits together.
func newSite(f serveFlags) (web.Config, error) {
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		return web.Config{}, err
	}
	if f.lock != "" {
		scenarios = append(scenario.Set{scenario.YourLock()}, scenarios...)
	}
	library, err := lessons.Shipped()
	if err != nil {
		return web.Config{}, err
	}
	if err := library.Validate(exercise.Known(scenarios, run.Catalogue())); err != nil {
		return web.Config{}, err
	}
	guide, err := teacher.Shipped(library, challenge.Solutions())
	if err != nil {
		return web.Config{}, err
	}
	page := fs.FS(static.Files)
	if f.dev {
		page = os.DirFS("static")
		if _, err := fs.Stat(page, "index.html"); err != nil {
			return web.Config{}, fmt.Errorf("%w: -dev: there is no page in ./static: start it from the project's directory", errUsage)
		}
	}
	return web.Config{Scenarios: scenarios, Lessons: library, Teacher: guide, Static: page, Page: pageFile(page, f.dev), Version: version}, nil
}

// pageFile names the page: the one that make has bundled, or what it is made from, to
// work on it. That one says what to do where nothing has been bundled.
func pageFile(files fs.FS, dev bool) string {
	const bundled = "lib/page/index.html"
	if _, err := fs.Stat(files, bundled); err != nil || dev {
		return "index.html"
	}
	return bundled
}

// So many judgements are under way at once, each with so many trials: each client of a trial
// is a process.
const (
	judgedAtOnce = 2
	trialsAtOnce = 2
)

// serveOn puts the rooms on the sockets and takes them off when ctx ends.
func (p program) serveOn(ctx context.Context, sockets listeners, site web.Config, b *backend, f serveFlags) (err error) {
	name := room.NewName()
	var opened func(*room.Room)
	var sessions *chroot.Sessions
	if site.Guests != nil {
		opened, sessions = func(r *room.Room) { site.Guests.Open(r) }, site.Guests.Sessions()
		site.Guests.Use(b.describe, b.newestZxid)
	}
	program, err := f.program()
	if err != nil {
		return err
	}
	starlark, err := starlarkConfig()
	if err != nil {
		return err
	}
	member := f.membership()
	keepDir, err := member.keepDir(roomsDir(f.data))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, member.leave(context.WithoutCancel(ctx))) }()
	rooms := room.New(room.Config{Claim: member.claims(), Program: program, Starlark: &starlark, Backend: b.ofRuns(), Opened: opened, Sessions: sessions,
		Base: base, RunPrefix: name, Unwatched: f.unwatched, LogDir: f.data,
		KeepDir: keepDir, Limits: f.limits, Goals: site.Lessons.Goals(), Log: site.Log})
	if err := restore(rooms); err != nil {
		return err
	}
	if err := b.watch(ctx, func(s zkserver.Status) {
		site.Log.Info("zookeeper", "address", s.Address, "state", s.State, "mode", s.Mode, "version", s.Version)
		rooms.NoteZooKeeper(news(s))
	}); err != nil {
		return err
	}
	if err := member.join(ctx, b, &site, sockets.page, f); err != nil {
		return err
	}
	sweeper, err := b.register(ctx, name, rooms.InUse, site.Log)
	if err != nil {
		return err
	}
	site.Rooms, site.ZooKeeper = rooms, b.monitor.Current
	site.Judgements = judging.New(judging.Config{Command: program, Starlark: &starlark, Most: judgedAtOnce, Judge: func() judge.Config {
		config := b.judges(f.backendFlags)
		config.AtOnce = trialsAtOnce
		return config
	}})
	server := web.New(site)
	p.announce(sockets.page, site, f.addressFlags)

	serving, stopped := errgroup.WithContext(ctx)
	serving.Go(func() error { return server.Serve(sockets.page) })
	if sockets.metrics != nil {
		site.Log.Info("metrics", "address", fmt.Sprintf("http://%s/metrics", sockets.metrics.Addr()))
		serving.Go(func() error { return server.ServeMetrics(sockets.metrics) })
	}
	serving.Go(func() error {
		ticker := time.NewTicker(unwatchedEvery)
		defer ticker.Stop()
		rooms.EndUnwatched(stopped, ticker.C)
		return nil
	})
	serving.Go(func() error { member.forget(stopped, rooms, site.Log); return nil })
	serving.Go(func() error {
		<-stopped.Done()
		server.Drain()
		if site.Guests != nil {
			site.Guests.Close()
		}
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
		defer cancel()
		site.Judgements.Close()
		return errors.Join(rooms.Close(ending), member.leave(ending), server.Shutdown(ending), b.unregister(ending, sweeper))
	})
	return serving.Wait()
}

// restore brings back the rooms that -data has.
func restore(rooms *room.Rooms) error {
	err := rooms.Restore()
	switch {
	case errors.Is(err, room.ErrKeepDirInUse):
		return err
	case err != nil:
		return fmt.Errorf("%w: -data: %w", errUsage, err)
	}
	return nil
}

// roomsDir is where rooms are kept below the user's directory; empty means that they
// end with the program.
func roomsDir(data string) string {
	if data == "" {
		return ""
	}
	return filepath.Join(data, "rooms")
}

// announce tells where the page is, in a line that scripts wait for, and how to be its
// teacher: nothing tells that again.
func (p program) announce(listener net.Listener, site web.Config, f addressFlags) {
	fmt.Fprintf(p.stdout, "listening on %s\n", f.pageAddress(listener))
	fmt.Fprintf(p.stdout, "teacher link %s/?teacher=%s\n", f.teacherAddress(site.Addresses), url.QueryEscape(site.TeacherToken))
	if f.othersReach(listener) {
		fmt.Fprintf(p.stderr, "warning: %s can be reached by others; whoever opens the page can put load on ZooKeeper\n", listener.Addr())
	}
}

// news tells what a run's log should have of a server.
var (
	doesNotAnswer   = event.NewCode("zookeeper-does-not-answer", "ZooKeeper at {address} does not answer; the run goes on when it is back")
	answers         = event.NewCode("zookeeper-answers", "ZooKeeper {version} at {address} answers")
	answersLeader   = event.NewCode("zookeeper-answers-as-leader", "ZooKeeper {version} at {address} answers as leader")
	answersFollower = event.NewCode("zookeeper-answers-as-follower", "ZooKeeper {version} at {address} answers as follower")
)

func news(s zkserver.Status) *event.Reason {
	switch {
	case s.State != zkserver.Live:
		return doesNotAnswer.With(s.Address)
	case s.Mode == "leader":
		return answersLeader.With(s.Version, s.Address)
	case s.Mode == "follower":
		return answersFollower.With(s.Version, s.Address)
	default:
		return answers.With(s.Version, s.Address)
	}
}
