package main

import (
	"encoding/json"
	"errors"
	"flag"
	"math/rand/v2"
	"net/http"
	"os"
	"path"
	"path/filepath"
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
// again, at some instant of its start or while runs are under way in several rooms, and
// started once more. Then all is as before the first start.
func TestKilledPlaygroundLeavesNothing(t *testing.T) {
	t.Parallel()
	t.Run("foreign ZooKeeper", func(t *testing.T) {
		t.Parallel()
		// With short sessions nobody has to wait long for their end.
		server := zktest.StartOwn(t, zkserver.Config{MaxSession: 2 * time.Second})
		client := connect(t, server.Address())
		before, sessions := everything(t, client, "/"), countSessions(t, server)
		k := killer{temporary: t.TempDir()}
		k.killAll(t, nil, "-zookeeper", server.Address())

		s := k.serve(t, nil, "-zookeeper", server.Address())
		eventually(t, "one playground is registered, and nothing else is there", func() bool {
			now := everything(t, client, "/")
			return len(now) == len(before)+3 && slices.Contains(now, "/playground/playgrounds") &&
				!slices.Contains(now, "/playground/rooms") && countSessions(t, server) == sessions+1
		})
		s.signal(t, syscall.SIGTERM)
		s.exitCode(t, stopLimit)
		if now := everything(t, client, "/"); !slices.Equal(now, before) {
			t.Errorf("znodes %q, there were %q before", now, before)
		}
		k.mustBeEmpty(t)
	})
	t.Run("managed ZooKeeper", func(t *testing.T) {
		t.Parallel()
		java := newJavaHome(t)
		k := killer{temporary: t.TempDir(), java: java, javas: make(map[int]bool)}
		k.killAll(t, java.setting())

		s := k.serve(t, java.setting())
		delete(k.javas, java.pid(t))
		for pid := range k.javas {
			eventually(t, "the Java of a killed playground is gone", func() bool { return !running(pid) })
		}
		if files := k.files(t); len(files) != 1 {
			t.Errorf("files %q, want the directory of the new ZooKeeper alone", files)
		}
		s.signal(t, syscall.SIGTERM)
		s.exitCode(t, stopLimit)
		k.mustBeEmpty(t)
	})
}

// A killer kills playgrounds that have a directory for temporary files in common.
type killer struct {
	temporary string
	java      javaHome     // which notes the process id of a managed ZooKeeper; empty if there is none
	javas     map[int]bool // those that were started
}

func (k killer) settings(settings []string) []string {
	return append(slices.Clone(settings), "TMPDIR="+k.temporary)
}

func (k killer) serve(t *testing.T, settings []string, args ...string) site {
	t.Helper()
	return serve(t, k.settings(settings), args...)
}

// killAll kills as often as the flag says: every third during the start.
func (k killer) killAll(t *testing.T, settings []string, args ...string) {
	t.Helper()
	random := rand.New(rand.NewPCG(*killSeed, 0))
	for i := range *kills {
		wait := time.Duration(random.IntN(1500)) * time.Millisecond
		if i%3 == 2 {
			c := start(t, k.settings(settings), append([]string{"serve", "-addr", "127.0.0.1:0"}, args...)...)
			k.kill(t, c, wait)
			continue
		}
		s := k.serve(t, settings, args...)
		for _, room := range []string{"main", s.newRoom(t), s.newRoom(t)} {
			s.mustRequest(t, http.StatusCreated, "POST", "/api/rooms/"+room+"/run",
				`{"scenario": "herd-vs-predecessor", "clients": 5, "delay": "0s"}`)
		}
		k.kill(t, s.child, wait)
	}
}

// kill kills after a while.
func (k killer) kill(t *testing.T, c *child, wait time.Duration) {
	t.Helper()
	time.Sleep(wait) // the instant is to be any
	c.signal(t, syscall.SIGKILL)
	c.exitCode(t, stopLimit)
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

// newRoom makes a room and returns its name.
func (s site) newRoom(t *testing.T) string {
	t.Helper()
	var made struct{ Room string }
	if err := json.Unmarshal([]byte(s.mustRequest(t, http.StatusCreated, "POST", "/api/rooms", "")), &made); err != nil {
		t.Fatal(err)
	}
	return made.Room
}

// everything lists, sorted, all znodes below one, but for ZooKeeper's own.
func everything(t *testing.T, client *wire.Client, node string) []string {
	t.Helper()
	names, _, err := client.Children(t.Context(), node)
	if err != nil && !errors.Is(err, wire.NoNode) { // it may go just now
		t.Fatal(err)
	}
	var all []string
	for _, name := range names {
		if child := path.Join(node, name); child != "/zookeeper" {
			all = append(append(all, child), everything(t, client, child)...)
		}
	}
	slices.Sort(all)
	return all
}
