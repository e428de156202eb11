package zkcli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// quotaRoot is where the limits of a path are, below its own path.
const quotaRoot = "/zookeeper/quota"

// The znodes of a path's quota: what it may have, and what it has.
const (
	limitsNode = "zookeeper_limits"
	statsNode  = "zookeeper_stats"
)

func limitsOf(path string) string { return quotaRoot + path + "/" + limitsNode }

func statsOf(path string) string { return quotaRoot + path + "/" + statsNode }

// quotaOptions are the four limits, of which a line may name one.
func quotaOptions(value bool) []option {
	return []option{
		{"n", value, "num soft quota"}, {"b", value, "bytes soft quota"},
		{"N", value, "num hard quota"}, {"B", value, "bytes hard quota"},
	}
}

// limitKeys are the limits, as the options and the znodes call them.
var limitKeys = map[string]string{"n": countKey, "b": bytesKey, "N": countHardKey, "B": bytesHardKey}

// quotaCommands are those about quotas, which are znodes like others: the server does
// no more than count, and refuse at a hard limit if it is configured so.
func quotaCommands() []command {
	return []command{
		{name: "setquota", args: "-n|-b|-N|-B val path",
			options: options{list: quotaOptions(true), oneOf: true, must: true}, words: 2, do: setQuota},
		{name: "listquota", args: "path", words: 2, do: listQuota},
		{name: "delquota", args: "[-n|-b|-N|-B] path", options: options{list: quotaOptions(false), oneOf: true}, words: 2, do: deleteQuota},
	}
}

func listQuota(ctx context.Context, c *Console, _ command, p parsed) error {
	path := p.args[1]
	c.out("absolute path is " + limitsOf(path) + "\n")
	limits, err := c.readQuota(ctx, limitsOf(path))
	if err == nil {
		var stats quota
		if stats, err = c.readQuota(ctx, statsOf(path)); err == nil {
			c.out("Output quota for " + path + " " + limits.String() + "\n")
			c.out("Output stat for " + path + " " + stats.String() + "\n")
		}
	}
	return c.noQuota(err, path)
}

// noQuota says of a quota that is not there that it is not, which is no error.
func (c *Console) noQuota(err error, path string) error {
	if errors.Is(err, wire.NoNode) {
		c.err("quota for " + path + " does not exist.\n")
		return nil
	}
	return err
}

func (c *Console) readQuota(ctx context.Context, node string) (quota, error) {
	if err := checkPath(node); err != nil {
		return nil, err
	}
	data, _, err := c.session.GetData(ctx, node, false)
	if err != nil {
		return nil, failed(err, node)
	}
	return parseQuota(string(data))
}

func setQuota(ctx context.Context, c *Console, _ command, p parsed) error {
	path := p.args[1]
	if strings.HasPrefix(path, quotaRoot) {
		c.err("cannot set a quota under the path: " + quotaRoot + "\n")
		return nil
	}
	wanted, complaint := wantedQuota(p)
	if complaint != "" {
		c.err(complaint + "\n")
		return nil
	}
	if err := c.checkQuotaPath(ctx, path); err != nil {
		return err
	}
	return c.writeQuota(ctx, path, wanted)
}

// wantedQuota returns the quota of a setquota, or what is wrong with it.
func wantedQuota(p parsed) (wanted quota, complaint string) {
	wanted = quota{}
	for name, key := range limitKeys {
		wanted[key] = none
		if !p.has(name) {
			continue
		}
		counts, bits := key == countKey || key == countHardKey, 64
		if counts {
			bits = 32
		}
		n, err := strconv.ParseInt(p.values[name], 10, bits)
		switch {
		case err != nil:
			return nil, "NumberFormatException happens when parsing the option value"
		case counts && n <= 0:
			return nil, "the num quota must be greater than zero"
		case n < 0:
			return nil, "the bytes quota must be greater than or equal to zero"
		}
		wanted[key] = n
	}
	return wanted, ""
}

// checkQuotaPath says why a path can have no quota: it is not there, or there is one
// above or below.
func (c *Console) checkQuotaPath(ctx context.Context, path string) error {
	if err := checkPath(path); err != nil {
		return err
	}
	_, err := c.session.Exists(ctx, path, false)
	if errors.Is(err, wire.NoNode) {
		return wrong(path + " does not exist.")
	}
	if err != nil {
		return failed(err, path)
	}
	if err := c.checkQuotasBelow(ctx, path); err != nil {
		return err
	}
	return c.checkQuotasAbove(ctx, path)
}

func (c *Console) checkQuotasBelow(ctx context.Context, path string) error {
	root := quotaRoot + path
	if err := checkPath(root); err != nil {
		return err
	}
	err := c.visit(ctx, root, false, func(node string) error {
		children, _, err := c.session.Children(ctx, node, false)
		if errors.Is(err, wire.NoNode) {
			return nil
		}
		if err == nil && node != root && slices.Contains(children, limitsNode) {
			return wrong(path + " has a child " + strings.TrimPrefix(node, quotaRoot) + " which has a quota")
		}
		return failed(err, node)
	})
	if errors.Is(err, wire.NoNode) {
		return nil
	}
	return err
}

