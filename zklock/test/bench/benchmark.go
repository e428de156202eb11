package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"runtime"
	"slices"
	"time"

	"github.com/go-zookeeper/zk"
)

// root holds the znodes of the trials.
const root = "/zkbench"

// A benchmark runs all cells, and keeps what was measured.
type benchmark struct {
	settings
	address  string // of the server
	meter    *meter
	progress io.Writer
	keeper   connection // makes and removes the trials' znodes
	trials   int        // numbers them
	samples  samples
}

func newBenchmark(ctx context.Context, address string, s settings, progress io.Writer) (*benchmark, error) {
	keeper, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	t := &benchmark{settings: s, address: address, progress: progress, keeper: keeper}
	if err := t.prepare(ctx); err != nil {
		_ = keeper.close()
		return nil, err
	}
	return t, nil
}

func (t *benchmark) prepare(ctx context.Context) (err error) {
	if _, err := t.keeper.Create(root, nil, 0, openACL()); err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return fmt.Errorf("create %s: %w", root, err)
	}
	t.meter, err = newMeter(ctx, t.address)
	return err
}

func (t *benchmark) close() error { return t.keeper.close() }

// run warms the server up and runs all rounds. When it fails, the samples
// are those of the comparisons that ended before.
func (t *benchmark) run(ctx context.Context) error {
	comparisons := t.schedule()
	total := 0
	for _, cells := range comparisons {
		total += len(cells)
	}
	fmt.Fprintf(t.progress, "%d cells of %v in slices of %v, and a warm-up of %v\n", total, t.length, t.slice, t.warm)
	if err := t.warmUp(ctx); err != nil {
		return err
	}
	for _, cells := range comparisons {
		taken, err := t.runComparison(ctx, cells)
		if err != nil {
			return err
		}
		for _, s := range taken {
			t.samples = append(t.samples, s)
			fmt.Fprintf(t.progress, "%d/%d %v: %.0f/s, p50 %v\n", len(t.samples), total, s.cell, s.PerSecond, s.P50.Round(time.Microsecond))
		}
	}
	return nil
}

// schedule lists the cells of each comparison, in the order in which they are run.
func (t *benchmark) schedule() (comparisons [][]cell) {
	for round := range t.rounds {
		for _, work := range t.workloads {
			for _, hold := range t.holds {
				for _, n := range t.contenders {
					c := cell{condition: condition{work, n, hold}, Round: round + 1}
					if cells := c.each(rotate(t.recipes, round)); len(cells) > 0 {
						comparisons = append(comparisons, cells)
					}
				}
			}
		}
	}
	return comparisons
}

// each is the same cell for each recipe that the workload is for.
func (c cell) each(recipes []recipe) (all []cell) {
	for _, r := range recipes {
		if r.fixed && c.Workload == random {
			continue
		}
		c.Recipe = r.name
		all = append(all, c)
	}
	return all
}

// rotate has another recipe begin in each round, or pass, and goes through them
// backwards in every second one, so that none always follows the same other.
func rotate[T any](list []T, round int) []T {
	first := round % len(list)
	order := slices.Concat(list[first:], list[:first])
	if round%2 == 1 {
		slices.Reverse(order[1:])
	}
	return order
}

// warmUp runs one comparison for nothing: a young JVM is slow.
func (t *benchmark) warmUp(ctx context.Context) error {
	c := cell{condition: condition{inTurn, slices.Max(t.contenders), 0}}
	if _, err := t.runComparison(ctx, c.each(t.recipes)); err != nil {
		return fmt.Errorf("warm-up, %w", err)
	}
	return nil
}

// runComparison runs one trial for each cell, and ends the sessions.
func (t *benchmark) runComparison(ctx context.Context, cells []cell) (samples, error) {
	h := &comparison{settings: t.settings, meter: t.meter, open: t.open}
	for _, c := range cells {
		h.trials = append(h.trials, newTrial(c))
	}
	taken, err := h.run(ctx)
	for _, m := range h.trials {
		err = errors.Join(err, m.close())
	}
	for _, m := range h.trials {
		if err == nil {
			err = removeTree(t.keeper, m.place)
		}
	}
	return taken, err
}

// open makes the trial's znode and connects the contenders, and collects the
// garbage of that, so that all warm-ups begin alike.
func (t *benchmark) open(ctx context.Context, m *trial) error {
	r, err := recipeNamed(m.Recipe)
	if err != nil {
		return err
	}
	t.trials++
	m.place = fmt.Sprintf("%s/%d", root, t.trials)
	if _, err := t.keeper.Create(m.place, nil, 0, openACL()); err != nil {
		return fmt.Errorf("create %s: %w", m.place, err)
	}
	m.contenders, err = r.open(ctx, trialConfig{
		address: t.address, path: m.place, contenders: m.Contenders,
		hold: m.Hold, length: t.warm + t.length, cycles: t.cycles(), over: m.over,
	})
	if err != nil {
		return fmt.Errorf("connect the contenders: %w", err)
	}
	runtime.GC()
	return nil
}

// removeTree deletes a znode, and those below that are left over. The lock
// directories may be containers, which the server deletes too.
func removeTree(c connection, node string) error {
	children, _, err := c.Children(node)
	for _, child := range children {
		if err := removeTree(c, path.Join(node, child)); err != nil {
			return err
		}
	}
	if err == nil {
		err = c.Delete(node, -1)
	}
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return fmt.Errorf("remove %s: %w", node, err)
	}
	return nil
}
