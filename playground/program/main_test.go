package program_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"

	"github.com/zkplayground/zkplayground/playground/program"
)

// superviseArgument has the test's own binary be a supervisor.
const superviseArgument = "supervise"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == superviseArgument {
		program.Supervise(os.Args[2:])
		return
	}
	os.Setenv("GORACE", "atexit_sleep_ms=0") // supervisors end at once
	goleak.VerifyTestMain(m)
}
