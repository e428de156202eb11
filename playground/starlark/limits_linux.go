package starlark

import "golang.org/x/sys/unix"

// maxData is what the kernel gives the process at most: more than the largest value of one step that
// is no list, so that there is memory to say what is wrong.
const maxData = 3 << 29

func limitProcess() {
	_ = unix.Setrlimit(unix.RLIMIT_DATA, &unix.Rlimit{Cur: maxData, Max: maxData})
	_ = unix.Setrlimit(unix.RLIMIT_CORE, &unix.Rlimit{})
	_ = unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{})
}
