package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/peterbourgon/ff/v3"

	"github.com/zkplayground/zkplayground/playground/room"
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

// addLimits makes a flag of each limit, with what it is now as the default.
func addLimits(flags *flag.FlagSet, limits *room.Limits) {
	for _, limit := range limits.All() {
		flags.Var(&limitFlag{limit}, limit.Flag, limit.Help)
	}
}

// A limitFlag is a limit as a flag.Value.
type limitFlag struct{ room.Limit }

func (f *limitFlag) String() string {
	switch value := f.Value.(type) {
	case *int:
		return strconv.Itoa(*value)
	case *int64:
		return formatBytes(*value)
	case *time.Duration:
		return value.String()
	default:
		return "" // package flag asks a flag of no limit
	}
}

// Set reads a value that is at least the least one.
func (f *limitFlag) Set(text string) error {
	switch value := f.Value.(type) {
	case *int:
		return set(f.Limit, value, text, strconv.Atoi)
	case *int64:
		return set(f.Limit, value, text, parseBytes)
	case *time.Duration:
		return set(f.Limit, value, text, time.ParseDuration)
	default:
		return errors.ErrUnsupported
	}
}

func set[T int | int64 | time.Duration](limit room.Limit, to *T, text string, parse func(string) (T, error)) error {
	value, err := parse(text)
	if err != nil {
		return err
	}
	if int64(value) < limit.Least {
		return fmt.Errorf("the least is %d", limit.Least)
	}
	*to = value
	return nil
}

// byteUnits are those that a number of bytes may have, the largest first.
var byteUnits = []struct {
	name string
	size int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// formatBytes is a number of bytes as parseBytes reads it.
func formatBytes(n int64) string {
	for _, unit := range byteUnits {
		if n >= unit.size && n%unit.size == 0 {
			return strconv.FormatInt(n/unit.size, 10) + unit.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// parseBytes reads a number of bytes, such as 64MiB.
func parseBytes(text string) (int64, error) {
	number, size := text, int64(1)
	for _, unit := range byteUnits {
		if before, has := strings.CutSuffix(text, unit.name); has {
			number, size = before, unit.size
			break
		}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil || n > math.MaxInt64/size {
		return 0, errors.New("write bytes as a number, or as 64MiB")
	}
	return n * size, nil
}
