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
		{name: "get", args: "[-s] [-w] path", options: options{list: flags("s", "w")}, words: 2, path: true, former: "get [-s] [-w] path", do: get},
		{name: "getAllChildrenNumber", args: "path", words: 2, path: true, do: getAllChildrenNumber},
		{name: "getEphemerals", args: "path", words: 1, do: getEphemerals},
		{name: "ls", args: "[-s] [-w] [-R] path", options: options{list: flags("?", "s", "w", "R")}, words: 2, path: true, former: "ls [-w] path", do: ls},
		{name: "stat", args: "[-w] path", options: options{list: flags("w")}, words: 2, path: true, former: "stat [-w] path", do: stat},
		{name: "sync", args: "path", words: 2, path: true, do: syncPath},
	}
}

const lsHelp = "usage: ls [options] path\n -?   help\n -R   recurse\n -s   stat\n -w   watch\n"

func ls(ctx context.Context, c *Console, _ command, p parsed) error {
	path, watch := p.args[1], p.has("w")
	if p.has("R") {
		return c.visit(ctx, path, watch, func(node string) error {
			c.out(node + "\n")
			return nil
		})
	}
	children, stat, err := c.session.Children(ctx, path, watch)
	if err == nil {
		slices.Sort(children)
		c.answer(formatList(children)+"\n", stat, p)
	}
	return err
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

func get(ctx context.Context, c *Console, _ command, p parsed) error {
	data, stat, err := c.session.GetData(ctx, p.args[1], p.has("w"))
	if err == nil {
		c.answer(formatData(data), stat, p)
	}
	return err
}

// formatData is data as text, in a line.
func formatData(data []byte) string {
	if data == nil {
		return "null\n"
	}
	return string([]rune(string(data))) + "\n" // what is no UTF-8 is shown as such
}

func stat(ctx context.Context, c *Console, _ command, p parsed) error {
	stat, err := c.session.Exists(ctx, p.args[1], p.has("w"))
	if err == nil {
		c.out(formatStat(stat, c.config.Zone))
	}
	return err
}

func getAllChildrenNumber(ctx context.Context, c *Console, _ command, p parsed) error {
	return c.session.Do(ctx, func(conn *wire.Client) error {
		n, err := conn.AllChildrenNumber(ctx, p.args[1])
		if err == nil {
			c.out(fmt.Sprintln(n))
		}
		return err
	})
}

func getEphemerals(ctx context.Context, c *Console, _ command, p parsed) error {
	prefix := "/"
	if len(p.args) > 1 {
		prefix = p.args[1]
	}
	if err := checkPath(prefix); err != nil {
		return err
	}
	err := c.session.Do(ctx, func(conn *wire.Client) error {
		list, err := conn.Ephemerals(ctx, prefix)
		if err == nil {
			c.out(formatList(list) + "\n")
		}
		return err
	})
	return failed(err, "")
}

func syncPath(ctx context.Context, c *Console, _ command, p parsed) error {
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
		return err
	}
	return nil
}
