package wire

import (
	"context"
	"errors"
	"path"
	"strings"
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

// DeleteTree removes a znode and all below it. The error is Code NotEmpty when
// somebody has made another below it meanwhile.
func (c *Client) DeleteTree(ctx context.Context, node string) error {
	names, _, err := c.Children(ctx, node)
	if errors.Is(err, NoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		errs = append(errs, c.DeleteTree(ctx, path.Join(node, name)))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	if err := c.Delete(ctx, node); !errors.Is(err, NoNode) {
		return err
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
