package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// TestMain lets this test program be the program under test: called playground,
// as which it stands on the PATH of the tests, it runs main and no test.
func TestMain(m *testing.M) {
	testscript.Main(suite{m}, map[string]func(){"playground": main})
}

// A suite is the tests of this package, as [zktest.Main] runs them.
type suite struct{ *testing.M }

func (s suite) Run() int { return zktest.Run(s.M) }

// quickExit spares a program that was built with the race detector the second
// that it would otherwise sleep at its end.
func quickExit() string { return "atexit_sleep_ms=0 " + os.Getenv("GORACE") }
