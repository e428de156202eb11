//go:build unix

package zktest

import "syscall"

// Freeze has a process stand still until [Thaw].
func Freeze(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

// Thaw lets a process go on that stands still.
func Thaw(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }

// Running says whether a process exists.
func Running(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }
