package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// refusal bounds how long the program may take to say no: the five seconds in
// which a ZooKeeper must answer, and the start of a process on a busy machine.
const refusal = 20 * time.Second

// TestScripts runs the scripts in testdata/script. They have, besides what
// testscript offers, $ZK, the address of a ZooKeeper, $PROGRAM_DIR, where the
// program is, and the commands below.
func TestScripts(t *testing.T) {
	t.Parallel()
	server := zktest.StartOwn(t, zkserver.Config{})
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Setup:               func(env *testscript.Env) error { return setUp(env, server.Address()) },
		RequireExplicitExec: true,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":    exits,
			"refused":  refused,
			"keys":     keys,
			"unzstd":   unzstd,
			"truncate": truncate,
		},
	})
}

func setUp(env *testscript.Env, zookeeper string) error {
	program, err := exec.LookPath("playground")
	if err != nil {
		return err
	}
	env.Setenv("PROGRAM_DIR", filepath.Dir(program))
	env.Setenv("ZK", zookeeper)
	env.Setenv("GORACE", quickExit())
	for _, name := range []string{"JAVA_HOME", "ZOOKEEPER_HOME"} {
		env.Setenv(name, os.Getenv(name))
	}
	return nil
}

// exits CODE ARGUMENTS... runs playground, which must exit with the code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARGUMENTS...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := runProgram(ts, args[1:]); got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func runProgram(ts *testscript.TestScript, args []string) (code int) {
	err := ts.Exec("playground", args...)
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	ts.Check(err)
	return 0
}

// refused CODE ARGUMENTS... runs playground, which must exit with the code, soon,
// with exactly one line on stderr, that begins with its name, and none on stdout.
func refused(ts *testscript.TestScript, neg bool, args []string) {
	began := time.Now()
	exits(ts, neg, args)
	if took := time.Since(began); took > refusal {
		ts.Fatalf("refused after %v, want %v", took, refusal)
	}
	if why := notOneLine(ts.ReadFile("stderr")); why != "" {
		ts.Fatalf("stderr %s", why)
	}
	if text := ts.ReadFile("stdout"); text != "" {
		ts.Fatalf("stdout has %q", text)
	}
}

// notOneLine says why text is not one line of complaint by playground; empty
// means that it is one.
func notOneLine(text string) string {
	switch lines := strings.Count(text, "\n"); {
	case lines != 1 || !strings.HasSuffix(text, "\n"):
		return "has " + strconv.Itoa(lines) + " lines, want 1: " + text
	case !strings.HasPrefix(text, "playground: "):
		return "does not begin with the program's name: " + text
	default:
		return ""
	}
}
