package site_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"golang.org/x/net/html"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/fragment"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site"
	"github.com/zkplayground/zkplayground/playground/site/sitetest"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/static"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { zktest.Main(m) }

const timeout = 2 * time.Minute

// card is one that is recorded in a moment.
const card = "```scenario\n" + `{"scenario": "quick", "title": "Quick", "text": "Two clients.", "clients": 2, "delay": "5ms", "seed": 1, "for": "1s"}` + "\n```\n"

const exercise = "```do\n" + `{"task": "Make a znode.", "how": ["create /mine"], "go": ["return nil"]}` + "\n```\n" +
	"```check\n" + `{"name": "a-znode", "goal": "You have made a znode.", "scenario": "quick",
	"steps": [{"event": "created", "path": "/mine", "is": "/mine is there", "missing": "Make it."}],
	"tooEarly": "A command that is refused.", "wrong": ["ls /"]}` + "\n```\n"

// course is two lessons, of which the first alone is translated.
func course(t *testing.T) *lessons.Library {
	t.Helper()
	files := fstest.MapFS{}
	for name, text := range map[string]string{
		"en/01-first.md":  "# The first\n\nSee [the next](02-second.md), [the queue](#stage-queue) and [the console](#stage-console), or [ZooKeeper](https://zookeeper.apache.org/).\n\n" + card + exercise,
		"en/02-second.md": "# The second\n\nAfter [the first](01-first.md).\n\n" + card,
		"ru/01-first.md":  "# Первый\n\n" + card + exercise,
	} {
		files[name] = &fstest.MapFile{Data: []byte(text)}
	}
	library, err := lessons.Load(files)
	if err != nil {
		t.Fatal(err)
	}
	return library
}

func pause(milliseconds int) scenario.Range {
	d := scenario.Duration(time.Duration(milliseconds) * time.Millisecond)
	return scenario.Range{Min: d, Max: d}
}

func quick(lane scenario.Lane) scenario.Scenario {
	return scenario.Scenario{Name: "quick", Title: "Quick", Clients: 2, Session: scenario.Duration(10 * time.Second), Seed: 1,
		Lanes: []scenario.Lane{lane}, Hold: pause(50), Think: pause(10)}
}

// config is that of a site of the course, whose runs are recorded on a real server.
func config(t *testing.T, s scenario.Scenario) site.Config {
	t.Helper()
	server := zktest.Start(t)
	return site.Config{Static: parts(t), Lessons: course(t), Scenarios: scenario.Set{s}, Catalogue: run.Catalogue(),
		Rooms: open(t, room.Config{Backend: run.Backend{Servers: []string{server.Address()}},
			Base: server.Root(t)}), ZooKeeper: server.Managed().Version(),
		OnOwnServers: func(context.Context, func(*room.Rooms) error) error { return errors.New("nothing is to be broken") },
		Progress:     func(line string) { t.Log(line) }}
}

func open(t *testing.T, config room.Config) *room.Rooms {
	t.Helper()
	config.EndTimeout = timeout
	config.ZooKeeper = func() event.Server { return event.Server{Version: "3.8.0", Managed: true} }
	rooms := room.New(config)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), timeout)
		defer cancel()
		if err := rooms.Close(ctx); err != nil {
			t.Error(err)
		}
	})
	return rooms
}

// parts are those of the pages, with scripts that are small.
func parts(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range []string{"site/lesson.html", "site/course.html", "css/icon.svg", "js/text/languages/ru.json"} {
		text, err := static.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[name] = &fstest.MapFile{Data: text}
	}
	for _, name := range []string{"lesson.js", "course.js", "site.css"} {
		files["lib/site/"+name] = &fstest.MapFile{Data: []byte("/* " + name + " */")}
	}
	return files
}

func TestWrite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	c := config(t, quick(scenario.Lane{Name: "mutex", Title: "Mutex", Recipe: "mutex"}))
	made, err := site.Write(t.Context(), c, dir)
	if err != nil {
		t.Fatal(err)
	}
	if made.Pages != 6 || made.Recordings != 2 || made.Files == 0 || made.Bytes == 0 {
		t.Errorf("made %+v, want 6 pages and 2 recordings", made)
	}
	pages := sitetest.Links(t, dir)
	sitetest.Recordings(t, dir, c.Lessons)
	texts := func(page, class string) (found []string) {
		for _, element := range fragment.Elements(pages[page]) {
			if fragment.HasClass(element, class) {
				found = append(found, text(element))
			}
		}
		return found
	}
	if got := texts("lessons/en/first.html", "run-button"); len(got) != 1 || got[0] != "Play the recording" {
		t.Errorf("the button of a card says %q", got)
	}
	if got := texts("lessons/en/first.html", "goal-own"); len(got) != 1 || !strings.Contains(got[0], "make run") || !strings.Contains(got[0], "docker compose up") {
		t.Errorf("a goal says how it is reached: %q", got)
	}
	if got := texts("lessons/en/first.html", "run-link"); len(got) != 0 {
		t.Errorf("links to a playground are left: %q", got)
	}
	if got := texts("lessons/ru/second.html", "site-note"); len(got) != 2 || !strings.Contains(text(pages["lessons/ru/second.html"]), "The second") {
		t.Errorf("a lesson without a translation says %q", got)
	}
	if got := texts("lessons/ru/first.html", "site-note"); len(got) != 2 || text(pages["lessons/ru/first.html"]) == text(pages["lessons/en/first.html"]) {
		t.Errorf("a lesson with one says %q", got)
	}
}

