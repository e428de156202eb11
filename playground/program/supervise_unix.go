//go:build unix

package program

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"time"
)

// A supervised program is what a supervisor has started, with all that it has started.
type supervised struct {
	pid   int
	ended chan string // how it has ended, once
}

func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// launch starts the program in a process group of its own.
func launch(args []string) (*supervised, error) {
	runtime.LockOSThread() // the program dies with the thread that has started it
	adoptOrphans()
	path, err := exec.LookPath(args[0])
	if err != nil {
		return nil, err
	}
	process, err := os.StartProcess(path, args, &os.ProcAttr{
		Files: []*os.File{os.Stdin, os.Stdout, os.Stderr}, Sys: childAttributes()})
	if err != nil {
		return nil, err
	}
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		f.Close() // so that its end is the end of the program's
	}
	s := &supervised{pid: process.Pid, ended: make(chan string, 1)}
	go s.reap() // ends with this process
	return s, nil
}

// reap waits for the program, and for the orphans that became ours.
func (s *supervised) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // no child is left, for now
			time.Sleep(reapPause)
		case pid == s.pid:
			s.ended <- describe(status)
		}
	}
}

// reapPause is between two looks for orphans while there is no child.
const reapPause = 10 * time.Millisecond

func describe(status syscall.WaitStatus) string {
	if status.Signaled() {
		return fmt.Sprintf("signal: %v", status.Signal())
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}

// signalAll signals the program's group, and whatever has left it.
func (s *supervised) signalAll(signal syscall.Signal) {
	_ = syscall.Kill(-s.pid, signal) // it may be gone
	for _, pid := range s.processes() {
		_ = syscall.Kill(pid, signal)
	}
}

// stopAll stops every process. Those that a running one has started meanwhile are found at
// the next look.
func (s *supervised) stopAll() {
	for before := []int(nil); ; {
		s.signalAll(syscall.SIGSTOP)
		now := s.processes()
		if slices.Equal(now, before) {
			return
		}
		before = now
	}
}

func (s *supervised) resumeAll() { s.signalAll(syscall.SIGCONT) }

// killTimeout is how long it may take until no process is left that has been killed.
const killTimeout = 10 * time.Second

// killAll ends every process: first it stops them, so that none starts another one.
func (s *supervised) killAll() {
	s.stopAll()
	for deadline := time.Now().Add(killTimeout); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		s.signalAll(syscall.SIGKILL)
		if len(s.processes()) == 0 {
			return
		}
	}
}
