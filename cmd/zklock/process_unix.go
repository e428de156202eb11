//go:build unix

package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"syscall"

	"golang.org/x/term"
)

// forwarded are the signals that are passed on to the command.
var forwarded = []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT}

// fromKeyboard reports whether a terminal sends s to all of its group.
func fromKeyboard(s os.Signal) bool { return s == syscall.SIGINT || s == syscall.SIGQUIT }

// onTerminal reports whether the command reads a terminal, which it may only in the
// terminal's group of processes.
func onTerminal() bool { return term.IsTerminal(int(os.Stdin.Fd())) }

// target is what signals go to: the command, or all of its group if that is its own.
func (c *command) target() int {
	if c.alone {
		return c.process.Pid
	}
	return -c.process.Pid
}

func (c *command) signal(s os.Signal) {
	_ = syscall.Kill(c.target(), s.(syscall.Signal)) // it may have ended
}

func (c *command) kill() { c.signal(syscall.SIGKILL) }

// killRest kills what a command that has ended has left in its group: it would go on
// without the lock.
func (c *command) killRest() {
	if !c.alone {
		c.kill()
	}
}

// guardCommand is the command by which zklock guards itself. People do not type it.
const guardCommand = "guard"

// A guard is a process that kills the command, and all of its group, when zklock is killed.
// The system tells it by the end of its input. It is there before the command, which could
// otherwise outlive a zklock that is killed in between.
type guard struct {
	process *exec.Cmd
	input   io.Writer
}

func startGuard() (*guard, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	process := exec.Command(self, guardCommand)
	process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a signal to ours is not for it
	input, err := process.StdinPipe()
	if err != nil {
		return nil, err
	}
	return &guard{process, input}, process.Start()
}

// watch says what is to be killed.
func (g *guard) watch(c *command) error {
	_, err := fmt.Fprintln(g.input, c.target())
	return err
}

// end ends the guard, and nothing else.
func (g *guard) end() {
	_ = g.process.Process.Kill() // before the number that it knows may be another's
	_ = g.process.Wait()         // it was killed
}

// beGuard is what that process does.
func beGuard() int {
	signal.Ignore(forwarded...)
	var target int
	if _, err := fmt.Scanln(&target); err != nil || target == 0 {
		return exitFailure // there is no command
	}
	_, _ = io.Copy(io.Discard, os.Stdin)
	_ = syscall.Kill(target, syscall.SIGKILL)
	return 0
}

// exitCode is what a shell says of a command that has ended.
func exitCode(s *os.ProcessState) int {
	if status := s.Sys().(syscall.WaitStatus); status.Signaled() {
		return exitSignal + int(status.Signal())
	}
	return s.ExitCode()
}
