package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// errUsage: what the user gave makes no sense; the text says what.
var errUsage = errors.New("bad usage")

// maxContenders bounds -n: each is a session and three goroutines.
const maxContenders = 1000

// A settings is what the user chose.
type settings struct {
	contenders []int
	holds      []time.Duration
	workloads  []workload
	recipes    []recipe
	rounds     int
	warm       time.Duration // of each cell, not measured
	length     time.Duration // of each cell, measured
	slice      time.Duration // of it at once
	dir        string        // where the server's data goes; empty: in memory if possible
	json       bool
	procs      int // processors that the contenders run on
}

// parseSettings reads the command line. Its error is flag.ErrHelp or wraps
// errUsage; help is written to w.
func parseSettings(args []string, w io.Writer) (settings, error) {
	s := settings{contenders: []int{1, 2, 8, 32, 128}, holds: []time.Duration{0, 2 * time.Millisecond}, workloads: workloads(), recipes: recipes()}
	flags := flag.NewFlagSet("zkbench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.Func("n", "numbers of contenders, as a `list` (default 1,2,8,32,128)", list(&s.contenders, strconv.Atoi))
	flags.Func("hold", "how long to hold the lock, as a `list` of durations (default 0,2ms)", list(&s.holds, time.ParseDuration))
	flags.Func("workload", "in what order the contenders come, as a `list` (default turns,random)", list(&s.workloads, workloadNamed))
	flags.Func("only", "recipes to measure, as a `list` (default "+names(s.recipes)+")", list(&s.recipes, recipeNamed))
	flags.IntVar(&s.rounds, "rounds", 5, "how often to measure each cell; medians are printed")
	flags.DurationVar(&s.warm, "warm", 300*time.Millisecond, "how long each cell runs before it is measured")
	flags.DurationVar(&s.length, "for", time.Second, "how long each cell is measured")
	flags.DurationVar(&s.slice, "slice", 200*time.Millisecond, "how long of it at once, before the next recipe's turn")
	flags.StringVar(&s.dir, "dir", "", "`directory` for the server's data (default in memory, if possible)")
	flags.IntVar(&s.procs, "procs", max(1, runtime.NumCPU()/2), "processors for the contenders; the others are the server's")
	flags.BoolVar(&s.json, "json", false, "print every sample as JSON instead of tables")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		flags.SetOutput(w)
		flags.Usage()
		return s, err
	case err != nil:
		return s, fmt.Errorf("%w: %w", errUsage, err)
	case flags.NArg() > 0:
		return s, fmt.Errorf("%w: unexpected %q", errUsage, flags.Arg(0))
	}
	return s, s.validate()
}

// list parses what the user gave separated by commas.
func list[T any](into *[]T, parse func(string) (T, error)) func(string) error {
	return func(text string) error {
		var all []T
		for _, item := range strings.Split(text, ",") {
			value, err := parse(strings.TrimSpace(item))
			if err != nil {
				return err
			}
			all = append(all, value)
		}
		*into = all
		return nil
	}
}

func (s settings) validate() error {
	switch {
	case s.procs < 1 || s.procs > runtime.NumCPU():
		return fmt.Errorf("%w: -procs is from 1 to %d", errUsage, runtime.NumCPU())
	case slices.Min(s.contenders) < 1 || slices.Max(s.contenders) > maxContenders:
		return fmt.Errorf("%w: -n is from 1 to %d", errUsage, maxContenders)
	case slices.Min(s.holds) < 0 || slices.Max(s.holds) > time.Second:
		return fmt.Errorf("%w: -hold is from 0 to 1s", errUsage)
	case s.rounds < 1:
		return fmt.Errorf("%w: -rounds is at least 1", errUsage)
	case s.warm < 0:
		return fmt.Errorf("%w: -warm is at least 0", errUsage)
	case s.length < time.Millisecond:
		return fmt.Errorf("%w: -for is at least 1ms", errUsage)
	case s.slice < time.Millisecond:
		return fmt.Errorf("%w: -slice is at least 1ms", errUsage)
	case repeats(s.contenders) || repeats(s.holds) || repeats(s.workloads) || repeats(strings.Split(names(s.recipes), ",")):
		return fmt.Errorf("%w: a list names something twice", errUsage)
	}
	return nil
}

func repeats[T comparable](list []T) bool {
	seen := make(map[T]bool)
	for _, item := range list {
		seen[item] = true
	}
	return len(seen) < len(list)
}

// cycles is how many slices a cell has, if all are of full length: each begins with
// a cycle.
func (s settings) cycles() int {
	if s.slice <= 0 || s.slice >= s.length {
		return 1
	}
	return int((s.length + s.slice - 1) / s.slice)
}
