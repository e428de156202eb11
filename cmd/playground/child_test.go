package main

import (
	"bytes"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

const (
	// timeout is how long a test waits for something that does happen.
	timeout = 2 * time.Minute
	// stopLimit is how long the program may take to stop: five seconds by
	// contract, and what a busy machine adds.
	stopLimit = 15 * time.Second
)

// A child is the playground in a process of its own.
type child struct {
	cmd            *exec.Cmd
	tmp            string // its directory for temporary files
	stdout, stderr output
	exited         chan struct{}
}

// start runs playground until the test stops it, or ends. Settings are
// variables of its environment, name=value.
func start(t *testing.T, settings []string, args ...string) *child {
	t.Helper()
	c := &child{cmd: exec.Command("playground", args...), tmp: t.TempDir(), exited: make(chan struct{})}
	c.cmd.Env = append(os.Environ(), "GORACE="+quickExit(), "ZK_SERVERS=", "TMPDIR="+c.tmp)
	c.cmd.Env = append(c.cmd.Env, settings...)
	c.cmd.Stdout, c.cmd.Stderr = &c.stdout, &c.stderr
	if err := c.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(c.exited)
		_ = c.cmd.Wait() // the tests look at the exit code
	}()
	t.Cleanup(func() { c.end(t) })
	return c
}

// end leaves no process behind, and shows what the program said if the test failed.
func (c *child) end(t *testing.T) {
	_ = c.cmd.Process.Kill()
	<-c.exited
	if t.Failed() {
		t.Logf("playground %q\nstdout:\n%s\nstderr:\n%s", c.cmd.Args[1:], c.stdout.text(), c.stderr.text())
	}
}

func (c *child) signal(t *testing.T, sig os.Signal) {
	t.Helper()
	if err := c.cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
}

// exitCode waits for the program's end, no longer than limit.
func (c *child) exitCode(t *testing.T, limit time.Duration) int {
	t.Helper()
	began := time.Now()
	select {
	case <-c.exited:
		t.Logf("playground %s ended after %v", c.cmd.Args[1], time.Since(began).Round(10*time.Millisecond))
	case <-time.After(limit):
		t.Fatalf("playground still runs after %v", limit)
	}
	return c.cmd.ProcessState.ExitCode()
}

// mustStop sends sig, upon which the program has to end well and in time, and
// to leave no temporary file.
func (c *child) mustStop(t *testing.T, sig os.Signal) {
	t.Helper()
	c.signal(t, sig)
	if code := c.exitCode(t, stopLimit); code != 0 {
		t.Errorf("exit code %d after %v, want 0", code, sig)
	}
	c.mustLeaveNoFile(t)
}

func (c *child) mustLeaveNoFile(t *testing.T) {
	t.Helper()
	left, err := os.ReadDir(c.tmp)
	if err != nil || len(left) > 0 {
		t.Errorf("in the directory for temporary files: %v, %v; want nothing", left, err)
	}
}

// An output is what a program has written so far.
type output struct {
	mu     sync.Mutex
	buffer bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.Write(p)
}

func (o *output) text() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.String()
}

// await waits until the output matches pattern and returns what its group matched.
func (o *output) await(t *testing.T, pattern string) string {
	t.Helper()
	expression := regexp.MustCompile(pattern)
	var found []string
	eventually(t, "output like "+pattern, func() bool {
		found = expression.FindStringSubmatch(o.text())
		return found != nil
	})
	return found[len(found)-1]
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
