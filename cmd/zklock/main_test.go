//go:build unix

package main

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestMain lets this test program be the program under test.
func TestMain(m *testing.M) {
	if os.Getenv(isZklock) != "" {
		main()
	}
	zktest.Main(m)
}

// isZklock is the variable that makes it so.
const isZklock = "TEST_IS_ZKLOCK"

// timeout bounds every wait of a test, and is never waited for when all is well.
const timeout = time.Minute

// A world is a server, and a lock directory of a test.
type world struct {
	testing.TB
	conn    *zk.Conn
	servers string
	path    string
}

func newWorld(tb testing.TB) *world {
	server := zktest.Start(tb)
	return &world{tb, server.Conn(tb), server.Address(), server.Root(tb) + "/lock"}
}

// A process is zklock, as it runs.
type process struct {
	*exec.Cmd
	lines  *bufio.Reader // what it and its command print
	stderr lockedBuffer
}

// start starts zklock. Its session and its waits outlast what a busy machine does to them,
// unless args say otherwise.
func (w *world) start(args ...string) *process {
	w.Helper()
	p := &process{Cmd: exec.Command(os.Args[0], args...)}
	p.Env = append(os.Environ(), isZklock+"=1", "ZKLOCK_SERVERS="+w.servers, "ZKLOCK_SESSION=30s", "ZKLOCK_TIMEOUT=1m")
	p.Stderr = &p.stderr
	out, in, err := os.Pipe()
	if err != nil {
		w.Fatal(err)
	}
	p.Stdout, p.lines = in, bufio.NewReader(out)
	if err := p.Start(); err != nil {
		w.Fatal(err)
	}
	in.Close()
	w.Cleanup(func() {
		p.Process.Kill()
		p.Wait() // fails where that was done before
		out.Close()
	})
	return p
}

// says waits for a line of that text.
func (p *process) says(w *world, text string) {
	w.Helper()
	if line, err := p.lines.ReadString('\n'); err != nil || strings.TrimSpace(line) != text {
		w.Fatalf("it says %q, %v; want %q; and %s", line, err, text, p.stderr.String())
	}
}

// ends waits until zklock and its command have ended, and returns the rest of what they
// said, and the exit code.
func (p *process) ends(w *world) (rest string, code int) {
	w.Helper()
	time.AfterFunc(timeout, func() { p.Process.Kill() })
	text, err := io.ReadAll(p.lines) // until nobody has the pipe open any more
	if err != nil {
		w.Fatal(err)
	}
	var exit *exec.ExitError
	if err := p.Wait(); err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	return string(text), p.ProcessState.ExitCode()
}

// queues waits until so many stand in the queue, and returns how long that took.
func (w *world) queues(want int) time.Duration {
	w.Helper()
	began, late := time.Now(), time.After(timeout)
	for {
		names, _, changed, err := w.conn.ChildrenW(w.path)
		if err == nil && len(names) == want || err == zk.ErrNoNode && want == 0 {
			return time.Since(began)
		}
		if err != nil {
			w.Errorf("look at the queue: %v", err)
			return time.Since(began)
		}
		select {
		case <-changed:
		case <-late:
			w.Errorf("in the queue are %v, want %d", names, want)
			return time.Since(began)
		}
	}
}

// A lockedBuffer is a buffer that goroutines share.
type lockedBuffer struct {
	mu  sync.Mutex
	all bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.all.String()
}
