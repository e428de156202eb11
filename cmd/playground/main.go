// Playground lets people see how distributed locks work and break, on a real
// ZooKeeper. See README.md beside this file, or run `playground help`.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/redis/go-redis/v9/logging"
)

// version is set by the linker in releases.
var version = "dev"

func main() {
	logging.Disable() // go-redis would write to stderr what its callers are told anyway
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	p := program{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv}
	os.Exit(p.main(ctx, os.Args[1:]))
}

// Exit codes. A run whose verdicts the scenario did not expect is a failure;
// what the user got wrong is usage, and what a judgement did not find out is undecided.
const (
	exitFailure   = 1
	exitUsage     = 2
	exitUndecided = 3
)

// A program is what the commands need of the world, so that tests can bring
// their own.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
}

// A command is one subcommand. It returns errUsage, wrapped, for what the user
// has to change.
type command struct {
	name, help string
	run        func(p program, ctx context.Context, args []string) error
}

// errUsage marks errors that are answered with exit code 2.
var errUsage = errors.New("usage")

// errInterrupted: the user ended the program before it was ready.
var errInterrupted = errors.New("interrupted while starting")

func commands() []command {
	return []command{
		{"serve", "serve the page (the default)", program.serve},
		{"run", "run a scenario without a page and print its summary", program.run},
		{"judge", "run a program through trials, and say what kind of lock it is", program.judge},
		{"new-lock", "write a program to begin with, for judge, in a language of yours", program.newLock},
		{"lock", "be one of the playground's own locks, as a program for judge", program.lock},
		{"starlark", "be the lock that a file in Starlark defines, as a program for judge", program.starlark},
		{"export", "make one HTML page of a recording, which works without a server", program.export},
		{"site", "write the course as static files, with recordings of its runs", program.site},
		{"zkcli", "ZooKeeper's command line, as zkCli.sh", program.zkcli},
		{"zookeeper", "run a ZooKeeper as serve would start it", program.zookeeper},
		{"version", "print the version", program.version},
	}
}

// main runs the command that args name and returns the exit code.
func (p program) main(ctx context.Context, args []string) int {
	name, args := splitCommand(args)
	if name == "help" {
		p.help(p.stdout)
		return 0
	}
	for _, c := range append(commands(), command{name: superviseCommand, run: program.supervise}) {
		if c.name == name {
			return p.exitCode(c.run(p, ctx, args))
		}
	}
	return p.exitCode(fmt.Errorf("%w: unknown command %q, see playground help", errUsage, name))
}

// splitCommand takes the command's name off args. Flags alone are serve's,
// except that -h asks for help in general; help COMMAND is COMMAND -h.
func splitCommand(args []string) (name string, rest []string) {
	switch {
	case len(args) == 0:
		return "serve", nil
	case args[0] == "help" && len(args) > 1:
		return args[1], []string{"-h"}
	case slices.Contains([]string{"-h", "-help", "--help"}, args[0]):
		return "help", nil
	case args[0] == "" || args[0][0] == '-':
		return "serve", args
	default:
		return args[0], args[1:]
	}
}

// exitCode tells the user about err in one line and turns it into an exit code.
func (p program) exitCode(err error) int {
	if err == nil || errors.Is(err, errHelp) {
		return 0
	}
	var status exitStatus
	if errors.As(err, &status) {
		return int(status)
	}
	fmt.Fprintf(p.stderr, "playground: %s\n", oneLine(err))
	switch {
	case errors.Is(err, errUsage):
		return exitUsage
	case errors.Is(err, errUndecided):
		return exitUndecided
	default:
		return exitFailure
	}
}

func (p program) help(w io.Writer) {
	fmt.Fprint(w, "playground shows how distributed locks work and break, on a real ZooKeeper.\n\n")
	for _, c := range commands() {
		fmt.Fprintf(w, "  playground %-10s %s\n", c.name, c.help)
	}
	fmt.Fprint(w, "\nplayground COMMAND -h lists a command's flags.\n")
}

func (p program) version(_ context.Context, args []string) error {
	flags := newFlags("version")
	if err := p.parse(flags, "version", args); err != nil {
		return err
	}
	if err := noArguments(flags); err != nil {
		return err
	}
	_, err := fmt.Fprintln(p.stdout, "playground", version)
	return err
}
