package zkserver_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestStartServesAndStopLeavesNothing(t *testing.T) {
	other := zktest.Start(t) // which keeps its directory
	left := temporaryDirs(t)
	server := mustStart(t, zkserver.Config{AdminServer: true}) // which could leave files, too
	stats := probe(t, server.Address())
	if stats.Mode != "standalone" || stats.Version != server.Version() || stats.Connections < 1 {
		t.Errorf("srvr says %+v; the server says version %s", stats, server.Version())
	}
	pid := server.PID()
	if !running(pid) {
		t.Errorf("process %d does not run", pid)
	}
	if probe(t, other.Address()).Mode != "standalone" || other.Managed().PID() == pid {
		t.Errorf("two servers at once: at %s and %s", other.Address(), server.Address())
	}
	mustStop(t, server)
	mustStop(t, server) // again, to no effect
	if running(pid) {
		t.Errorf("process %d still runs", pid)
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}

// TestStopInTime: a server that does not obey is killed, and Stop waits for that no
// longer than its context lasts.
func TestStopInTime(t *testing.T) {
	t.Parallel()
	server := mustStart(t, zkserver.Config{})
	if err := zktest.Freeze(server.PID()); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if err := server.Stop(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("Stop = %v, want context.Canceled", err)
	}
	if err := server.Stop(within(t)); err != nil {
		t.Error(err)
	}
}

func TestAdminServer(t *testing.T) {
	server := zktest.Start(t).Managed()
	response, err := http.Get("http://" + server.AdminAddress() + "/commands/ruok")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	defer http.DefaultClient.CloseIdleConnections()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %s", response.Status)
	}
}

// TestDirIsForOneServer: alone, or as one of an ensemble.
func TestDirIsForOneServer(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	dir := filepath.Join(parent, "2")
	server := mustStart(t, zkserver.Config{Dir: dir})
	if server.AdminAddress() != "" {
		t.Errorf("admin server at %q, want none", server.AdminAddress())
	}
	// Tests prepare a snapshot there.
	if _, err := os.Stat(filepath.Join(dir, "data", "version-2", "snapshot.0")); err != nil {
		t.Error(err)
	}
	if _, err := zkserver.Start(t.Context(), zkserver.Config{Dir: dir}); !errors.Is(err, zkserver.ErrDirInUse) {
		t.Errorf("second server: %v, want ErrDirInUse", err)
	}
	if _, err := zkserver.StartEnsemble(t.Context(), zkserver.Config{Dir: parent}, 3); !errors.Is(err, zkserver.ErrDirInUse) {
		t.Errorf("an ensemble around it: %v, want ErrDirInUse", err)
	}
	mustBeFree(t, filepath.Join(parent, "1")) // though it was taken before the ensemble failed
	mustStop(t, server)
	mustBeFree(t, dir)
}

// mustBeFree waits until a server takes a directory: a child that another test has just
// forked shares its lock until it executes its program. The server need not boot, which
// would take a second.
func mustBeFree(t *testing.T, dir string) {
	t.Helper()
	var err error
	eventually(t, dir+" is free", func() bool {
		_, err = zkserver.Start(t.Context(), zkserver.Config{Dir: dir, BootTimeout: time.Millisecond})
		return !errors.Is(err, zkserver.ErrDirInUse)
	})
	if !errors.Is(err, zkserver.ErrBoot) {
		t.Errorf("%s: %v, want that a server begins to boot there", dir, err)
	}
}

// TestDirBeyondASCII: a server finds its files there; its log gets the warnings.
func TestDirBeyondASCII(t *testing.T) {
	t.Setenv("LC_ALL", "C")
	var log strings.Builder
	mustStop(t, mustStart(t, zkserver.Config{Dir: filepath.Join(t.TempDir(), `Gerät, 1\2`), Log: &log}))
	if !strings.Contains(log.String(), "WARN") {
		t.Errorf("log = %q, want a warning", &log)
	}
}

func TestDirIsAFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	writeFile(t, file, "", 0o600)
	if _, err := zkserver.Start(t.Context(), zkserver.Config{Dir: file}); err == nil {
		t.Error("started in a file")
	}
}

func TestPortTaken(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	port := listener.Addr().(*net.TCPAddr).Port
	_, err = zkserver.Start(t.Context(), zkserver.Config{Port: port})
	if !errors.Is(err, zkserver.ErrPortTaken) || !strings.Contains(err.Error(), strconv.Itoa(port)) {
		t.Errorf("Start = %v, want ErrPortTaken for %d", err, port)
	}
}

func TestPortOfAnotherZooKeeper(t *testing.T) {
	_, text, err := net.SplitHostPort(zktest.Start(t).Address())
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := zkserver.Start(t.Context(), zkserver.Config{Port: port}); !errors.Is(err, zkserver.ErrPortTaken) {
		t.Errorf("Start = %v, want ErrPortTaken", err)
	}
}

func TestStartWithoutJava(t *testing.T) {
	left := temporaryDirs(t)
	t.Setenv("JAVA_HOME", t.TempDir())
	if _, err := zkserver.Start(t.Context(), zkserver.Config{}); !errors.Is(err, zkserver.ErrNoJava) {
		t.Errorf("Start = %v, want ErrNoJava", err)
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}

func TestStartWithBadConfig(t *testing.T) {
	if _, err := zkserver.Start(t.Context(), zkserver.Config{Port: -1}); !errors.Is(err, zkserver.ErrConfig) {
		t.Errorf("Start = %v, want ErrConfig", err)
	}
	home := t.TempDir()
	_, err := zkserver.Start(t.Context(), zkserver.Config{Home: home})
	if !errors.Is(err, zkserver.ErrNoZooKeeper) || !strings.Contains(err.Error(), home) {
		t.Errorf("Start = %v, want ErrNoZooKeeper for %s", err, home)
	}
}

func TestBootFailureShowsWhatTheServerWrote(t *testing.T) {
	left := temporaryDirs(t)
	wrapJava(t, "echo the disk is on fire >&2; exit 3")
	_, err := zkserver.Start(t.Context(), zkserver.Config{})
	if !errors.Is(err, zkserver.ErrBoot) || !strings.Contains(err.Error(), "the disk is on fire") {
		t.Errorf("Start = %v, want ErrBoot and the output", err)
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}

func TestBootTimeout(t *testing.T) {
	java := wrapJava(t, "exec sleep 600")
	_, err := zkserver.Start(t.Context(), zkserver.Config{BootTimeout: 200 * time.Millisecond})
	if !errors.Is(err, zkserver.ErrBoot) || !strings.Contains(err.Error(), "200ms") {
		t.Errorf("Start = %v, want ErrBoot after 200ms", err)
	}
	if java.runs(t) {
		t.Errorf("process %d still runs", java.pid(t))
	}
}

func TestStartCancelledDuringBootLeavesNothing(t *testing.T) {
	left := temporaryDirs(t)
	java := wrapJava(t, "exec sleep 600") // Java itself might serve before the end
	ctx, cancel := context.WithCancel(t.Context())
	failed := make(chan error, 1)
	go func() {
		_, err := zkserver.Start(ctx, zkserver.Config{})
		failed <- err
	}()
	eventually(t, "Java runs", func() bool { return java.pid(t) != 0 })
	cancel()
	if err := <-failed; !errors.Is(err, context.Canceled) {
		t.Errorf("Start = %v, want context.Canceled", err)
	}
	if java.runs(t) {
		t.Errorf("process %d still runs", java.pid(t))
	}
	if dirs := left(); len(dirs) != 0 {
		t.Errorf("left behind: %v", dirs)
	}
}
