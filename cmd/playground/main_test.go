package main

import (
	"fmt"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"go.uber.org/goleak"
)

// TestMain lets this test program be the program under test: called playground,
// as which it stands on the PATH of the tests, it runs main and no test.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"playground": main})
}

// A suite runs the tests and then looks for goroutines that they left behind.
type suite struct{ *testing.M }

func (s suite) Run() int {
	if code := s.M.Run(); code != 0 {
		return code // a test that failed half-way leaves goroutines: that is no news
	}
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// quickExit spares a program that was built with the race detector the second
// that it would otherwise sleep at its end.
func quickExit() string { return "atexit_sleep_ms=0 " + os.Getenv("GORACE") }
