package zkcli

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// serverCommands are those about the session and the servers.
func serverCommands() []command {
	return []command{
		{name: "close", plain: true, do: closeSession},
		{name: "config", args: "[-c] [-w] [-s]", options: options{list: flags("s", "w", "c")}, words: 1, do: config},
		{name: "reconfig", args: "[-s] [-v version] [[-file path] | [-members serverID=host:port1:port2;port3[,...]*]] | " +
			"[-add serverId=host:port1:port2;port3[,...]]* [-remove serverId[,...]*]",
			options: options{list: append(flags("s"), value("v"), value("file"), value("members"), value("add"), value("remove"))},
			words:   1, do: reconfig},
		{name: "version", words: 1, do: showVersion},
	}
}

func closeSession(ctx context.Context, c *Console, _ command, _ parsed) error {
	return failed(c.session.Close(ctx), "")
}

func showVersion(_ context.Context, c *Console, k command, p parsed) error {
	if len(p.args) > 1 {
		return wrong(k.usage())
	}
	c.out("ZooKeeper CLI version: 3.8.0, as the playground speaks it\n")
	return nil
}

// configNode is where the servers of an ensemble are written down.
const configNode = "/zookeeper/config"

func config(ctx context.Context, c *Console, _ command, p parsed) error {
	data, s, err := c.session.GetData(ctx, configNode, p.has("w"))
	if err != nil {
		return failed(err, configNode)
	}
	text := formatData(data)
	if p.has("c") {
		text = clientAddresses(data) + "\n"
	}
	c.answer(text, s, p)
	return nil
}

// clientAddresses is a configuration as clients need it: the addresses of those servers
// that have one for clients, and the version.
func clientAddresses(config []byte) string {
	var addresses []string
	version := ""
	for line := range bytes.Lines(config) {
		key, value, _ := strings.Cut(strings.TrimSpace(string(line)), "=")
		switch {
		case strings.HasPrefix(key, "version"):
			version = value
		case strings.HasPrefix(key, "server."):
			if _, address, has := strings.Cut(value, ";"); has {
				addresses = append(addresses, address)
			}
		}
	}
	return strings.Join(addresses, ",") + " " + version
}

func reconfig(ctx context.Context, c *Console, k command, p parsed) error {
	whole, part := p.has("file") || p.has("members"), p.has("add") || p.has("remove")
	if !whole && !part {
		return wrong(k.usage())
	}
	from := int64(-1)
	if p.has("v") {
		var err error
		if from, err = strconv.ParseInt(p.values["v"], 16, 64); err != nil {
			return wrong("-v must be followed by a long (configuration version)")
		}
	}
	switch {
	case whole && part:
		return wrong("Can't use -file or -members together with -add or -remove (mixing incremental" +
			" and non-incremental modes is not allowed)")
	case p.has("file") && p.has("members"):
		return wrong("Can't use -file and -members together (conflicting non-incremental modes)")
	case p.has("file"):
		return wrong("reconfig does not read files here: use -members")
	}
	lower := func(name string) string { return strings.ToLower(p.values[name]) }
	err := c.session.Do(ctx, func(conn *wire.Client) error {
		data, stat, err := conn.Reconfig(ctx, lower("add"), lower("remove"), lower("members"), from)
		if err == nil {
			c.answer(fmt.Sprintf("Committed new configuration:\n%s\n", data), stat, p)
		}
		return err
	})
	return failed(err, "")
}
