package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

type judgeFlags struct {
	backendFlags
	trials        string
	seed          int64
	clients       int
	atOnce        int
	json          bool
	junit, report string
	command       []string
	chosen        []judge.Trial
}

// errFailed: the program has failed a trial, and it is said which.
var errFailed = errors.New("the program is not a lock by all that was tried")

// errUndecided: the program has failed no trial, and too little was found out to say more.
var errUndecided = errors.New("undecided")

// judge runs a program through trials and says what kind of lock it is.
func (p program) judge(ctx context.Context, args []string) error {
	f, err := p.parseJudge(args)
	if err != nil {
		return err
	}
	b, err := p.openBackend(ctx, f.backendFlags)
	if err != nil {
		return err
	}
	err = p.judgeOn(ctx, f, b)
	return errors.Join(err, b.close(context.WithoutCancel(ctx)))
}

func (p program) parseJudge(args []string) (judgeFlags, error) {
	var f judgeFlags
	flags := newFlags("judge")
	f.add(flags)
	flags.StringVar(&f.trials, "trial", "", "`names` of the trials to do, with commas between; those for every lock if it is empty, and a list with -trial help")
	flags.Int64Var(&f.seed, "seed", 1, "seed of what clients and faults do")
	flags.IntVar(&f.clients, "clients", 0, "clients in each trial, 2 to 50 (default the trial's)")
	flags.IntVar(&f.atOnce, "at-once", 4, "trials that run side by side, 1 to 16")
	flags.BoolVar(&f.json, "json", false, "print the result as JSON, and not as a table")
	flags.StringVar(&f.junit, "junit", "", "write the result to `file` as JUnit's XML, for a CI")
	flags.StringVar(&f.report, "report", "", "write a page with the result, and one for each trial's run, into `directory`")
	if err := p.parse(flags, "judge [flags] -- COMMAND ARGS\nIt exits with 0 if all holds, 1 if a trial fails, 2 for bad usage, and 3 if no trial fails but a property was decided in none.", args); err != nil {
		return f, err
	}
	f.command = flags.Args()
	return f, p.checkJudge(&f, flags)
}

func (p program) checkJudge(f *judgeFlags, flags *flag.FlagSet) error {
	if f.trials == "help" {
		for _, t := range judge.Trials() {
			fmt.Fprintf(p.stdout, "%-22s %s\n", t.Name, t.Sentence)
		}
		fmt.Fprintln(p.stdout, "\nFor locks that claim more, only when named:")
		for _, t := range judge.ClaimTrials() {
			fmt.Fprintf(p.stdout, "%-22s %s\n", t.Name, t.Sentence)
		}
		return errHelp
	}
	switch {
	case flags.NArg() == 0:
		return fmt.Errorf("%w: say which program to judge: playground judge [flags] -- COMMAND ARGS; what it has to say is in playground/program", errUsage)
	case f.clients != 0 && (f.clients < 2 || f.clients > 50):
		return fmt.Errorf("%w: -clients %d, must be 2 to 50", errUsage, f.clients)
	case f.atOnce < 1 || f.atOnce > 16:
		return fmt.Errorf("%w: -at-once %d, must be 1 to 16", errUsage, f.atOnce)
	}
	f.chosen = judge.Trials()
	if f.trials != "" {
		f.chosen = nil
		for name := range strings.SplitSeq(f.trials, ",") {
			t, ok := judge.Find(strings.TrimSpace(name))
			if !ok {
				return fmt.Errorf("%w: there is no trial %q, see playground judge -trial help", errUsage, name)
			}
			f.chosen = append(f.chosen, t)
		}
	}
	for i := range f.chosen {
		if f.clients != 0 {
			f.chosen[i] = f.chosen[i].With(f.clients)
		}
	}
	return nil
}

