package zkserver_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout is how long a test waits for something that does happen.
const timeout = 2 * time.Minute

// parentDir names the data directory of a parent that will be killed, and makes
// this test program that parent.
const parentDir = "ZKSERVER_TEST_PARENT_DIR"

// testsAtOnce is how many of these tests run side by side: each boots servers of its
// own, which takes a processor.
const testsAtOnce = "3"

func TestMain(m *testing.M) {
	if dir := os.Getenv(parentDir); dir != "" {
		beParent(dir)
	}
	_ = flag.Set("test.parallel", testsAtOnce) // which the command line may overrule
	zktest.Main(m)
}

// beParent starts a server, prints its process id, and waits to be killed.
func beParent(dir string) {
	server, err := zkserver.Start(context.Background(), zkserver.Config{Dir: dir, BootTimeout: timeout})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(server.PID())
	select {}
}

// eventually polls until condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	poll := time.NewTicker(5 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.After(timeout); !condition(); {
		select {
		case <-poll.C:
		case <-deadline:
			t.Fatalf("after %v, still not: %s", timeout, what)
		}
	}
}

// running reports whether a process exists.
func running(pid int) bool { return zktest.Running(pid) }

// mustStart starts a server that is stopped, if the test has not done so, at its end.
func mustStart(t *testing.T, config zkserver.Config) *zkserver.Server {
	t.Helper()
	server, err := zkserver.Start(t.Context(), withBootTime(config))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { mustStop(t, server) })
	return server
}

// withBootTime gives a server time to boot, unless the test says how much.
func withBootTime(config zkserver.Config) zkserver.Config {
	if config.BootTimeout == 0 {
		config.BootTimeout = timeout
	}
	return config
}

func mustStop(t *testing.T, server *zkserver.Server) {
	t.Helper()
	if err := server.Stop(context.Background()); err != nil {
		t.Error(err)
	}
}

// temporaryDirs makes an empty place for temporary directories and returns a
// function that lists it.
func temporaryDirs(t *testing.T) func() []os.DirEntry {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	return func() []os.DirEntry {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return entries
	}
}

// A wrapper is a java program that notes its process id and then does what
// script says; $JAVA is the real one.
type wrapper struct{ home string }

func wrapJava(t *testing.T, script string) wrapper {
	t.Helper()
	install, err := zkserver.Find("")
	if err != nil {
		t.Fatal(err)
	}
	w := wrapper{home: t.TempDir()}
	text := fmt.Sprintf("#!/bin/sh\nJAVA=%s HOME_DIR=%s\necho $$ > $HOME_DIR/pid.new && mv $HOME_DIR/pid.new $HOME_DIR/pid\n%s\n",
		install.Java, w.home, script)
	writeFile(t, filepath.Join(w.home, "bin", "java"), text, 0o755)
	t.Setenv("JAVA_HOME", w.home)
	return w
}

// pid is the process id that the program noted last; 0 if it has not run yet.
func (w wrapper) pid(t *testing.T) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(w.home, "pid"))
	if errors.Is(err, os.ErrNotExist) {
		return 0
	}
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	return pid
}

// runs reports whether the program exists that noted its process id last.
func (w wrapper) runs(t *testing.T) bool {
	pid := w.pid(t)
	return pid != 0 && running(pid)
}

func writeFile(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}
