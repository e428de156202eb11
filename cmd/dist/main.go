// Dist makes the archives of a release: the programs for each system, the playground with
// the page inside, the licences of all that they contain, and checksums. `make dist` runs it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// programs are the packages that are released.
var programs = []string{"./cmd/playground", "./cmd/zklock"}

// A target is a system that the programs are built for.
type target struct{ system, processor string }

// targets are all systems that are released.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

// reference are the texts that README.md leads to for looking up. An archive has them in a
// folder of this name, beside README.md, so that their links to each other hold there.
var reference = []string{"README.md", "cmd/playground/README.md", "cmd/zklock/README.md", "lessons/README.md", "playground/API.md", "playground/README.md",
	"playground/console/README.md", "playground/guests/README.md", "playground/room/README.md", "playground/scenario/README.md",
	"static/README.md", "zklock/README.md", "zklock/MIGRATING.md"}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	out := flag.String("out", "bin/dist", "`directory` for the archives; what is in it is removed")
	flag.Parse()
	if err := release(ctx, *out); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// release fills the directory with an archive for each target and their checksums.
func release(ctx context.Context, out string) error {
	if _, err := os.Stat("static/lib/page/index.html"); err != nil {
		return fmt.Errorf("the page is not bundled, run make lib: %w", err)
	}
	if err := errors.Join(os.RemoveAll(out), os.MkdirAll(out, 0o755)); err != nil {
		return err
	}
	version, made, err := revision(ctx)
	if err != nil {
		return err
	}
	var archives []string
	for _, t := range targets {
		archive, err := t.release(ctx, out, version, made)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", t.system, t.processor, err)
		}
		fmt.Println(archive)
		archives = append(archives, archive)
	}
	return writeSums(filepath.Join(out, "SHA256SUMS"), archives)
}

// revision is what is released, and when that was made, so that the same sources
// make the same archives.
func revision(ctx context.Context) (version string, made time.Time, err error) {
	version, err = output(ctx, nil, "git", "describe", "--tags", "--always", "--dirty")
	if err != nil {
		return "", made, err
	}
	seconds, err := output(ctx, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return "", made, err
	}
	number, err := strconv.ParseInt(seconds, 10, 64)
	return version, time.Unix(number, 0).UTC(), err
}

// release builds the programs for a target and packs them.
func (t target) release(ctx context.Context, out, version string, made time.Time) (archive string, err error) {
	licences, err := t.licences(ctx)
	if err != nil {
		return "", err
	}
	built, err := os.MkdirTemp(out, "built-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(built)
	// The go command appends .exe for Windows to the names in a directory.
	if _, err := output(ctx, t.environment(), "go", append([]string{"build", "-trimpath",
		"-ldflags", "-s -w -X main.version=" + version, "-o", built + string(filepath.Separator)}, programs...)...); err != nil {
		return "", err
	}
	if err := t.try(ctx, built, version); err != nil {
		return "", err
	}
	entries, err := t.entries(built)
	if err != nil {
		return "", err
	}
	entries = append(entries, entry{name: "THIRD-PARTY-LICENSES.txt", content: licences})
	name := fmt.Sprintf("playground-%s-%s-%s", version, t.system, t.processor)
	return pack(filepath.Join(out, name), t.system == "windows", entries, made)
}

// entries are the programs and the texts of an archive.
func (t target) entries(built string) (entries []entry, err error) {
	for _, program := range programs {
		name := t.programName(program)
		content, err := os.ReadFile(filepath.Join(built, name))
		if err != nil {
			return nil, err
		}
		entries = append(entries, entry{name: name, mode: 0o755, content: content})
	}
	for _, name := range []string{"README.md", "LICENSE"} {
		entries = append(entries, entry{name: name})
	}
	for _, name := range reference {
		entries = append(entries, entry{name: "reference/" + name})
	}
	for i := len(programs); i < len(entries); i++ {
		if entries[i].content, err = os.ReadFile(strings.TrimPrefix(entries[i].name, "reference/")); err != nil {
			return nil, err
		}
	}
	return entries, nil
}

// try runs the playground, if it is made for this system.
func (t target) try(ctx context.Context, built, version string) error {
	if t.system != runtime.GOOS || t.processor != runtime.GOARCH {
		return nil
	}
	playground, err := filepath.Abs(filepath.Join(built, t.programName(programs[0])))
	if err != nil {
		return err
	}
	if says, err := output(ctx, nil, playground, "version"); err != nil || says != "playground "+version {
		return fmt.Errorf("the program says of its version %q: %w", says, err)
	}
	return nil
}

// programName is what a program is called in an archive.
func (t target) programName(program string) string {
	name := path.Base(program)
	if t.system == "windows" {
		name += ".exe"
	}
	return name
}

// environment has Go build for the target, without C, so that nothing is linked but
// what the licences tell of.
func (t target) environment() []string {
	return []string{"GOOS=" + t.system, "GOARCH=" + t.processor, "CGO_ENABLED=0"}
}

// output runs a program and returns what it prints, without the newline at its end.
func output(ctx context.Context, environment []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), environment...)
	text, err := cmd.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return "", fmt.Errorf("%s %s: %w: %s", name, args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}
