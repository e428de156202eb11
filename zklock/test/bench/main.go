package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"
)

const (
	exitFailure = 1
	exitUsage   = 2
)

// gcPercent makes the collector as rare as in a process with a heap of ordinary
// size: the contenders alone would fill theirs many times a second.
const gcPercent = 400

// errInterrupted ends a run that the user does not want to see finished.
var errInterrupted = errors.New("interrupted")

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	s, err := parseSettings(args, stderr)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		fmt.Fprintln(stderr, "zkbench:", err)
		return exitUsage
	}
	runtime.GOMAXPROCS(s.procs)
	debug.SetGCPercent(gcPercent)
	if err := bench(ctx, s, stdout, stderr); err != nil {
		if ctx.Err() != nil {
			err = errInterrupted
		}
		fmt.Fprintln(stderr, "zkbench:", err)
		return exitFailure
	}
	return 0
}

// bench boots the server, runs all cells and reports them. When a cell fails
// it reports those before.
func bench(ctx context.Context, s settings, stdout, stderr io.Writer) (err error) {
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	server, err := boot(ctx, s.dir, fail)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.stop()) }()
	fmt.Fprintln(stderr, server)
	t, err := newBenchmark(ctx, server.Address(), s, stderr)
	if err != nil {
		return err
	}
	defer t.close()
	err = t.run(ctx)
	return errors.Join(err, report(stdout, s, server.String(), t.samples))
}

func report(w io.Writer, s settings, server string, all samples) error {
	if len(all) == 0 {
		return nil
	}
	if s.json {
		return writeJSON(w, server, all)
	}
	return writeReport(w, s, server, all)
}
