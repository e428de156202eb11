package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"time"

	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// progressEvery is the pause between two lines of progress.
const progressEvery = 2 * time.Second

type runFlags struct {
	backendFlags
	duration, delay time.Duration
	clients         int
	seed            int64
	record, replay  string
	lock, guests    string
	scenario        scenario.Scenario
}

// run executes a scenario without a page and prints its summary.
func (p program) run(ctx context.Context, args []string) error {
	f, err := p.parseRun(args)
	if err != nil {
		return err
	}
	if f.replay != "" {
		return p.replay(f.replay)
	}
	backend, err := p.newBackend(f.backendFlags)
	if err != nil {
		return err
	}
	joining, err := p.listenForGuests(ctx, f.guests)
	if err != nil {
		return err
	}
	if joining != nil {
		defer joining.Close()
	}
	if err := backend.start(ctx, f.backendFlags); err != nil {
		return err
	}
	err = p.runOn(ctx, f, backend, joining)
	return errors.Join(err, backend.close(context.WithoutCancel(ctx)))
}

func (p program) parseRun(args []string) (runFlags, error) {
	var f runFlags
	flags := newFlags("run")
	f.add(flags)
	flags.DurationVar(&f.duration, "for", 10*time.Second, "how `long` to run, at least 1s")
	flags.IntVar(&f.clients, "clients", 0, "clients in each lane, 0 to 1000, 0 to leave all to guests (default the scenario's)")
	flags.DurationVar(&f.delay, "delay", 0, "how `long` a frame is under way, each way")
	flags.Int64Var(&f.seed, "seed", 0, "seed of arrivals, holds and faults (default the scenario's)")
	flags.StringVar(&f.lock, "lock", "", "`command` of a program that is your lock, for the scenario your-lock, or a lane whose recipe is program")
	flags.StringVar(&f.guests, "guests", "", "`address` at which any ZooKeeper client can join the run, as 127.0.0.1:2281; those with a name get the ports after that; empty means nobody can")
	flags.StringVar(&f.record, "record", "", "write a recording to `file` (.ndjson.zst)")
	flags.StringVar(&f.replay, "replay", "", "summarize the recording in `file` instead of running")
	if err := p.parse(flags, "run [flags] SCENARIO", args); err != nil {
		return f, err
	}
	return f, p.readScenario(&f, flags)
}

// readScenario finds the scenario and lets the flags that were given change it.
func (p program) readScenario(f *runFlags, flags *flag.FlagSet) error {
	if f.replay != "" {
		return replaysAlone(flags)
	}
	if flags.NArg() != 1 {
		return p.listScenarios(flags.Args())
	}
	if f.duration < time.Second {
		return fmt.Errorf("%w: -for %v is too short, at least 1s", errUsage, f.duration)
	}
	chosen, err := findScenario(flags.Arg(0))
	if err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	chosen.Delay = scenario.Duration(f.delay)
	flags.Visit(func(given *flag.Flag) {
		switch given.Name {
		case "clients":
			chosen.Clients = f.clients
		case "seed":
			chosen.Seed = f.seed
		}
	})
	if err := chosen.Validate(run.Catalogue()); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	if err := chosen.RequireClients(f.guests != ""); err != nil {
		return fmt.Errorf("%w: %w", errUsage, err)
	}
	f.scenario = chosen
	return reserve(f.record)
}

// listScenarios answers a call that names none, or too many.
func (p program) listScenarios(given []string) error {
	if len(given) > 0 {
		return fmt.Errorf("%w: one scenario at a time, and flags before it, got %q", errUsage, given)
	}
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		return err
	}
	for _, s := range shipped {
		fmt.Fprintf(p.stdout, "%-22s %s\n", s.Name, s.Summary)
	}
	return fmt.Errorf("%w: name a scenario or a JSON file", errUsage)
}

// findScenario returns a shipped scenario, or reads a file.
func findScenario(name string) (scenario.Scenario, error) {
	shipped, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		return scenario.Scenario{}, err
	}
	found, unknown := append(shipped, scenario.YourLock()).Find(name)
	if unknown == nil {
		return found, nil
	}
	text, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return scenario.Scenario{}, fmt.Errorf("%w; and there is no file of that name", unknown)
	}
	if err != nil {
		return scenario.Scenario{}, err
	}
	return scenario.Parse(text, run.Catalogue())
}

