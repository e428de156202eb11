package kit_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/program/kit"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/starlark"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// most is how many lines a program may have.
const most = 60

// TestKits: each kit is short, and a lock when nothing goes wrong, alone and with the others.
func TestKits(t *testing.T) {
	var all []string
	for _, k := range kit.Kits() {
		command := prepared(t, k)
		all = append(all, command)
		t.Run(k.Language, func(t *testing.T) {
			t.Parallel()
			calm(t, []string{"sh", "-c", command})
		})
	}
	t.Run("all in one queue, with one in Starlark", func(t *testing.T) {
		t.Parallel()
		i := slices.IndexFunc(starlark.Templates(), func(one starlark.Template) bool { return one.Name == "predecessor" })
		all := append(all, "exec "+strings.Join(programtest.Starlark(t, starlark.Templates()[i].Source), " "))
		var script strings.Builder
		script.WriteString("case $PLAYGROUND_CLIENT in\n")
		for i, command := range all {
			fmt.Fprintf(&script, "%d) %s ;;\n", i+1, command)
		}
		script.WriteString("esac")
		calm(t, []string{"sh", "-c", script.String()})
	})
}

// prepared writes a kit, and returns the command that runs it.
func prepared(t *testing.T, k kit.Kit) string {
	t.Helper()
	prepare := map[string]string{ // what is installed here takes the place of what would be fetched
		"python": "true", "go": "go build",
		"java": "mkdir -p target/classes target/dependency && cp /usr/share/java/*.jar target/dependency && javac -cp 'target/dependency/*' -d target/classes src/main/java/MyLock.java",
		"node": "npm install --silent",
	}[k.Language]
	dir := t.TempDir()
	if _, err := kit.Write(k.Language, dir); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{"*.py", "*.go", "*.js", "src/main/java/*.java"} {
		names, _ := filepath.Glob(filepath.Join(dir, pattern)) // the patterns are right
		for _, name := range names {
			if text, err := os.ReadFile(name); err != nil || strings.Count(string(text), "\n") > most {
				t.Errorf("%s has %d lines, the limit is %d (%v)", name, strings.Count(string(text), "\n"), most, err)
			}
		}
	}
	command := exec.Command("sh", "-c", prepare)
	command.Dir = dir
	if said, err := command.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", prepare, err, said)
	}
	return "cd '" + dir + "' && exec " + strings.Replace(k.Command, "python3", pythonWithKazoo(), 1)
}

// calm judges a command when nothing goes wrong.
func calm(t *testing.T, command []string) {
	t.Helper()
	server := zktest.Start(t)
	trial, _ := judge.Find("calm")
	r, err := judge.Judge(t.Context(), judge.Config{
		Program: client.ProgramConfig{Command: command, Supervisor: programtest.Supervisor()},
		Shared:  run.Backend{Servers: []string{server.Address()}},
		Base:    server.Root(t) + "/playground", Trials: []judge.Trial{trial}, AtOnce: 1, LogDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Outcomes[0].Findings {
		if f.Verdict != event.Holds {
			t.Errorf("%s: %s: %s", f.Property, f.Verdict, f.Why)
		}
	}
}

// pythonWithKazoo is the Python that has kazoo: the one that is named, the first on the path,
// or Debian's, which alone sees Debian's packages.
func pythonWithKazoo() string {
	for _, python := range []string{os.Getenv("KAZOO_PYTHON"), "python3", "/usr/bin/python3"} {
		if python != "" && exec.Command(python, "-c", "import kazoo.recipe.lock").Run() == nil {
			return python
		}
	}
	return "python3" // whose error says what is missing
}

// TestWrite: nothing is overwritten, and an unknown language names those that there are.
func TestWrite(t *testing.T) {
	dir := t.TempDir()
	if _, err := kit.Write("cobol", dir); !errors.Is(err, kit.ErrLanguage) || !strings.Contains(err.Error(), "python, go, java, node") {
		t.Errorf("cobol: %v", err)
	}
	if _, err := kit.Write("go", dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Error(err)
	}
	if _, err := kit.Write("go", dir); !errors.Is(err, kit.ErrExists) {
		t.Errorf("again: %v", err)
	}
}
