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
// other clients go on making znodes there.
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
	levels, err := c.levels(ctx, node, func(string) bool { return true }, func(string, []string) {})
	if err != nil {
		return err
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

// ListBelow returns the names of the children of a znode, and of those below it that into
// says to list as well, by the znode that has them.
func (c *Client) ListBelow(ctx context.Context, node string, into func(node string) bool) (map[string][]string, error) {
	listed := make(map[string][]string)
	_, err := c.levels(ctx, node, into, func(node string, names []string) { listed[node] = names })
	return listed, err
}

// levels lists a tree from the top down and returns its znodes, those of one depth together.
func (c *Client) levels(ctx context.Context, top string, into func(node string) bool, listed func(node string, names []string)) (levels [][]string, err error) {
	for level := []string{top}; len(level) > 0; {
		levels = append(levels, level)
		names := make([][]string, len(level))
		there := make([]bool, len(level))
		err := atOnce(level, func(i int, node string) error {
			children, _, err := c.Children(ctx, node)
			names[i], there[i] = children, err == nil
			return present(err)
		})
		if err != nil {
			return nil, err
		}
		var below []string
		for i, node := range level {
			if there[i] {
				listed(node, names[i])
			}
			for _, name := range names[i] {
				if child := path.Join(node, name); into(child) {
					below = append(below, child)
				}
			}
		}
		level = below
	}
	return levels, nil
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

// atOnce makes a request for each of the znodes, many together, and returns the error of the
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
	for Within(node, top) && node != "/" {
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

// Within says whether a znode is top or stands below it.
func Within(node, top string) bool {
	return node == top || strings.HasPrefix(node, strings.TrimSuffix(top, "/")+"/")
}
