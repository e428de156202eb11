package zkserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	mainClass = "org.apache.zookeeper.server.quorum.QuorumPeerMain"
	// termGrace is how long a JVM may take to obey SIGTERM; it takes 0.3 s.
	termGrace = time.Second
	// pipeGrace is how long its output may stay open after its death.
	pipeGrace = time.Second
)

// smallJVM starts fast and stays small.
var smallJVM = []string{"-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"}

// jvmFlags are every JVM's. They leave no file in the temporary directory.
var jvmFlags = []string{"-XX:-UsePerfData", "-Djava.awt.headless=true", "-Djava.net.preferIPv4Stack=true"}

// A process is one life of a JVM.
type process struct {
	pid  int
	dead chan struct{} // closed when it has been reaped
	err  error         // how it ended, never nil; read it once dead is closed
}

// command is the JVM's command line. Log configuration comes first on the
// class path, so that it wins over what the jars bring.
func command(install Installation, dir *directory, flags []string, output *tail) *exec.Cmd {
	classPath := append([]string{dir.conf()}, install.ClassPath...)
	args := append([]string{"-cp", strings.Join(classPath, string(os.PathListSeparator))}, jvmFlags...)
	args = append(args, flags...)
	cmd := exec.Command(install.Java, append(args, mainClass, dir.cfgFile())...)
	cmd.Dir = dir.path
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8") // else Java cannot open a path beyond ASCII
	cmd.Stdout, cmd.Stderr = output, output
	cmd.ExtraFiles = []*os.File{dir.lock}
	cmd.WaitDelay = pipeGrace
	cmd.SysProcAttr = childAttr()
	return cmd
}

// launch starts cmd and a goroutine that reaps it. The goroutine keeps its
// thread: the kernel kills the child when the thread that forked it ends.
func launch(cmd *exec.Cmd) (*process, error) {
	p := &process{dead: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.dead)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = ended(cmd.Wait())
			// A script may have left its Java, which keeps the group's number taken.
			_ = kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}()
	if err := <-started; err != nil {
		<-p.dead
		return nil, fmt.Errorf("start the JVM: %w", err)
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

// ended turns even an orderly end into an error: a server is not to end.
func ended(err error) error {
	if err == nil {
		return errors.New("exit status 0")
	}
	return err
}

// terminate ends the process, gently first, and returns when it is reaped.
func (p *process) terminate() {
	p.signal(syscall.SIGTERM)
	grace := time.NewTimer(termGrace)
	defer grace.Stop()
	select {
	case <-p.dead:
	case <-grace.C:
		p.kill()
	}
}

// kill ends the process at once and returns when it is reaped.
func (p *process) kill() {
	p.signal(syscall.SIGKILL)
	<-p.dead
}

// signal sends sig, unless the process is known to be dead, to all of its group: Java
// may have been started by a script that stays. A failure means that it died just now,
// which the wait that follows every call observes.
func (p *process) signal(sig syscall.Signal) {
	if p.alive() {
		_ = kill(-p.pid, sig)
	}
}

func (p *process) alive() bool {
	select {
	case <-p.dead:
		return false
	default:
		return true
	}
}

// tailSize is how much of a server's output is kept to explain a failure.
const tailSize = 8 << 10

// A tail passes on what is written to it and remembers the end. It is safe for
// concurrent use.
type tail struct {
	mu   sync.Mutex
	next io.Writer
	last []byte
}

// Write keeps p and passes it on. A log that cannot be written must not stop
// the server, so an error of the next writer is not returned.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.last = append(t.last, p...)
	if extra := len(t.last) - tailSize; extra > 0 {
		t.last = append(t.last[:0], t.last[extra:]...)
	}
	_, _ = t.next.Write(p)
	return len(p), nil
}

// contains reports whether text is in the remembered output.
func (t *tail) contains(text string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Contains(t.last, []byte(text))
}

// lines returns the last n lines, without the stack traces of Java, indented
// for an error message.
func (t *tail) lines(n int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := strings.TrimSpace(string(t.last))
	if text == "" {
		return "    (the server wrote nothing)"
	}
	all := slices.DeleteFunc(strings.Split(text, "\n"), isStackFrame)
	return "    " + strings.Join(all[max(0, len(all)-n):], "\n    ")
}

func isStackFrame(line string) bool { return strings.HasPrefix(line, "\tat ") }
