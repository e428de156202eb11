package chaos

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// stepTimeout bounds each step of a round that has to come to an end.
const stepTimeout = 30 * time.Second

// Config says what a round is made of.
type Config struct {
	Servers []string // their addresses for clients
	Root    string   // an existing znode for the round alone
	Seed    uint64
	Clients int
	Kinds   []Kind
	// Session is the shortest timeout of a session; others have up to a half more.
	Session time.Duration
	// Leader returns the address of the server that leads, when there is one.
	Leader func(context.Context) (string, error)
	// For is how long clients work and faults are injected. They go on, though not
	// forever, until each lock has been held.
	For time.Duration
	// ServerFaults are those that are done to servers, one at a time.
	ServerFaults []ServerFault
	// Longest bounds how long a fault lasts.
	Longest time.Duration
	// Along is run beside the workload, if it is not nil; ctx ends with it.
	Along func(ctx context.Context, h *History) error
	// Drained is told when nobody works any more and the sessions are open
	// still.
	Drained func()
}

// A Result is what a round has come to.
type Result struct {
	Record     Record
	Violations []Violation
	Orphans    []string // znodes that were left in a queue
	Counts     Counts
}

// A round is one run of the clients, over links, sessions and locks that are
// all its own.
type round struct {
	Config
	history   *History
	registers []register
	clients   []*client
	counter   counter
}

// Run has clients contend under faults, lets all come to rest,
// and returns what happened. The error says that the round could not be held.
func Run(ctx context.Context, config Config) (Result, error) {
	r := &round{Config: config, history: NewHistory()}
	if err := r.prepare(ctx); err != nil {
		return Result{}, err
	}
	err := r.open()
	if err == nil {
		err = r.work(ctx)
	}
	orphans, drained := r.drain(ctx)
	record := r.history.Record()
	return Result{
		Record: record, Violations: Check(record, r.Kinds), Orphans: orphans, Counts: r.counter.counts,
	}, errors.Join(err, drained, r.close(ctx))
}

// prepare makes the registers.
func (r *round) prepare(ctx context.Context) error {
	for _, k := range r.Kinds {
		if k.Holders == 1 {
			r.registers = append(r.registers, register{k.Name, registerPath(r.Root, k.Name)})
		}
	}
	return r.onServer(ctx, func(ctx context.Context, c *wire.Client) error {
		for _, reg := range r.registers {
			if err := c.Create(ctx, reg.path); err != nil {
				return err
			}
		}
		return nil
	})
}

func registerPath(root, lock string) string { return path.Join(root, "register-"+lock) }

// onServer does something over a connection that no fault touches, when the
// server is there.
func (r *round) onServer(ctx context.Context, do func(context.Context, *wire.Client) error) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*stepTimeout)
	defer cancel()
	c, err := r.dial(ctx, nil)
	if err != nil {
		return fmt.Errorf("chaos: %w", err)
	}
	defer hangUp(ctx, c)
	return do(ctx, c)
}

// dial connects to the server that leads, when it serves. What is read then is not older
// than what was known before.
func (r *round) dial(ctx context.Context, event func(wire.WatchEvent)) (*wire.Client, error) {
	leader, err := r.Leader(ctx)
	if err != nil {
		return nil, err
	}
	if err := zkserver.Ready(ctx, leader); err != nil {
		return nil, err
	}
	c, err := wire.Dial(ctx, leader, wire.Options{Timeout: observerSession, OnEvent: event})
	if err != nil {
		return nil, err
	}
	if err := c.Sync(ctx, r.Root); err != nil { // it may follow meanwhile
		c.Close()
		return nil, err
	}
	return c, nil
}

func (r *round) open() error {
	for number := 1; number <= r.Clients; number++ {
		c, err := newClient(number, r.Session, r.Servers...)
		if err != nil {
			return err
		}
		r.clients = append(r.clients, c)
	}
	return nil
}

