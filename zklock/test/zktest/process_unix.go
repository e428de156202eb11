//go:build unix

package zktest

import (
	"syscall"
	"testing"
	"time"
)

// Freeze has a process stand still until [Thaw].
func Freeze(pid int) error { return syscall.Kill(pid, syscall.SIGSTOP) }

// Thaw lets a process go on that stands still.
func Thaw(pid int) error { return syscall.Kill(pid, syscall.SIGCONT) }

// Running says whether a process exists.
func Running(pid int) bool { return syscall.Kill(pid, 0) != syscall.ESRCH }

// ProcessorTime is what this process has taken of the processors. On Windows nobody
// measures it, and it is zero.
func ProcessorTime(tb testing.TB) time.Duration {
	tb.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		tb.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