func (p program) judgeOn(ctx context.Context, f judgeFlags, b *backend) error {
	if err := b.watch(ctx, func(zkserver.Status) {}); err != nil {
		return err
	}
	program, err := programConfig(f.command)
	if err != nil {
		return err
	}
	sweeper, err := b.register(ctx, room.NewName(), func(string, string) bool { return true }, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	out := &progressOf{p: p, began: time.Now(), all: len(f.chosen)}
	config := b.judges(f.backendFlags)
	config.Program, config.Trials, config.Seed, config.AtOnce, config.Ended = program, f.chosen, f.seed, f.atOnce, out.ended
	report, err := p.newReport(f)
	if err != nil {
		return errors.Join(err, b.unregister(ctx, sweeper))
	}
	config.Keep = report.keep
	result, err := judge.Judge(ctx, config)
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	err = errors.Join(err, b.unregister(ending, sweeper))
	if ctx.Err() != nil {
		return errors.Join(errors.New("interrupted before all trials were done"), err)
	}
	if err := errors.Join(err, p.tellResult(f, result), report.write(result)); err != nil {
		return err
	}
	return failure(result)
}

// failure is errFailed or errUndecided, nil if the verdict is that all holds.
func failure(r judge.Result) error {
	switch r.Verdict() {
	case event.Violated:
		return fmt.Errorf("%w: it failed %d of %d trials", errFailed, len(r.Failed()), len(r.Outcomes))
	case event.Undecided:
		return fmt.Errorf("%w: it failed no trial, but none decided %v", errUndecided, r.Undecided())
	default:
		return nil
	}
}

func (p program) tellResult(f judgeFlags, r judge.Result) error {
	var err error
	if f.junit != "" {
		err = writeWhole(f.junit, r.WriteJUnit)
	}
	if f.json {
		return errors.Join(err, printJSON(p.stdout, r))
	}
	return errors.Join(err, r.WriteTable(p.stdout))
}

// A progressOf says on stderr how far a judgement is.
type progressOf struct {
	p     program
	began time.Time
	all   int

	mu   sync.Mutex
	done int
}

func (o *progressOf) ended(outcome judge.Outcome) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done++
	said := "passed"
	undecided := slices.IndexFunc(outcome.Findings, func(f judge.Finding) bool { return f.Verdict == event.Undecided })
	switch failed := outcome.Failed(); {
	case len(failed) > 0:
		said = fmt.Sprintf("not %s: %s", failed[0].Property, failed[0].Why)
	case outcome.Skipped != "":
		said = "not done: " + outcome.Skipped
	case undecided >= 0:
		said = "undecided: " + outcome.Findings[undecided].Why
	}
	fmt.Fprintf(o.p.stderr, "%v %d of %d, %s: %s\n", time.Since(o.began).Round(time.Second), o.done, o.all, outcome.Trial.Name, said)
}

// judges is how programs are judged on the backend.
func (b *backend) judges(f backendFlags) judge.Config {
	config := judge.Config{Base: base, LogDir: f.data,
		Shared: b.ofRuns()}
	if b.managed != nil {
		config.Own = ownServers(f)
	}
	return config
}

// ownServers starts servers for one trial.
func ownServers(f backendFlags) func(ctx context.Context, servers int, directory string, counter int32) (run.Backend, func() error, error) {
	return func(ctx context.Context, servers int, directory string, counter int32) (own run.Backend, stop func() error, err error) {
		dir, err := os.MkdirTemp(f.data, "judge-")
		if err != nil {
			return own, nil, err
		}
		if counter != 0 {
			if err := zkserver.WriteSnapshot(dir, map[string]int32{directory: counter}); err != nil {
				return own, nil, errors.Join(err, os.RemoveAll(dir))
			}
		}
		b := &backend{stop: func() {}, redis: redisBackend{stop: func(context.Context) error { return nil }}}
		b.managed, err = startServers(ctx, zkserver.Config{Home: f.home, Dir: dir, SuperPassword: "judge"}, servers)
		if err != nil {
			return own, nil, errors.Join(err, os.RemoveAll(dir))
		}
		b.super, b.addresses = "judge", b.managed.Addresses()
		stop = func() error {
			return errors.Join(b.close(context.WithoutCancel(ctx)), os.RemoveAll(dir))
		}
		if err := b.watch(ctx, func(zkserver.Status) {}); err != nil {
			return own, nil, errors.Join(err, stop())
		}
		return b.ofRuns(), stop, nil
	}
}
