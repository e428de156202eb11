package zktest

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// A Usage is what a process has taken since it was started.
type Usage struct {
	Processor time.Duration // counted in steps of 10 ms
	Peak      int64         // the most memory that was resident, in bytes
}

// ReadUsage asks the kernel, which tells that on Linux alone.
func ReadUsage(tb testing.TB, pid int) Usage {
	tb.Helper()
	used, err := readUsage(pid)
	if err != nil {
		tb.Fatal(err)
	}
	return used
}

// tick is the unit in which Linux tells processor time.
const tick = 10 * time.Millisecond

func readUsage(pid int) (used Usage, err error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return used, err
	}
	// The name of the program, in brackets, may have blanks; then come the state and,
	// after ten numbers, the two times.
	fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
	if len(fields) < 13 {
		return used, fmt.Errorf("process %d: its state is %q", pid, stat)
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return used, fmt.Errorf("process %d: its processor time: %w", pid, err)
	}
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return used, err
	}
	_, peak, _ := strings.Cut(string(status), "\nVmHWM:")
	var kibibytes int64
	if _, err := fmt.Sscan(peak, &kibibytes); err != nil {
		return used, fmt.Errorf("process %d: its memory: %w", pid, err)
	}
	return Usage{Processor: time.Duration(user+system) * tick, Peak: kibibytes << 10}, nil
}
