package main

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/room"
)

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
