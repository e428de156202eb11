//go:build unix

package zktest

import (
	"fmt"
	"syscall"
	"testing"
	"time"
)

// Freeze has a child of this process stand still until [Thaw], and returns when it does:
// its threads go on for some time after the signal.
func Freeze(pid int) error {
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		return err
	}
	var status syscall.WaitStatus
	for {
		switch _, err := syscall.Wait4(pid, &status, syscall.WUNTRACED, nil); {
		case err == syscall.EINTR:
		case err != nil:
			return fmt.Errorf("wait until process %d stands still: %w", pid, err)
		case !status.Stopped():
			return fmt.Errorf("process %d has ended", pid)
		default:
			return nil
		}
	}
}

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
