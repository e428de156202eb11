package main

import (
	"context"
	"fmt"
	"os"
	"slices"

	"github.com/zkplayground/zkplayground/playground/client"
	programs "github.com/zkplayground/zkplayground/playground/program"
	"github.com/zkplayground/zkplayground/playground/program/kit"
	"github.com/zkplayground/zkplayground/playground/program/locker"
	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/recipe/broken"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/starlark"
)

// superviseCommand is the command by which this program supervises another one. People do
// not type it.
const superviseCommand = "supervise"

func (p program) supervise(_ context.Context, args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("%w: %s is for playground itself", errUsage, superviseCommand)
	}
	programs.Supervise(args)
	return nil
}

// programConfig is for clients that are that command.
func programConfig(command []string) (client.ProgramConfig, error) {
	self, err := os.Executable()
	if err != nil {
		return client.ProgramConfig{}, fmt.Errorf("find this program, which supervises others: %w", err)
	}
	return client.ProgramConfig{Command: command, Supervisor: []string{self, superviseCommand}}, nil
}

// program is what -lock says; nil without it.
func (f *serveFlags) program() (*client.ProgramConfig, error) { return programOf(f.lock) }

// programOf is for a command as one types it at a shell; nil for none.
func programOf(command string) (*client.ProgramConfig, error) {
	if command == "" {
		return nil, nil
	}
	config, err := programConfig([]string{"sh", "-c", command})
	return &config, err
}

// lock is one of the playground's own recipes as a program, which judge and serve can run.
func (p program) lock(ctx context.Context, args []string) error {
	flags := newFlags("lock")
	if err := p.parse(flags, "lock RECIPE", args); err != nil {
		return err
	}
	all := append(append(recipe.All(), broken.All()...), locker.ZKLock())
	if i := slices.IndexFunc(all, func(r recipe.Recipe) bool { return r.Name == flags.Arg(0) }); i >= 0 && flags.NArg() == 1 {
		return locker.Run(ctx, all[i], p.stdin, p.stdout, p.getenv)
	}
	var names []string
	for _, r := range all {
		names = append(names, r.Name)
	}
	return fmt.Errorf("%w: name one recipe of %v", errUsage, names)
}

// starlark is the lock of a source, which judge and serve can run.
func (p program) starlark(ctx context.Context, args []string) error {
	flags := newFlags("starlark")
	if err := p.parse(flags, "starlark FILE", args); err != nil {
		return err
	}
	if source := p.getenv(run.SourceVariable); source != "" && flags.NArg() == 0 {
		return starlark.Run(ctx, source, p.stdin, p.stdout, p.getenv)
	}
	if flags.NArg() != 1 {
		return fmt.Errorf("%w: starlark takes one file, got %q", errUsage, flags.Args())
	}
	source, err := os.ReadFile(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	return starlark.Run(ctx, string(source), p.stdin, p.stdout, p.getenv)
}

// starlarkConfig is for clients that run a source which is in their environment.
func starlarkConfig() (client.ProgramConfig, error) {
	config, err := programConfig(nil)
	if err == nil {
		config.Command = []string{config.Supervisor[0], "starlark"}
	}
	return config, err
}

// newLock writes a program to begin with, and says how to judge it.
func (p program) newLock(_ context.Context, args []string) error {
	flags := newFlags("new-lock")
	if err := p.parse(flags, "new-lock LANGUAGE DIR", args); err != nil {
		return err
	}
	if flags.NArg() != 2 {
		return fmt.Errorf("%w: new-lock takes a language, python, go, java or node, and a directory, got %q", errUsage, flags.Args())
	}
	k, err := kit.Write(flags.Arg(0), flags.Arg(1))
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	_, err = fmt.Fprintf(p.stdout, "A lock of %s is in %s. To judge it:\n\n    cd %s\n    %s\n    playground judge -- %s\n",
		k.Library, flags.Arg(1), flags.Arg(1), k.Prepare, k.Command)
	return err
}
