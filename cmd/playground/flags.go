package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/peterbourgon/ff/v3"
)

// errHelp: the user asked for help and got it.
var errHelp = errors.New("help was asked for")

// newFlags returns a flag set that leaves printing to parse.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parse reads args into flags. Help goes to stdout, with usage as its first
// line; a mistake becomes an error that wraps errUsage.
func (p program) parse(flags *flag.FlagSet, usage string, args []string) error {
	return p.parsed(flags, usage, flags.Parse(args))
}

// parseAnywhere is parse for flags that may also be variables of the environment, or
// lines of the file that -config names: what comes first in this order counts.
func (p program) parseAnywhere(flags *flag.FlagSet, usage string, args []string) error {
	file := flags.String("config", "",
		"`file` with flags, a line for each, such as: addr 0.0.0.0:80; the command line and the environment, as PLAYGROUND_ADDR, go before it")
	err := ff.Parse(flags, args, ff.WithEnvVarPrefix("PLAYGROUND"), ff.WithConfigFileFlag("config"), ff.WithConfigFileParser(ff.PlainParser))
	if inner := errors.Unwrap(err); inner != nil && strings.HasPrefix(err.Error(), "error parsing ") {
		err = inner // the command line's, or the environment's, which name themselves
	} else if err != nil && *file != "" {
		err = fmt.Errorf("-config %s: %w", *file, err)
	}
	return p.parsed(flags, usage, err)
}

// parsed says what became of reading flags.
func (p program) parsed(flags *flag.FlagSet, usage string, err error) error {
	switch {
	case errors.Is(err, flag.ErrHelp):
		fmt.Fprintf(p.stdout, "usage: playground %s\n", usage)
		flags.SetOutput(p.stdout)
		flags.PrintDefaults()
		return errHelp
	case err != nil:
		return fmt.Errorf("%w: %w, see playground %s -h", errUsage, err, flags.Name())
	}
	return nil
}

// noArguments refuses what follows the flags of a command that takes flags only.
func noArguments(flags *flag.FlagSet) error {
	if flags.NArg() > 0 {
		return fmt.Errorf("%w: %s takes no arguments, got %q", errUsage, flags.Name(), flags.Arg(0))
	}
	return nil
}

// oneLine makes one line of an error that joins several.
func oneLine(err error) string {
	text := strings.TrimPrefix(err.Error(), errUsage.Error()+": ")
	return strings.ReplaceAll(strings.TrimSpace(text), "\n", "; ")
}
