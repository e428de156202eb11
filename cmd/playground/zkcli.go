package main

import (
	"context"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/zkplayground/zkplayground/playground/zkcli"
)

// endSession bounds the good end of a console's session; one that is not closed by
// then ends by its timeout.
const endSession = 4 * time.Second

// An exitStatus is the exit code of a command that has said all there is to say.
type exitStatus int

func (e exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// zkcli runs ZooKeeper's command line: the command that follows the flags, else those
// that are typed or read.
func (p program) zkcli(ctx context.Context, args []string) error {
	flags := newFlags("zkcli")
	server := flags.String("server", "localhost:2181", "`host:port` of ZooKeeper, or several with commas")
	timeout := flags.Int("timeout", int(zkcli.DefaultTimeout.Milliseconds()), "session timeout to ask for, in `milliseconds`")
	if err := p.parse(flags, "zkcli [-server host:port] [-timeout 30000] [COMMAND]", args); err != nil {
		return err
	}
	if *timeout <= 0 {
		return fmt.Errorf("%w: -timeout %d: it takes a time above 0", errUsage, *timeout)
	}
	if _, err := clientAddresses(*server); err != nil {
		return fmt.Errorf("%w: -server: %w", errUsage, err)
	}
	screen := p.screen()
	screen.write(zkcli.Out, "Connecting to "+*server+"\n")
	console, err := zkcli.New(zkcli.Config{Server: *server, Output: screen.write,
		Connect: connector(time.Duration(*timeout) * time.Millisecond)})
	if err != nil {
		return err
	}
	if flags.NArg() > 0 {
		console.Run(ctx, flags.Args())
	} else {
		screen.write(zkcli.Out, "Welcome to ZooKeeper!\n")
		err = screen.converse(ctx, console)
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), endSession)
	defer cancel()
	_ = console.Close(closing) // what could not be closed ends by its timeout
	if err == nil && console.ExitCode() != 0 {
		err = exitStatus(console.ExitCode())
	}
	return err
}

// connector begins sessions with a server, or with the first of several that answers.
func connector(timeout time.Duration) func(string, func(zkcli.Event)) (*zkcli.Client, error) {
	return func(server string, told func(zkcli.Event)) (*zkcli.Client, error) {
		servers, err := clientAddresses(server)
		if err != nil {
			return nil, err
		}
		return zkcli.NewClient(zkcli.ClientOptions{Servers: servers, Timeout: timeout, OnEvent: told}), nil
	}
}

// clientAddresses reads what -server and connect take: hosts with or without a port.
func clientAddresses(servers string) ([]string, error) {
	var list []string
	for _, server := range strings.Split(servers, ",") {
		if strings.Contains(server, "/") {
			return nil, fmt.Errorf("%s: a path behind the server is not supported", server)
		}
		if !strings.Contains(server, ":") {
			server += ":2181"
		}
		host, _, err := net.SplitHostPort(server)
		if err != nil {
			return nil, err
		}
		if host == "" {
			return nil, fmt.Errorf("%s: the host is missing", server)
		}
		list = append(list, server)
	}
	return list, nil
}
