package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/zkplayground/zkplayground/playground/guests"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

// listenForGuests returns a server at an address, nil for none.
func (p program) listenForGuests(ctx context.Context, address string) (*guests.Server, error) {
	if address == "" {
		return nil, nil
	}
	listener, err := listen(ctx, "-guests", address)
	if err != nil {
		return nil, err
	}
	return guests.New(listener, guests.Config{Address: address, Limits: room.DefaultLimits().Guest, Log: slog.New(slog.NewTextHandler(p.stderr, nil))}), nil
}

// letIn lets guests into a run, and says how they join.
func letIn(server *guests.Server, run *run.Run, b *backend, told io.Writer) {
	server.Use(b.describe, b.newestZxid)
	place := guests.Alone(run)
	server.Open(place)
	status, _ := server.Status(place.Name())
	host, port, _ := net.SplitHostPort(status.Address) // that of a listener
	fmt.Fprintf(told, "guests join at %s, where the lock is %s: zkCli.sh -server %[1]s\n", status.Address, status.Lock)
	fmt.Fprintf(told, "for a port of one name: echo '{\"type\":\"join\",\"name\":\"NAME\"}' | nc -q1 %s %s\n", host, port)
}
