package main

import (
	"context"
	"errors"
	"flag"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

var (
	// kills is how often TestKilledPlaygroundLeavesNothing kills; `make kills` does so 50 times.
	kills    = flag.Int("kills", 3, "how often the playground is killed in TestKilledPlaygroundLeavesNothing")
	killSeed = flag.Uint64("kill-seed", 1, "`seed` of the instants at which it is killed")
)

// TestKilledPlaygroundLeavesNothing: the playground is killed with SIGKILL, again and
// again, at some instant of its start or while a class is at work, and started once more.
// Then all is as before the first start, but for what is to be kept, and that is whole.
func TestKilledPlaygroundLeavesNothing(t *testing.T) {
	t.Parallel()
	t.Run("foreign ZooKeeper", func(t *testing.T) {
		t.Parallel()
		// With short sessions nobody has to wait long for their end.
		server := zktest.StartOwn(t, zkserver.Config{MaxSession: 2 * time.Second})
		before, sessions := everything(t, server.Address()), countSessions(t, server.Address())
		k := killer{temporary: t.TempDir(), class: &class{}, data: t.TempDir()}
		k.killAll(t, nil, "-zookeeper", server.Address())

		s := k.serve(t, nil, "-zookeeper", server.Address())
		mustBeAlone(t, server.Address(), len(before)+3, sessions+1)
		k.mustHaveKept(t, s)
		s.signal(t, syscall.SIGTERM)
		s.exitCode(t, stopLimit)
		if now := everything(t, server.Address()); !slices.Equal(now, before) {
			t.Errorf("znodes %q, there were %q before", now, before)
		}
		k.mustBeEmpty(t)
	})
	t.Run("managed ZooKeeper that keeps its data", func(t *testing.T) {
		t.Parallel()
		java := newJavaHome(t)
		k := killer{temporary: t.TempDir(), class: &class{}, data: t.TempDir(), java: java, javas: make(map[int]bool)}
		k.killAll(t, java.setting())

		s := k.serve(t, java.setting())
		k.mustHaveNoJavaBut(t, java.pid(t))
		k.mustHaveKept(t, s)
		mustBeAlone(t, s.zookeeper(t).Address, 3, 1)
		s.signal(t, syscall.SIGTERM)
		s.exitCode(t, stopLimit)
		k.mustBeEmpty(t)
	})
}

// mustBeAlone waits until one playground is registered, and nothing else is there.
func mustBeAlone(t *testing.T, address string, znodes, sessions int) {
	t.Helper()
	eventually(t, "one playground is registered, and nothing else is there", func() bool {
		now := everything(t, address)
		return len(now) == znodes && slices.Contains(now, "/playground/playgrounds") &&
			!slices.Contains(now, "/playground/rooms") && countSessions(t, address) == sessions
	})
}

// A killer kills playgrounds that have a directory for temporary files in common.
type killer struct {
	temporary string
	data      string // what -data is; empty if nothing is kept
	class     *class
	java      javaHome     // which notes the process id of a managed ZooKeeper; empty if there is none
	javas     map[int]bool // those that were started
}

func (k killer) settings(settings []string) []string {
	return append(slices.Clone(settings), "TMPDIR="+k.temporary)
}

func (k killer) arguments(args []string) []string {
	args = append([]string{"-teacher-token", teacherToken}, args...)
	if k.data != "" {
		args = append(args, "-data", k.data, "-keep-runs", "10000") // so that none goes for another
	}
	return args
}

func (k killer) serve(t *testing.T, settings []string, args ...string) site {
	t.Helper()
	return serve(t, k.settings(settings), k.arguments(args)...)
}

// killAll kills as often as the flag says: every third during the start.
func (k killer) killAll(t *testing.T, settings []string, args ...string) {
	t.Helper()
	random := rand.New(rand.NewPCG(*killSeed, 0))
	for i := range *kills {
		wait := time.Duration(random.IntN(1500)) * time.Millisecond
		if i%3 == 2 {
			c := start(t, k.settings(settings), append([]string{"serve", "-addr", "127.0.0.1:0"}, k.arguments(args)...)...)
			k.kill(t, c, wait)
			continue
		}
		s := k.serve(t, settings, args...)
		if k.data == "" {
			k.class = &class{}
		}
		k.class.mustBeBack(t, s)
		atWork := k.class.work(t, s)
		if i == 0 && k.data != "" { // on a slow machine none would ever be kept
			eventually(t, "a run has been kept", func() bool { return len(keptRuns(t, k.data)) > 0 })
		}
		k.kill(t, s.child, wait)
		atWork.Wait()
	}
}

// kill kills after a while.
func (k killer) kill(t *testing.T, c *child, wait time.Duration) {
	t.Helper()
	time.Sleep(wait) // the instant is to be any
	c.signal(t, syscall.SIGKILL)
	c.exitCode(t, stopLimit)
	if k.data != "" {
		k.class.noteRecordings(t, k.data)
	}
	if k.java == "" {
		return
	}
	if text, err := os.ReadFile(k.java.pidFile()); err == nil { // else it had not come so far
		pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
		if err != nil {
			t.Fatal(err)
		}
		k.javas[pid] = true
	}
}

func (k killer) files(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(k.temporary, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func (k killer) mustBeEmpty(t *testing.T) {
	t.Helper()
	if files := k.files(t); len(files) > 0 {
		t.Errorf("temporary files are left: %q", files)
	}
}

// mustHaveNoJavaBut wants the servers of killed playgrounds to be gone.
func (k killer) mustHaveNoJavaBut(t *testing.T, pid int) {
	t.Helper()
	delete(k.javas, pid)
	for pid := range k.javas {
		eventually(t, "the Java of a killed playground is gone", func() bool { return !running(pid) })
	}
}

// mustHaveKept wants the class to be back, every recording to be had that was whole when
// the playground was killed, and nothing else below -data.
func (k killer) mustHaveKept(t *testing.T, s site) {
	t.Helper()
	k.class.mustBeBack(t, s)
	k.class.noteRecordings(t, k.data)
	k.class.mustServeRecordings(t, s, k.data)
	wanted := regexp.MustCompile(`^(rooms|rooms/lock|rooms/[a-z0-9]+(/room\.json|/[a-z0-9]+-[0-9]+\.ndjson\.zst)?|zookeeper(/.*)?)$`)
	err := fs.WalkDir(os.DirFS(k.data), ".", func(name string, _ fs.DirEntry, err error) error {
		if name != "." && !wanted.MatchString(name) {
			t.Errorf("%s is left below -data", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// everything lists, sorted, all znodes but ZooKeeper's own.
func everything(t *testing.T, address string) (znodes []string) {
	t.Helper()
	eventually(t, "the znodes are listed", func() bool {
		var err error
		znodes, err = list(t.Context(), address)
		return err == nil
	})
	return znodes
}

// list is everything in a session that is closed at once: one as short as those here would
// not outlast a machine that stands still.
func list(ctx context.Context, address string) ([]string, error) {
	client, err := wire.Dial(ctx, address, wire.Options{})
	if err != nil {
		return nil, err
	}
	defer client.Close()
	all, err := below(ctx, client, "/")
	slices.Sort(all)
	return all, errors.Join(err, client.CloseSession(ctx))
}

// below lists all znodes below one, but for ZooKeeper's own.
func below(ctx context.Context, client *wire.Client, node string) (all []string, err error) {
	names, _, err := client.Children(ctx, node)
	if err != nil && !errors.Is(err, wire.NoNode) { // it may go just now
		return nil, err
	}
	for _, name := range names {
		child := path.Join(node, name)
		if child == "/zookeeper" {
			continue
		}
		more, err := below(ctx, client, child)
		if err != nil {
			return nil, err
		}
		all = append(append(all, child), more...)
	}
	return all, nil
}
