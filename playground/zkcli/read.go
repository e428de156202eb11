package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// readCommands are those that look at znodes.
func readCommands() []command {
	return []command{
		{name: "get", args: "[-s] [-w] path", options: options{list: flags("s", "w")}, words: 2, do: get},
		{name: "getAllChildrenNumber", args: "path", words: 2, do: getAllChildrenNumber},
		{name: "getEphemerals", args: "path", words: 1, do: getEphemerals},
		{name: "ls", args: "[-s] [-w] [-R] path", options: options{list: flags("?", "s", "w", "R")}, words: 2, do: ls},
		{name: "stat", args: "[-w] path", options: options{list: flags("w")}, words: 2, do: stat},
		{name: "sync", args: "path", words: 2, do: syncPath},
	}
}

const lsHelp = "usage: ls [options] path\n -?   help\n -R   recurse\n -s   stat\n -w   watch\n"

// formerWatch understands "ls path watch": the third word of the line becomes -w,
// whatever it was.
func formerWatch(c *Console, k command, p parsed, instead string) (parsed, error) {
	if len(p.args) <= 2 {
		return p, nil
	}
	c.err("'" + k.name + " path [watch]' has been deprecated. Please use '" + instead + "' instead.\n")
	args := slices.Clone(c.args)
	args[2] = "-w"
	return k.options.parse(args)
}

func ls(ctx context.Context, c *Console, k command, p parsed) error {
	p, err := formerWatch(c, k, p, "ls [-w] path")
	if err != nil {
		return err
	}
	path, watch := p.args[1], p.has("w")
	if err := checkPath(path); err != nil {
		return err
	}
	if p.has("R") {
		return c.visit(ctx, path, watch, func(node string) error {
			c.out(node + "\n")
			return nil
		})
	}
	children, s, err := c.session.Children(ctx, path, watch)
	if err != nil {
		return failed(err, path)
	}
	slices.Sort(children)
	text := formatList(children) + "\n"
	if p.has("s") {
		text += formatStat(s, c.config.Zone)
	}
	c.out(text)
	return nil
}

// visit does something with each znode of a subtree: with the root, then with all
// children of a znode, and then below them. A znode that has gone meanwhile is fine.
func (c *Console) visit(ctx context.Context, root string, watch bool, do func(node string) error) error {
	if _, _, err := c.session.GetData(ctx, root, watch); err != nil {
		return failed(err, root)
	}
	if err := do(root); err != nil {
		return err
	}
	return c.visitBelow(ctx, root, watch, do)
}

func (c *Console) visitBelow(ctx context.Context, node string, watch bool, do func(node string) error) error {
	children, _, err := c.session.Children(ctx, node, watch)
	if errors.Is(err, wire.NoNode) {
		return nil
	}
	if err != nil {
		return failed(err, node)
	}
	slices.Sort(children)
	for _, child := range children {
		if err := do(below(node, child)); err != nil {
			return err
		}
	}
	for _, child := range children {
		if err := c.visitBelow(ctx, below(node, child), watch, do); err != nil {
			return err
		}
	}
	return nil
}

// below is the path of a child.
func below(node, child string) string {
	if node == "/" {
		return node + child
	}
	return node + "/" + child
}

func get(ctx context.Context, c *Console, k command, p parsed) error {
	p, err := formerWatch(c, k, p, "get [-s] [-w] path")
	if err != nil {
		return err
	}
	path := p.args[1]
	if err := checkPath(path); err != nil {
		return err
	}
	data, s, err := c.session.GetData(ctx, path, p.has("w"))
	if err != nil {
		return failed(err, path)
	}
	text := formatData(data)
	if p.has("s") {
		text += formatStat(s, c.config.Zone)
	}
	c.out(text)
	return nil
}

// formatData is data as text, in a line.
func formatData(data []byte) string {
	if data == nil {
		return "null\n"
	}
	return string([]rune(string(data))) + "\n" // what is no UTF-8 is shown as such
}

func stat(ctx context.Context, c *Console, k command, p parsed) error {
	p, err := formerWatch(c, k, p, "stat [-w] path")
	if err != nil {
		return err
	}
	path := p.args[1]
	if err := checkPath(path); err != nil {
		return err
	}
	s, err := c.session.Exists(ctx, path, p.has("w"))
	if err != nil {
		return failed(err, path)
	}
	c.out(formatStat(s, c.config.Zone))
	return nil
}

func getAllChildrenNumber(ctx context.Context, c *Console, _ command, p parsed) error {
	path := p.args[1]
	if err := checkPath(path); err != nil {
		return err
	}
	n, err := c.session.AllChildrenNumber(ctx, path)
	if err != nil {
		return failed(err, path)
	}
	c.out(fmt.Sprintln(n))
	return nil
}

func getEphemerals(ctx context.Context, c *Console, _ command, p parsed) error {
	prefix := "/"
	if len(p.args) > 1 {
		prefix = p.args[1]
	}
	if err := checkPath(prefix); err != nil {
		return err
	}
	list, err := c.session.Ephemerals(ctx, prefix)
	if err != nil {
		return failed(err, "")
	}
	c.out(formatList(list) + "\n")
	return nil
}

func syncPath(ctx context.Context, c *Console, _ command, p parsed) error {
	if err := checkPath(p.args[1]); err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, syncLimit, errSyncTimeout)
	defer cancel()
	err := c.session.Sync(limited, p.args[1])
	var code wire.Code
	switch {
	case err == nil:
		c.out("Sync is OK\n")
	case errors.As(err, &code):
		c.out(fmt.Sprintf("Sync has failed. rc=%d\n", int32(code)))
	default:
		return failed(err, "")
	}
	return nil
}