// work runs the clients and all that watches them. The observer and the stalls
// are watched until the last lease has been given back.
func (r *round) work(ctx context.Context) error {
	watching, enough := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	defer watchers.Wait()
	defer enough()
	o := newObserver(r.dial, r.Root, r.registers, r.history)
	watchers.Go(func() { watchStalls(watching, r.history) })
	watchers.Go(func() { o.run(watching) })
	if err := await(ctx, o.ready); err != nil {
		return err
	}
	return r.contend(ctx)
}

func await(ctx context.Context, ready <-chan struct{}) error {
	ctx, cancel := context.WithTimeout(ctx, stepTimeout)
	defer cancel()
	select {
	case <-ready:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("chaos: wait for the observer: %w", context.Cause(ctx))
	}
}

// contend is the round proper.
func (r *round) contend(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	i := &injector{serverFaults: r.ServerFaults, clients: r.clients, history: r.history, busy: make(map[int]bool)}
	var all sync.WaitGroup
	all.Go(func() { defer cancel(); r.last(ctx) })
	all.Go(func() { i.run(ctx, newPlan(r.Seed, r.Clients, r.Longest, r.ServerFaults)) })
	for n, w := range r.workers() {
		w.random = rand.New(rand.NewPCG(r.Seed, uint64(2+n)))
		all.Go(func() { w.run(ctx) })
	}
	var along error
	if r.Along != nil {
		all.Go(func() { along = r.Along(ctx, r.history) })
	}
	all.Wait()
	return errors.Join(append(i.failed, along)...)
}

// last returns when the time of the round is over and somebody held each lock,
// which takes longer where the server's restart does. It gives up in the end:
// whoever judges the record sees what is missing.
func (r *round) last(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, r.For+4*stepTimeout)
	defer cancel()
	if pause(ctx, r.For) {
		_ = r.history.awaitEach(ctx, r.Kinds)
	}
}

// kindsOfClient is how many kinds a client works with, so that one that is cut
// off holds up these only.
const kindsOfClient = 2

// workers are one goroutine for each client and kind that it works with.
func (r *round) workers() (all []*worker) {
	for n, c := range r.clients {
		for i := range min(kindsOfClient, len(r.Kinds)) {
			all = append(all, r.worker(c, r.Kinds[(n+i)%len(r.Kinds)]))
		}
	}
	return all
}

func (r *round) worker(c *client, k Kind) *worker {
	w := &worker{
		client: c, lock: k.Name, ways: k.Ways(c.session, path.Join(r.Root, k.Name)),
		history: r.history, counts: &r.counter,
	}
	if i := slices.IndexFunc(r.registers, func(g register) bool { return g.lock == k.Name }); i >= 0 {
		w.register = &r.registers[i]
	}
	return w
}

// drainPause is between two looks at queues that are to become empty.
const drainPause = 20 * time.Millisecond

// drain waits until the queues are empty, with all sessions alive: what is
// left then, nobody will delete. It returns that.
func (r *round) drain(ctx context.Context) (orphans []string, err error) {
	err = r.onServer(ctx, func(ctx context.Context, c *wire.Client) error {
		ctx, cancel := context.WithTimeout(ctx, stepTimeout)
		defer cancel()
		for {
			left, err := list(ctx, c, r.Root) // a register has none below it
			if err != nil {
				return err
			}
			orphans = left
			if len(left) == 0 || !pause(ctx, drainPause) {
				return nil
			}
		}
	})
	if r.Drained != nil && err == nil {
		r.Drained()
	}
	return orphans, err
}

// missing reports whether an error says that there is no such znode.
func missing(err error) bool { return errors.Is(err, wire.NoNode) }

// close ends the sessions, each within its own time.
func (r *round) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stepTimeout)
	defer cancel()
	var errs []error
	for _, c := range r.clients {
		errs = append(errs, c.close(ctx))
	}
	return errors.Join(errs...)
}
