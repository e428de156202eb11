package link_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/zkplayground/zkplayground/playground/link"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The environment that makes this test binary a process of its own.
const (
	processAddress = "LINK_TEST_ADDRESS"
	processPath    = "LINK_TEST_PATH"
)

// actAsProcess reports whether this binary was started to be the process.
func actAsProcess() bool {
	address := os.Getenv(processAddress)
	if address == "" {
		return false
	}
	if err := live(os.Stdin, os.Stdout, address, os.Getenv(processPath), net.DialTimeout); err != nil {
		fmt.Println(err)
	}
	return true
}

// A testProcess is a process that can be made to stand still.
type testProcess struct {
	orders     io.Writer
	told       *bufio.Scanner
	stop, cont func()
}

// TestPauseIsAStoppedProcess stops a process of the operating system, and pauses
// one behind a link, for longer than their sessions live. What becomes of the
// two must be the same, word by word.
func TestPauseIsAStoppedProcess(t *testing.T) {
	t.Parallel()
	server := zktest.Start(t)
	var stopped, paused []string
	t.Run("both", func(t *testing.T) {
		t.Run("stopped", func(t *testing.T) { stopped = outcome(t, server, startStopped) })
		t.Run("paused", func(t *testing.T) { paused = outcome(t, server, startPaused) })
	})
	want := []string{
		contact, "its session ends in time",
		"until then it believes in its session", failed, "and that at once",
		"it learns StateDisconnected", "it learns StateConnecting", "it learns StateConnected", "it learns StateExpired",
	}
	if diff := cmp.Diff(want, stopped); diff != "" {
		t.Errorf("the stopped process (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(stopped, paused); diff != "" {
		t.Errorf("the paused process (-stopped +paused):\n%s", diff)
	}
}

// outcome lets a process stand still until its session has ended, right after it
// was in contact with its server, and has it do something as it wakes up.
func outcome(t *testing.T, server *zktest.Server, start func(t *testing.T, address, path string) testProcess) []string {
	t.Parallel()
	other, path := server.Conn(t), server.Root(t)+"/a"
	p := start(t, server.Address(), path)
	before := time.Now()
	p.order(t, contact)
	told := []string{p.hear(t)}
	_, stat, err := other.Exists(path)
	must(t, err)
	p.stop()
	gone(t, other, path)
	told = append(told, ending(time.Since(before)))
	// The server ends a session, tells of its znodes, and only then closes its
	// connection, by the session's number: it would also close a new one that asks
	// for the session in between, without an answer.
	if !until(t, waitLimit, func() bool { return !connected(t, server.Address(), stat.EphemeralOwner) }) {
		t.Fatal("the server keeps the connection of a session that has ended")
	}
	p.order(t, goOn)
	return append(told, p.awake(t)...)
}

// awake lets the process go on, and returns what it tells of then.
func (p testProcess) awake(t *testing.T) []string {
	t.Helper()
	began := time.Now()
	p.cont()
	told := []string{belief(t, p.hear(t), began), p.hear(t)}
	took := time.Since(began)
	t.Logf("the first request failed within %v", took)
	if took < shortSession*2/3 { // and not by a deadline that began as it woke up
		told = append(told, "and that at once")
	}
	for range 4 {
		told = append(told, p.hear(t))
	}
	return told
}

// ending judges when a session ended, by how long that was after a moment right
// before its last contact.
func ending(after time.Duration) string {
	if after < shortSession || after > 2*shortSession {
		return fmt.Sprintf("its session ends %v after the last contact", after)
	}
	return "its session ends in time"
}

// belief judges when a process learned that its connection had ended.
func belief(t *testing.T, learned string, awake time.Time) string {
	t.Helper()
	nanos, err := strconv.ParseInt(learned, 10, 64)
	must(t, err)
	if early := awake.Sub(time.Unix(0, nanos)); early > 0 {
		return fmt.Sprintf("it learns the truth %v before it goes on", early)
	}
	return "until then it believes in its session"
}

func (p testProcess) order(t *testing.T, order string) {
	t.Helper()
	_, err := fmt.Fprintln(p.orders, order)
	must(t, err)
}

func (p testProcess) hear(t *testing.T) string {
	t.Helper()
	if !p.told.Scan() {
		t.Fatalf("the process says no more: %v", p.told.Err())
	}
	return p.told.Text()
}

// startStopped is a child process under the signals that stop and continue it.
func startStopped(t *testing.T, address, path string) testProcess {
	t.Helper()
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), processAddress+"="+address, processPath+"="+path)
	orders, err := child.StdinPipe()
	must(t, err)
	told, err := child.StdoutPipe()
	must(t, err)
	must(t, child.Start())
	t.Cleanup(func() {
		child.Process.Kill()
		child.Wait()
	})
	pid := child.Process.Pid
	return testProcess{orders, bufio.NewScanner(told), func() { must(t, zktest.Freeze(pid)) }, func() { must(t, zktest.Thaw(pid)) }}
}

// startPaused is a process behind a link.
func startPaused(t *testing.T, address, path string) testProcess {
	t.Helper()
	l := link.New(link.Config{HandshakeTimeout: waitLimit}) // a second attempt would be told
	orders, order := io.Pipe()
	told, tell := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- live(orders, tell, address, path, l.Dial) }()
	t.Cleanup(func() {
		order.Close()
		told.Close()
		l.Close()
		must(t, <-ended)
	})
	return testProcess{order, bufio.NewScanner(told), l.Pause, l.Resume}
}