func (c *Console) checkQuotasAbove(ctx context.Context, path string) error {
	names := strings.Split(path, "/")
	above := quotaRoot
	for _, name := range names[1 : len(names)-1] {
		above += "/" + name
		children, _, err := c.session.Children(ctx, above, false)
		if errors.Is(err, wire.NoNode) || err == nil && len(children) == 0 {
			return nil
		}
		if err != nil {
			return failed(err, above)
		}
		if slices.Contains(children, limitsNode) {
			return wrong(path + " has a parent " + strings.TrimPrefix(above, quotaRoot) + " which has a quota")
		}
	}
	return nil
}

// writeQuota makes a path's quota, or adds to the one that there is.
func (c *Console) writeQuota(ctx context.Context, path string, wanted quota) error {
	if err := c.makeQuotaNodes(ctx, path); err != nil {
		return err
	}
	limits, err := c.readQuota(ctx, limitsOf(path))
	switch {
	case errors.Is(err, wire.NoNode):
		if err := c.createNode(ctx, limitsOf(path), wanted.String()); err != nil {
			return err
		}
		if err := c.createNode(ctx, statsOf(path), quota{countKey: 0, bytesKey: 0}.String()); err != nil {
			return err
		}
		return c.warnOfQuota(ctx, path, wanted)
	case err != nil:
		return err
	}
	for key, n := range wanted {
		if n > none {
			limits[key] = n
		}
	}
	if err := c.warnOfQuota(ctx, path, limits); err != nil {
		return err
	}
	_, err = c.session.SetData(ctx, limitsOf(path), []byte(limits.String()), wire.AnyVersion)
	return failed(err, limitsOf(path))
}

// makeQuotaNodes makes the znodes above a quota that are missing.
func (c *Console) makeQuotaNodes(ctx context.Context, path string) error {
	node := quotaRoot
	for _, name := range strings.Split(path, "/")[1:] {
		node += "/" + name
		_, err := c.session.Exists(ctx, node, false)
		if errors.Is(err, wire.NoNode) {
			_, err = c.session.Create(ctx, wire.NewNode{Path: node, ACL: wire.OpenACL()})
		}
		if err != nil && !errors.Is(err, wire.NodeExists) {
			return failed(err, node)
		}
	}
	return nil
}

func (c *Console) createNode(ctx context.Context, path, data string) error {
	_, err := c.session.Create(ctx, wire.NewNode{Path: path, Data: []byte(data), ACL: wire.OpenACL()})
	return failed(err, path)
}

// warnOfQuota says where there is more already than the limits allow.
func (c *Console) warnOfQuota(ctx context.Context, path string, limits quota) error {
	stats, err := c.readQuota(ctx, statsOf(path))
	if err != nil {
		return err
	}
	exceeds := func(hasKey string, limitKeys ...string) bool {
		return slices.ContainsFunc(limitKeys, func(key string) bool {
			return limits.get(key) > none && limits.get(key) < stats.get(hasKey)
		})
	}
	if exceeds(countKey, countKey, countHardKey) {
		c.out(fmt.Sprintf("[Warning]: the count quota you create is less than the existing count:%d\n", stats.get(countKey)))
	}
	if exceeds(bytesKey, bytesKey, bytesHardKey) {
		c.out(fmt.Sprintf("[Warning]: the bytes quota you create is less than the existing bytes:%d\n", stats.get(bytesKey)))
	}
	return nil
}

func deleteQuota(ctx context.Context, c *Console, _ command, p parsed) error {
	path := p.args[1]
	limits, err := c.readQuota(ctx, limitsOf(path))
	if errors.Is(err, wire.NoNode) {
		c.out("Quota does not exist for " + path + "\n")
		return nil
	}
	if err != nil {
		return err
	}
	one := false
	for name, key := range limitKeys {
		if p.has(name) {
			limits[key], one = none, true
		}
	}
	if !one {
		return c.noQuota(c.deleteWholeQuota(ctx, quotaRoot+path), path)
	}
	_, err = c.session.SetData(ctx, limitsOf(path), []byte(limits.String()), wire.AnyVersion)
	return failed(err, limitsOf(path))
}

// deleteWholeQuota deletes a quota's znodes, and those above it that are empty then.
func (c *Console) deleteWholeQuota(ctx context.Context, node string) error {
	children, _, err := c.session.Children(ctx, node, false)
	if err != nil {
		return failed(err, node)
	}
	for _, child := range children {
		if err := c.session.Delete(ctx, below(node, child), wire.AnyVersion); err != nil {
			return failed(err, below(node, child))
		}
	}
	for node != quotaRoot {
		children, _, err := c.session.Children(ctx, node, false)
		if err != nil || len(children) > 0 {
			return failed(err, node)
		}
		if err := c.session.Delete(ctx, node, wire.AnyVersion); err != nil {
			return failed(err, node)
		}
		node = node[:strings.LastIndexByte(node, '/')]
	}
	return nil
}
