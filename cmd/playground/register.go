package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/zkplayground/zkplayground/playground/sweep"
	"github.com/zkplayground/zkplayground/playground/zkserver"
)

// base is the topmost znode that is the playground's own.
const base = "/playground"

const (
	// registerTimeout bounds the registration with a ZooKeeper that has answered.
	registerTimeout = 15 * time.Second
	// unregisterTimeout is what its end may take after that of the runs, however long
	// they took.
	unregisterTimeout = 400 * time.Millisecond
	// leaveTimeout is what it may take after that of a headless run.
	leaveTimeout = time.Second
)

// register tells other playgrounds on the same ZooKeeper that this one lives, and
// removes what those have left that do not.
func (b *backend) register(ctx context.Context, name string, inUse func(room, run string) bool, log *slog.Logger) (*sweep.Sweeper, error) {
	registering, cancel := context.WithTimeout(ctx, registerTimeout)
	defer cancel()
	sweeper, err := sweep.Start(registering, sweep.Config{ZooKeeper: b.ensemble(),
		Base: base, Name: name, InUse: inUse, Log: log})
	if err != nil && ctx.Err() != nil {
		return nil, errInterrupted
	}
	return sweeper, err
}

// unregister ends it in the time that ctx has, or in unregisterTimeout if that is later,
// or if ZooKeeper does not answer. One that has gone is told of no more, and ends the
// registration by itself: that is no failure.
func (b *backend) unregister(ctx context.Context, sweeper *sweep.Sweeper) error {
	until := time.Now().Add(unregisterTimeout)
	if deadline, ok := ctx.Deadline(); ok && deadline.After(until) && b.answers() {
		until = deadline
	}
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), until)
	defer cancel()
	err := sweeper.Close(ctx)
	if err == nil || ctx.Err() != nil || errors.Is(err, sweep.ErrAway) {
		return nil
	}
	return fmt.Errorf("leave ZooKeeper: %w", err)
}

// answers says whether a server answers now.
func (b *backend) answers() bool {
	return slices.ContainsFunc(b.monitor.Current(), func(s zkserver.Status) bool { return s.State == zkserver.Live })
}
