// Package programtest lets the binary of a package's tests stand for the playground's where
// programs are started.
package programtest

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/program/locker"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/recipe/broken"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// The arguments that make the binary something else than tests.
const (
	superviseArgument = "supervise-for-test"
	lockArgument      = "lock-for-test"
	starlarkArgument  = "starlark-for-test"
)

// Main is for TestMain of a package that starts programs and ZooKeeper: it runs the tests,
// unless the binary was started to be a supervisor, or a lock.
func Main(m *testing.M) {
	if !asked() {
		zktest.Main(m)
	}
}

// asked does what the binary was started for, and reports whether that was something else
// than tests.
func asked() (done bool) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // what the tests start ends at once
	if len(os.Args) < 3 {
		return false
	}
	switch args := os.Args[2:]; os.Args[1] {
	case superviseArgument:
		program.Supervise(args)
		return true
	case lockArgument:
		all := append(append(recipe.All(), broken.All()...), locker.ZKLock(), twoSessions)
		i := slices.IndexFunc(all, func(r recipe.Recipe) bool { return r.Name == args[0] })
		exit(locker.Run(context.Background(), all[i], os.Stdin, os.Stdout, os.Getenv))
		return true
	case starlarkArgument:
		source := []byte(os.Getenv(run.SourceVariable))
		if args[0] != "" {
			var err error
			source, err = os.ReadFile(args[0])
			exit(err)
		}
		exit(starlark.Run(context.Background(), string(source), os.Stdin, os.Stdout, os.Getenv))
		return true
	default:
		return false
	}
}

// exit ends the process if there is an error, with what it says.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Supervisor is program.Config's.
func Supervisor() []string { return []string{os.Args[0], superviseArgument} }

// Lock is the command that runs a recipe as a program.
func Lock(recipe string) []string { return []string{os.Args[0], lockArgument, recipe} }

// Starlark is the command that runs a source as a program.
func Starlark(tb testing.TB, source string) []string {
	tb.Helper()
	file := filepath.Join(tb.TempDir(), "lock.star")
	if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
		tb.Fatal(err)
	}
	return []string{os.Args[0], starlarkArgument, file}
}

// StarlarkFromEnvironment is the command that runs the source of run.SourceVariable.
func StarlarkFromEnvironment() []string { return []string{os.Args[0], starlarkArgument, ""} }
