package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
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
	err := flags.Parse(args)
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
