package zkcli

import (
	"context"
	"errors"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// accessCommands are those about who may do what.
func accessCommands() []command {
	return []command{
		{name: "addauth", args: "scheme auth", words: 2, do: addAuth},
		{name: "getAcl", args: "[-s] path", options: options{list: flags("s")}, words: 2, path: true, do: getACL},
		{name: "setAcl", args: "[-s] [-v version] [-R] path acl",
			options: options{list: append(flags("s", "R"), value("v"))}, words: 3, do: setACL},
		{name: "whoami", plain: true, do: whoAmI},
	}
}

func addAuth(ctx context.Context, c *Console, _ command, p parsed) error {
	var auth []byte // none is not the same as empty
	if len(p.args) > 2 {
		auth = []byte(p.args[2])
	}
	err := c.session.AddAuth(ctx, p.args[1], auth)
	var code wire.Code
	if errors.As(err, &code) {
		return nil // zkCli does not wait for the answer; an event reports a refusal
	}
	return failed(err, "")
}

func whoAmI(ctx context.Context, c *Console, _ command, _ parsed) error {
	err := c.session.Do(ctx, func(conn *wire.Client) error {
		list, err := conn.WhoAmI(ctx)
		if err != nil {
			return err
		}
		text := "Auth scheme: User\n"
		for _, one := range list {
			text += one.Scheme + ": " + one.User + "\n"
		}
		c.out(text)
		return nil
	})
	return failed(err, "")
}

func getACL(ctx context.Context, c *Console, _ command, p parsed) error {
	return c.session.Do(ctx, func(conn *wire.Client) error {
		acl, stat, err := conn.GetACL(ctx, p.args[1])
		if err != nil {
			return err
		}
		var text string
		for _, one := range acl {
			text += formatACL(one)
		}
		c.answer(text, stat, p)
		return nil
	})
}

func setACL(ctx context.Context, c *Console, _ command, p parsed) error {
	path := p.args[1]
	acl := c.readACL(p.args[2])
	wanted, err := version(p)
	if err != nil {
		return err
	}
	if err := checkPath(path); err != nil {
		return err
	}
	if p.has("R") {
		return c.setACLs(ctx, path, acl, wanted)
	}
	s, err := c.setACL(ctx, path, acl, wanted)
	if err != nil {
		if len(acl) == 0 {
			path = ""
		}
		return failed(err, path)
	}
	if p.has("s") {
		c.out(formatStat(s, c.config.Zone))
	}
	return nil
}

// setACL refuses an empty ACL by itself, as Java's client does.
func (c *Console) setACL(ctx context.Context, path string, acl []wire.ACL, version int32) (stat wire.Stat, err error) {
	if len(acl) == 0 {
		return wire.Stat{}, wire.InvalidACL
	}
	err = c.session.Do(ctx, func(conn *wire.Client) error {
		stat, err = conn.SetACL(ctx, path, acl, version)
		return err
	})
	return stat, err
}

// setACLs sets the ACL of a subtree. What goes wrong is printed, without an end of
// line, and does not count.
func (c *Console) setACLs(ctx context.Context, root string, acl []wire.ACL, version int32) error {
	return c.visit(ctx, root, false, func(node string) error {
		_, err := c.setACL(ctx, node, acl, version)
		var code wire.Code
		if errors.As(err, &code) {
			if len(acl) == 0 {
				node = ""
			}
			c.out(keeperMessage(code, node))
			return nil
		}
		return failed(err, node)
	})
}
