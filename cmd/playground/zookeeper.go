package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// zookeeper runs a server alone, as serve would start it.
func (p program) zookeeper(ctx context.Context, args []string) error {
	flags := newFlags("zookeeper")
	home := flags.String("zookeeper-home", "", "`directory` where ZooKeeper is installed")
	data := flags.String("data", "", "`directory` for its data; empty means a temporary one")
	port := flags.Int("port", 2181, "`port` on 127.0.0.1; 0 picks a free one")
	if err := p.parse(flags, "zookeeper [flags]", args); err != nil {
		return err
	}
	if err := noArguments(flags); err != nil {
		return err
	}
	alone, err := startServers(ctx, zkserver.Config{
		Home: *home, Port: *port, Dir: serverDir(*data), AdminServer: true}, 1)
	if err != nil {
		return err
	}
	server := alone.Servers()[0]
	_, err = fmt.Fprintf(p.stdout, "zookeeper %s on %s, admin on http://%s/commands\n",
		server.Version(), server.Address(), server.AdminAddress())
	<-ctx.Done()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopManaged)
	defer cancel()
	return errors.Join(err, alone.Stop(stopping))
}
