package child

import (
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// termGrace is how long a process may take to obey SIGTERM.
const termGrace = time.Second

// pipeGrace is how long its output may stay open after its death.
const pipeGrace = time.Second

// A Process is one life of a child. Its methods may be called from any goroutine.
type Process struct {
	pid  int
	dead chan struct{} // closed when it has been reaped
	err  error         // how it ended, never nil; read it once dead is closed
}

// Launch starts cmd in a process group of its own, and a goroutine that reaps it. The
// goroutine keeps its thread: the kernel kills the child when the thread that forked it
// ends.
func Launch(cmd *exec.Cmd) (*Process, error) {
	cmd.WaitDelay = pipeGrace
	cmd.SysProcAttr = attributes()
	p := &Process{dead: make(chan struct{})}
	started := make(chan error, 1)
	go func() {
		defer close(p.dead)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := cmd.Start()
		started <- err
		if err == nil {
			p.err = ended(cmd.Wait())
			// A script may have left its program, which keeps the group's number taken.
			_ = Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}
	}()
	if err := <-started; err != nil {
		<-p.dead
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
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

// Terminate ends the process, gently first, and returns when it is reaped.
func (p *Process) Terminate() {
	p.signal(syscall.SIGTERM)
	grace := time.NewTimer(termGrace)
	defer grace.Stop()
	select {
	case <-p.dead:
	case <-grace.C:
		p.Kill()
	}
}

// Kill ends the process at once and returns when it is reaped.
func (p *Process) Kill() {
	p.signal(syscall.SIGKILL)
	<-p.dead
}

// signal sends sig, unless the process is known to be dead, to all of its group: the program
// may have been started by a script that stays. A failure means that it died just now,
// which the wait that follows every call observes.
func (p *Process) signal(sig syscall.Signal) {
	if p.Alive() {
		_ = Kill(-p.pid, sig)
	}
}

// Alive says that it has not been reaped yet.
func (p *Process) Alive() bool {
	select {
	case <-p.dead:
		return false
	default:
		return true
	}
}

// PID is its process id, and the number of its process group.
func (p *Process) PID() int { return p.pid }

// Dead is closed when the process has ended and been reaped.
func (p *Process) Dead() <-chan struct{} { return p.dead }

// Err is how it ended, never nil; it is for who has seen that it is dead.
func (p *Process) Err() error { return p.err }
