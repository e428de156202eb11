package zktest_test

import (
	"os"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestReadUsage: what the kernel tells in /proc agrees with what it tells the process
// itself.
func TestReadUsage(t *testing.T) {
	for began := zktest.ProcessorTime(t); zktest.ProcessorTime(t)-began < 50*time.Millisecond; {
	}
	before := zktest.ProcessorTime(t)
	told := zktest.ReadUsage(t, os.Getpid())
	after := zktest.ProcessorTime(t)
	const step = 20 * time.Millisecond // user and system time are each cut to one of 10 ms
	if told.Processor < before-step || told.Processor > after+step {
		t.Errorf("processor time %v, want %v to %v", told.Processor, before, after)
	}
	if told.Peak < 1<<20 || told.Peak > 1<<40 {
		t.Errorf("%d bytes of memory at most", told.Peak)
	}
}
