package zkcli

import (
	"context"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// watchCommands are those about watches alone.
func watchCommands() []command {
	return []command{
		{name: "addWatch", args: "[-m mode] path # optional mode is one of [PERSISTENT, PERSISTENT_RECURSIVE] - default is PERSISTENT_RECURSIVE",
			options: options{list: []option{value("m")}}, do: addWatch},
		{name: "removewatches", args: "path [-c|-d|-a] [-l]", options: options{list: flags("c", "d", "a", "l")}, words: 2, path: true, do: removeWatches},
	}
}

func addWatch(ctx context.Context, c *Console, k command, p parsed) error {
	if len(p.args) != 2 {
		return wrong(k.usage())
	}
	if p.has("m") {
		switch strings.ToUpper(p.values["m"]) {
		case "PERSISTENT":
			c.recursive = false
		case "PERSISTENT_RECURSIVE":
			c.recursive = true
		default:
			return wrong(k.usage())
		}
	}
	path := p.args[1]
	if err := checkPath(path); err != nil {
		return err // which ends zkCli
	}
	return failed(c.session.AddWatch(ctx, path, c.recursive), path)
}

func removeWatches(ctx context.Context, c *Console, _ command, p parsed) error {
	kind := wire.AnyWatcher
	switch {
	case p.has("c"):
		kind = wire.ChildrenWatcher
	case p.has("d"):
		kind = wire.DataWatcher
	}
	return c.session.RemoveWatches(ctx, p.args[1], kind, p.has("l"))
}
