package starlark

import (
	"time"

	"golang.org/x/sys/unix"
)

// maxData is what the kernel gives the process at most: more than the largest value of one step that
// is no list, so that there is memory to say what is wrong.
const maxData = 3 << 29

func limitProcess() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
}

// processorTime is what the process has taken of the processors.
func processorTime() time.Duration {
	var usage unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &usage) // it fails for a bad argument only
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
