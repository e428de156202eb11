package wire

import (
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"sync"
)

// CreateAll makes a znode and its missing parents. One that is there already is
// fine.
func (c *Client) CreateAll(ctx context.Context, node string) error {
	err := c.Create(ctx, node)
	if errors.Is(err, NoNode) {
		if err := c.CreateAll(ctx, path.Dir(node)); err != nil {
			return err
		}
		return c.CreateAll(ctx, node) // the parent may be gone again: others remove theirs at the same time
	}
	if errors.Is(err, NodeExists) {
		return nil
	}
	return err
}

// DeleteTree removes a znode and all below it. One that does not go does not keep
// the others, but those above it; the error is its own, and Code NotEmpty only when
// somebody goes on making znodes there.
func (c *Client) DeleteTree(ctx context.Context, node string) error {
	const attempts = 3 // what was created while the tree was listed is found then
	var err error
	for range attempts {
		if err = c.deleteTree(ctx, node); !errors.Is(err, NotEmpty) {
			return err
		}
	}
	return err
}

// deleteTree deletes the tree as it finds it, the deepest znodes first.
func (c *Client) deleteTree(ctx context.Context, node string) error {
	var levels [][]string
	for level := []string{node}; len(level) > 0; {
		levels = append(levels, level)
		below := make([][]string, len(level))
		err := atOnce(level, func(i int, node string) error {
			names, _, err := c.Children(ctx, node)
			for _, name := range names {
				below[i] = append(below[i], path.Join(node, name))
			}
			return present(err)
		})
		if err != nil {
			return err
		}
		level = slices.Concat(below...)
	}
	var first error
	for _, level := range slices.Backward(levels) {
		err := atOnce(level, func(_ int, node string) error { return present(c.Delete(ctx, node)) })
		if first == nil {
			first = err
		}
	}
	return first
}

// present is an error that is not about a znode which has gone already.
func present(err error) error {
	if errors.Is(err, NoNode) {
		return nil
	}
	return err
}

// requestsAtOnce is how many of a tree's requests are under way together.
const requestsAtOnce = 64

// atOnce asks for each of the znodes, many together, and returns the error of the
// first one that has one.
func atOnce(nodes []string, ask func(i int, node string) error) error {
	errs := make([]error, len(nodes))
	var asking sync.WaitGroup
	next := make(chan int)
	for range min(requestsAtOnce, len(nodes)) {
		asking.Go(func() {
			for i := range next {
				errs[i] = ask(i, nodes[i])
			}
		})
	}
	for i := range nodes {
		next <- i
	}
	close(next)
	asking.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// DeleteEmpty removes a znode and the parents that it leaves empty, up to top. It
// ends at the first that has children.
func (c *Client) DeleteEmpty(ctx context.Context, node, top string) error {
	for within(node, top) && node != "/" {
		err := c.Delete(ctx, node)
		if errors.Is(err, NotEmpty) {
			return nil
		}
		if err != nil && !errors.Is(err, NoNode) {
			return err
		}
		node = path.Dir(node)
	}
	return nil
}

// within says whether a znode is top or stands below it.
func within(node, top string) bool {
	return node == top || strings.HasPrefix(node, strings.TrimSuffix(top, "/")+"/")
}