// text is what is to be read in an element.
func text(node *html.Node) string {
	var all strings.Builder
	for child := range node.Descendants() {
		if child.Type == html.TextNode {
			all.WriteString(child.Data)
		}
	}
	return all.String()
}

// A site takes the place of an older one, and of nothing else.
func TestWriteReplacesSitesAlone(t *testing.T) {
	t.Parallel()
	c := config(t, quick(scenario.Lane{Name: "mutex", Title: "Mutex", Recipe: "mutex"}))
	dir := filepath.Join(t.TempDir(), "site")
	foreign := filepath.Join(dir, "thesis.txt")
	write(t, foreign, "of somebody's")
	for range 2 {
		if _, err := site.Write(t.Context(), c, dir); !errors.Is(err, site.ErrNotOurs) {
			t.Fatalf("beside a file of somebody else's: %v, want %v", err, site.ErrNotOurs)
		}
		write(t, filepath.Join(dir, "index.html"), "a page, but not ours")
	}
	mustHave(t, dir, "index.html", "thesis.txt")
	mustHave(t, filepath.Dir(dir), "site")

	if err := errors.Join(os.Remove(foreign), os.Remove(filepath.Join(dir, "index.html"))); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := site.Write(t.Context(), c, dir); err != nil {
			t.Fatalf("into an empty directory, and over a site: %v", err)
		}
		mustHave(t, dir, "index.html", "lessons", "runs", "static")
		mustHave(t, filepath.Dir(dir), "site")
		write(t, filepath.Join(dir, "lessons", "old.html"), "of a lesson that is no more")
	}
	if _, err := site.Write(t.Context(), c, dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "lessons", "old.html")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what only the older site had is still there: %v", err)
	}
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, []byte(text), 0o666)); err != nil {
		t.Fatal(err)
	}
}

func mustHave(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, entry := range entries {
		found = append(found, entry.Name())
	}
	if strings.Join(found, " ") != strings.Join(names, " ") {
		t.Errorf("%s has %q, want %q", dir, found, names)
	}
}

// A run that cannot be recorded leaves everything as it was, as does who interrupts it.
func TestFailedWriteLeavesWhatWasThere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "site")
	c := config(t, quick(scenario.Lane{Name: "mutex", Title: "Mutex", Recipe: "mutex"}))
	if _, err := site.Write(t.Context(), c, dir); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(filepath.Join(dir, "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	unchanged := func() {
		t.Helper()
		mustHave(t, filepath.Dir(dir), "site")
		after, err := os.Stat(filepath.Join(dir, "index.html"))
		if err != nil || !os.SameFile(before, after) {
			t.Errorf("the site is another: %v", err)
		}
	}

	without := c
	without.Scenarios = scenario.Set{quick(scenario.Lane{Name: "cache", Title: "Cache", Recipe: "cache"})}
	if _, err := site.Write(t.Context(), without, dir); err == nil || !strings.Contains(err.Error(), ": lane cache: ") {
		t.Errorf("without Redis: %v", err)
	}
	unchanged()

	ctx, interrupt := context.WithCancel(t.Context())
	interrupted := c
	var once sync.Once
	interrupted.Progress = func(string) { once.Do(interrupt) }
	if _, err := site.Write(ctx, interrupted, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	unchanged()

	unbundled := c
	unbundled.Static = fstest.MapFS{}
	if _, err := site.Write(t.Context(), unbundled, dir); !errors.Is(err, site.ErrNotBundled) {
		t.Errorf("not bundled: %v", err)
	}
	unchanged()
}

// A run that breaks servers has servers of its own.
func TestBrokenServersAreNobodyElses(t *testing.T) {
	t.Parallel()
	breaking := quick(scenario.Lane{Name: "mutex", Title: "Mutex", Recipe: "mutex"})
	breaking.Faults = []scenario.ScheduledFault{{At: scenario.Duration(300 * time.Millisecond), Fault: scenario.Fault{Name: "restart"}}}
	breaking.Session = scenario.Duration(4 * time.Second)
	c := config(t, breaking)
	asked := 0
	c.OnOwnServers = func(ctx context.Context, do func(*room.Rooms) error) error {
		asked++
		servers, err := zkserver.StartEnsemble(ctx, zkserver.Config{}, 1)
		if err != nil {
			return err
		}
		defer func() {
			ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
			defer cancel()
			if err := servers.Stop(ending); err != nil {
				t.Error(err)
			}
		}()
		rooms := room.New(room.Config{Backend: run.Backend{Servers: servers.Addresses(), Cluster: servers, ZooKeeper: func() event.Server { return event.Server{Version: servers.Version(), Managed: true} }},
			EndTimeout: timeout})
		return errors.Join(do(rooms), rooms.Close(ctx))
	}
	dir := filepath.Join(t.TempDir(), "site")
	if _, err := site.Write(t.Context(), c, dir); err != nil {
		t.Fatal(err)
	}
	if asked != 1 {
		t.Errorf("servers to break were asked for %d times, want once", asked)
	}
	sitetest.Recordings(t, dir, c.Lessons)
}
