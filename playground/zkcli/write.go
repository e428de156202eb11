package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// writeCommands are those that change znodes.
func writeCommands() []command {
	return []command{
		{name: "create", args: "[-s] [-e] [-c] [-t ttl] path [data] [acl]",
			options: options{list: append(flags("e", "s", "c"), value("t"))}, words: 2, do: create},
		{name: "delete", args: "[-v version] path", options: options{list: []option{value("v")}}, words: 2, do: deleteOne},
		{name: "deleteall", args: "path [-b batch size]", options: options{list: []option{value("b")}}, words: 2, do: deleteAll},
		{name: "set", args: "[-s] [-v version] path data",
			options: options{list: append(flags("s"), value("v"))}, words: 3, do: set},
	}
}

// maxTTL is the longest time to live that there is room for in a znode's owner.
const maxTTL = 1<<40 - 1

func create(ctx context.Context, c *Console, _ command, p parsed) error {
	node, err := newNode(p)
	if err != nil {
		return err
	}
	if len(p.args) > 3 {
		node.ACL = c.readACL(p.args[3])
	}
	if err := checkNewPath(node); err != nil {
		return err
	}
	if len(node.ACL) == 0 {
		return c.notCreated(wire.InvalidACL, "") // Java's client does not ask
	}
	made, err := c.session.Create(ctx, node)
	if err != nil {
		return c.notCreated(err, node.Path)
	}
	c.err("Created " + made + "\n")
	return nil
}

// readACL reads an ACL, and complains about what it does not understand.
func (c *Console) readACL(text string) []wire.ACL {
	return parseACL(text, func(complaint string) { c.err(complaint + "\n") })
}

// notCreated is the error of a create, which says some things twice.
func (c *Console) notCreated(err error, path string) error {
	switch {
	case errors.Is(err, wire.InvalidACL):
		c.err(keeperMessage(wire.InvalidACL, path) + "\n")
	case errors.Is(err, wire.EphemeralOnLocalSession):
		c.err("Unable to create ephemeral node on a local session\n")
	}
	return failed(err, path)
}

// checkNewPath is [checkPath] for a znode to create: a number follows the path of a
// sequential one.
func checkNewPath(node wire.NewNode) error {
	switch node.Mode {
	case wire.PersistentSequential, wire.EphemeralSequential, wire.PersistentSequentialWithTTL:
		return checkPath(node.Path + "1")
	}
	return checkPath(node.Path)
}

// newNode returns the znode that a create is to make.
func newNode(p parsed) (wire.NewNode, error) {
	node := wire.NewNode{Path: p.args[1], ACL: wire.OpenACL()}
	if len(p.args) > 2 {
		node.Data = []byte(p.args[2])
	}
	ephemeral, sequential, container, ttl := p.has("e"), p.has("s"), p.has("c"), p.has("t")
	if container && (ephemeral || sequential) {
		return node, wrong("-c cannot be combined with -s or -e. Containers cannot be ephemeral or sequential.")
	}
	var err error
	if node.TTL, err = timeToLive(p); err != nil {
		return node, err
	}
	switch {
	case ephemeral && sequential:
		node.Mode = wire.EphemeralSequential
	case ephemeral:
		node.Mode = wire.Ephemeral
	case sequential && ttl:
		node.Mode = wire.PersistentSequentialWithTTL
	case sequential:
		node.Mode = wire.PersistentSequential
	case container:
		node.Mode = wire.Container
	case ttl:
		node.Mode = wire.PersistentWithTTL
	}
	return node, nil
}

// timeToLive is what a create says about it; 0 is nothing.
func timeToLive(p parsed) (int64, error) {
	if !p.has("t") {
		return 0, nil
	}
	ttl, err := strconv.ParseInt(p.values["t"], 10, 64)
	switch {
	case err != nil:
		return 0, wrong("-t argument must be a long value")
	case p.has("e"):
		return 0, wrong("TTLs cannot be used with Ephemeral znodes")
	case p.has("c"):
		return 0, wrong("TTLs cannot be used with Container znodes")
	case ttl <= 0 || ttl > maxTTL:
		return 0, wrong(fmt.Sprint("ttl must be positive and cannot be larger than: ", maxTTL))
	}
	return ttl, nil
}

// version returns the one in the options.
func version(p parsed) (int32, error) {
	if !p.has("v") {
		return wire.AnyVersion, nil
	}
	return parseInt(p.values["v"])
}

func set(ctx context.Context, c *Console, _ command, p parsed) error {
	path, data := p.args[1], p.args[2]
	wanted, err := version(p)
	if err != nil {
		return err
	}
	if err := checkPath(path); err != nil {
		return err
	}
	s, err := c.session.SetData(ctx, path, []byte(data), wanted)
	if err != nil {
		return failed(err, path)
	}
	if p.has("s") {
		c.out(formatStat(s, c.config.Zone))
	}
	return nil
}

func deleteOne(ctx context.Context, c *Console, _ command, p parsed) error {
	if len(p.args) > 2 {
		c.err("'delete path [version]' has been deprecated. Please use 'delete [-v version] path' instead.\n")
	}
	path := p.args[1]
	wanted, err := version(p)
	if err != nil {
		return err
	}
	if err := checkPath(path); err != nil {
		return err
	}
	return failed(c.session.Delete(ctx, path, wanted), path)
}

// defaultBatch is how many znodes a deleteall deletes in one transaction.
const defaultBatch = 1000

func deleteAll(ctx context.Context, c *Console, _ command, p parsed) error {
	batch := defaultBatch
	if p.has("b") {
		n, err := parseInt(p.values["b"])
		if err != nil {
			return wrong("-b argument must be an int value")
		}
		batch = int(n)
	}
	path := p.args[1]
	if err := checkPath(path); err != nil {
		return err
	}
	tree, err := c.tree(ctx, path)
	if err != nil {
		return err
	}
	slices.Reverse(tree) // the leaves first
	if batch <= 0 {
		return c.deleteEach(ctx, tree)
	}
	for nodes := range slices.Chunk(tree, batch) {
		err := c.session.Do(ctx, func(conn *wire.Client) error { return conn.DeleteNodes(ctx, nodes) })
		if err != nil {
			if ctx.Err() != nil {
				return failed(err, path)
			}
			c.err("Failed to delete some node(s) in the subtree!\n")
			return nil
		}
	}
	return nil
}

func (c *Console) deleteEach(ctx context.Context, nodes []string) error {
	for _, node := range nodes {
		if err := c.session.Delete(ctx, node, wire.AnyVersion); err != nil {
			return failed(err, node)
		}
	}
	return nil
}

// tree lists a subtree, a znode before what is below it.
func (c *Console) tree(ctx context.Context, root string) ([]string, error) {
	tree := []string{root}
	for i := 0; i < len(tree); i++ {
		children, _, err := c.session.Children(ctx, tree[i], false)
		if err != nil {
			return nil, failed(err, tree[i])
		}
		for _, child := range children {
			tree = append(tree, below(tree[i], child))
		}
	}
	return tree, nil
}
