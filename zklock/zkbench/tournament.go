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

// root holds the znodes of the matches.
const root = "/zkbench"

// A tournament plays all cells, and keeps what was measured.
type tournament struct {
	settings
	observer observer
	progress io.Writer
	keeper   connection // makes and removes the matches' znodes
	matches  int        // numbers them
	samples  samples
}

func newTournament(ctx context.Context, address string, s settings, progress io.Writer) (*tournament, error) {
	keeper, err := connect(ctx, address)
	if err != nil {
		return nil, err
	}
	t := &tournament{settings: s, observer: observer{address: address, warm: s.warm, length: s.length}, progress: progress, keeper: keeper}
	if err := t.prepare(ctx); err != nil {
		keeper.close()
		return nil, err
	}
	return t, nil
}

func (t *tournament) prepare(ctx context.Context) (err error) {
	if _, err := t.keeper.Create(root, nil, 0, openACL()); err != nil && !errors.Is(err, zk.ErrNodeExists) {
		return fmt.Errorf("create %s: %w", root, err)
	}
	t.observer.question, err = questionTraffic(ctx, t.observer.address)
	return err
}

func (t *tournament) close() { t.keeper.close() }

// play warms the server up and plays all rounds. When it fails, the samples
// are those of the cells that ended before.
func (t *tournament) play(ctx context.Context) error {
	schedule := t.schedule()
	fmt.Fprintf(t.progress, "%d cells of %v and a warm-up of %v\n", len(schedule), t.length, t.warm)
	if err := t.warmUp(ctx); err != nil {
		return err
	}
	for i, c := range schedule {
		s, err := t.playCell(ctx, c)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		t.samples = append(t.samples, s)
		fmt.Fprintf(t.progress, "%d/%d %v: %.0f/s, p50 %v\n", i+1, len(schedule), c, s.PerSecond, s.P50.Round(time.Microsecond))
	}
	return nil
}

// schedule lists the cells in the order in which they are played.
func (t *tournament) schedule() (all []cell) {
	for round := range t.rounds {
		for _, hold := range t.holds {
			for _, n := range t.contenders {
				for _, r := range rotate(t.recipes, round) {
					all = append(all, cell{Recipe: r.name, Contenders: n, Hold: hold, Round: round + 1})
				}
			}
		}
	}
	return all
}

// rotate has another recipe begin in each round, and goes through them
// backwards in every second one, so that none always follows the same other.
func rotate[T any](list []T, round int) []T {
	first := round % len(list)
	order := slices.Concat(list[first:], list[:first])
	if round%2 == 1 {
		slices.Reverse(order[1:])
	}
	return order
}

// warmUp plays each recipe once for nothing: a young JVM is slow.
func (t *tournament) warmUp(ctx context.Context) error {
	for _, r := range t.recipes {
		c := cell{Recipe: r.name, Contenders: slices.Max(t.contenders)}
		if _, err := t.playCell(ctx, c); err != nil {
			return fmt.Errorf("warm-up, %v: %w", c, err)
		}
	}
	return nil
}

// playCell plays one match below a znode of its own.
func (t *tournament) playCell(ctx context.Context, c cell) (s sample, err error) {
	t.matches++
	place := fmt.Sprintf("%s/%d", root, t.matches)
	if _, err := t.keeper.Create(place, nil, 0, openACL()); err != nil {
		return sample{}, fmt.Errorf("create %s: %w", place, err)
	}
	m := newMatch(c)
	if err := t.open(ctx, m, place); err != nil {
		return sample{}, err
	}
	s, err = m.play(ctx, t.observer)
	if err := errors.Join(err, m.close()); err != nil {
		return sample{}, err
	}
	return s, removeTree(t.keeper, place)
}

// open connects the contenders, and collects the garbage of that, so that all
// matches begin alike.
func (t *tournament) open(ctx context.Context, m *match, place string) error {
	r, err := recipeNamed(m.Recipe)
	if err != nil {
		return err
	}
	m.contenders, err = r.open(ctx, arena{
		address: t.observer.address, path: place, contenders: m.Contenders,
		hold: m.Hold, length: t.warm + t.length, over: m.over,
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
