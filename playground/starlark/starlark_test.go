package starlark_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

func template(t *testing.T, name string) string {
	t.Helper()
	for _, one := range starlark.Templates() {
		if one.Name == name {
			return one.Source
		}
	}
	t.Fatalf("there is no template %s", name)
	return ""
}

func TestTemplatesCompile(t *testing.T) {
	for _, one := range starlark.Templates() {
		if err := starlark.Check(one.Source); err != nil {
			t.Errorf("%s: %v", one.Name, err)
		}
	}
}

// lock has an acquire of these statements.
func lock(acquire string) string {
	return "def acquire(read):\n    " + strings.ReplaceAll(acquire, "\n", "\n    ") + "\n\ndef release(znode):\n    pass\n"
}

// TestCheck: what is wrong with a source is said at its place, without running it.
func TestCheck(t *testing.T) {
	for _, test := range []struct{ name, source, want string }{
		{"syntax", "def acquire(read)\n    pass", "line 2, column 1: got newline, want ':'"},
		{"unknown name", lock("return foo"), "line 2, column 12: undefined: foo"},
		{"no release", "def acquire(read): pass", "does not define release"},
		{"load", "load(\"os.star\", \"os\")\n" + lock("pass"), "line 1, column 6: there is nothing to load"},
		{"long", strings.Repeat("#", starlark.MaxSource+1), "the limit is 16384"},
		{"deep", lock("return " + strings.Repeat("(", 7000) + "1" + strings.Repeat(")", 7000)), ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := starlark.Check(test.source)
			if test.want == "" && err == nil {
				return
			}
			if !errors.Is(err, starlark.ErrSource) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

// noMemory is what the race detector says where the kernel's limit is first.
const noMemory = "|ThreadSanitizer failed to allocate"

// noTime is what is said where the race detector makes the use of memory so slow that this
// limit is first.
const noTime = "|it computes for more than 2s"

// TestHostile: a source that takes more than it may ends with a sentence.
func TestHostile(t *testing.T) {
	server := zktest.Start(t)
	for _, test := range []struct{ name, source, want string }{
		{"endless loop", lock("while True:\n    pass"), "Starlark computation cancelled: more than 1000000 steps"},
		{"endless loop at the start", "while True:\n    pass\n" + lock("pass"), "more than 1000000 steps"},
		{"long string", lock("s = 'x'\nwhile True:\n    s = s + s"), "MiB of memory" + noTime},
		{"repeated string", lock("s = 'x' * (1 << 29)\nt = s + s\nreturn t"), "MiB of memory" + noMemory},
		{"greatest list", lock("return [0] * (1 << 29)"), "fatal error: runtime:" + noMemory}, // the kernel's limit is first
		{"long list", lock("l = [0]\nwhile True:\n    l = l + l"), "MiB of memory" + noTime},
		{"great number", lock("n = 3\nwhile True:\n    n = n * n"), "it computes for more than 2s"},
		{"recursion", "def acquire(read):\n    return acquire(read)\n\ndef release(znode):\n    pass\n", "line 2, column 12: function acquire called recursively"},
		{"many znodes", lock("for i in range(10000):\n    zk.create(zk.lock + '/n', '', zk.SEQUENCE)"), "more than 500 znodes that it has not deleted"},
		{"many requests", lock("while True:\n    zk.exists(zk.lock)"), "more than 1000 calls of zk"},
		{"much output", lock("while True:\n    print('x' * 100000)"), "more than 100 lines printed"},
		{"a wrong type", lock("return 1 + 'x'"), "line 2, column 14: unknown binary op: int + string"},
		{"a wrong argument", lock("zk.create(1)"), "line 2, column 14: zk.create: for parameter path: got int, want string"},
		{"a wrong result", lock("return 7"), "acquire is to return a path, (path, token) or None, got int"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := server.Root(t)
			p := start(t, programtest.Starlark(t, test.source), server.Address(), root)
			_, _, err := p.Acquire(t.Context(), program.Message{Mode: "write"})
			if !errors.Is(err, program.ErrEnded) {
				t.Errorf("acquire: %v", err)
			}
			p.Close(t.Context())
			said := strings.Join(p.wrote, "\n")
			if !slices.ContainsFunc(strings.Split(test.want, "|"), func(want string) bool { return strings.Contains(said, want) }) {
				t.Errorf("it wrote %q, want %q", said, test.want)
			}
		})
	}
}

// A started program keeps what it writes, until Close.
type started struct {
	*program.Process
	wrote []string
}

func start(t *testing.T, command []string, address, root string) *started {
	t.Helper()
	s := new(started)
	p, err := program.Start(program.Config{Command: command, Supervisor: programtest.Supervisor(),
		Env:  []string{"PLAYGROUND_SERVER=" + address, "PLAYGROUND_LOCK=" + root, "PLAYGROUND_CLIENT=1", "PLAYGROUND_SESSION_MS=2000"},
		Said: func(program.Message) {}, Wrote: func(line string) { s.wrote = append(s.wrote, line) }, Ended: func(error) {}})
	if err != nil {
		t.Fatal(err)
	}
	s.Process = p
	return s
}

// TestTrials: what the templates are is what trials say of them.
func TestTrials(t *testing.T) {
	server := zktest.Start(t)
	for _, test := range []struct {
		template, trial string
		property        judge.Property
		want            event.Verdict
	}{
		{"predecessor", "calm", "", event.Holds},
		{"predecessor", "expired-holder", "", event.Holds},
		{"predecessor", "expired-waiter", "", event.Holds},
		{"predecessor", "partition", "", event.Holds},
		{"predecessor", "lost-reply-to-create", "", event.Holds},
		{"predecessor", "lost-reply-to-delete", "", event.Holds},
		{"predecessor", "giving-up", "", event.Holds},
		{"read-write", "readers-and-writers", "", event.Holds},
		{"herd", "calm", judge.Cheap, event.Violated},
		{"flag", "crash-of-holder", judge.Live, event.Violated},
		{"no-second-look", "slow-network", judge.Live, event.Violated},
	} {
		t.Run(test.template+" "+test.trial, func(t *testing.T) {
			t.Parallel()
			trial, _ := judge.Find(test.trial)
			result, err := judge.Judge(t.Context(), judge.Config{
				Program: client.ProgramConfig{Command: programtest.Starlark(t, template(t, test.template)), Supervisor: programtest.Supervisor()},
				Shared:  run.Backend{Servers: []string{server.Address()}}, Base: server.Root(t) + "/playground",
				Trials: []judge.Trial{trial}, Seed: 1, LogDir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range result.Outcomes[0].Findings {
				if (test.property == "" || test.property == f.Property) && f.Verdict != test.want {
					t.Errorf("%s: %s: %s", f.Property, f.Verdict, f.Why)
				}
			}
		})
	}
}