// runOn runs for as long as asked, or until the user or the log's limit ends it. Guests may come
// by joining, which is nil if none may.
func (p program) runOn(ctx context.Context, f runFlags, b *backend, joining *guests.Server) error {
	program, err := programOf(f.lock)
	if err != nil {
		return err
	}
	watched := make(chan *run.Run, 1) // the run, once there is one
	if err := b.watch(ctx, func(s zkserver.Status) {
		select {
		case run := <-watched:
			run.NoteZooKeeper(news(s))
			watched <- run
		default:
		}
	}); err != nil {
		return err
	}
	name := room.NewName()
	sweeper, err := b.register(ctx, name, func(string, string) bool { return true }, slog.New(slog.DiscardHandler))
	if err != nil {
		return err
	}
	run, err := run.Start(ctx, run.Config{Backend: b.ofRuns(), Program: program,
		Base: base, Room: "headless", ID: name, Scenario: f.scenario, LogDir: f.data})
	if err != nil {
		return errors.Join(err, b.unregister(ctx, sweeper))
	}
	watched <- run
	for _, lane := range run.Describe().Lanes {
		if lane.Missing != "" {
			fmt.Fprintf(p.stderr, "lane %s does nothing: %s\n", lane.Name, lane.Missing)
		}
	}
	if joining != nil {
		letIn(joining, run, b, p.stderr)
	}
	p.follow(ctx, run, f.duration)
	run.Stop()
	err = run.Wait(context.WithoutCancel(ctx))
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaveTimeout)
	defer cancel()
	err = errors.Join(err, b.unregister(ending, sweeper))
	return errors.Join(err, p.conclude(run, f.record), run.Close())
}

// follow reports progress until the time is up.
func (p program) follow(ctx context.Context, run *run.Run, duration time.Duration) {
	timeUp := time.NewTimer(duration)
	defer timeUp.Stop()
	progress := time.NewTicker(progressEvery)
	defer progress.Stop()
	for {
		select {
		case <-progress.C:
			fmt.Fprintf(p.stderr, "%v: %s\n", run.Log().Now().Round(time.Second), progressLine(run.Summary(), len(run.Guests())))
		case <-timeUp.C:
			return
		case <-run.Done():
			fmt.Fprintln(p.stderr, "the run ended early: its log can take no more")
			return
		case <-ctx.Done():
			return
		}
	}
}

func progressLine(s check.Summary, guests int) string {
	line := fmt.Sprintf("%d events", s.Events)
	if guests > 0 {
		line += fmt.Sprintf(", %d joined", guests)
	}
	for _, lane := range s.Lanes {
		line += fmt.Sprintf(", %s %d acquisitions %d wake-ups %d of them for nothing", lane.Name, lane.Acquisitions, lane.Wakeups, lane.WastedWakeups)
	}
	return line
}

// conclude writes the recording and, in any case, says what was missed and
// prints the summary.
func (p program) conclude(run *run.Run, record string) error {
	return errors.Join(writeRecording(record, run), p.tellMissed(run), p.conclusion(run.Summary()))
}

// conclusion prints the summary, says which verdicts are not what the scenario is
// made to reach, and fails on a violation that it does not expect.
func (p program) conclusion(summary check.Summary) error {
	if err := printJSON(p.stdout, summary); err != nil {
		return err
	}
	for _, v := range summary.Unmet() {
		fmt.Fprintf(p.stderr, "%s in lane %s: expected %s, is %s: %s\n", v.Check, v.Lane, v.Expected, v.Verdict.Verdict, v.Why)
	}
	var violated []error
	for _, v := range summary.Unexpected() {
		violated = append(violated, fmt.Errorf("%s is violated in lane %s: %s", v.Check, v.Lane, v.Why))
	}
	return errors.Join(violated...)
}

func printJSON(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// listenForGuests returns a server at an address, nil for none.
func (p program) listenForGuests(ctx context.Context, address string) (*guests.Server, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := listen(ctx, "-guests", address)
	if err != nil {
		return nil, err
	}
	return guests.New(listener, guests.Config{Address: address, Limits: room.DefaultLimits().Guest, Log: slog.New(slog.NewTextHandler(p.stderr, nil))}), nil
}

// letIn lets guests into a run, and says how they join.
func letIn(server *guests.Server, run *run.Run, b *backend, told io.Writer) {
	server.Use(b.describe, b.newestZxid)
	place := guests.Alone(run)
	server.Open(place)
	status, _ := server.Status(place.Name())
	host, port, _ := net.SplitHostPort(status.Address) // that of a listener
	fmt.Fprintf(told, "guests join at %s, where the lock is %s: zkCli.sh -server %[1]s\n", status.Address, status.Lock)
	fmt.Fprintf(told, "for a port of one name: echo '{\"type\":\"join\",\"name\":\"NAME\"}' | nc -q1 %s %s\n", host, port)
}
