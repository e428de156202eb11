package run

import (
	"context"
	"errors"
	"time"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// directorySession is the session timeout of the connections that make and remove
// the directories; they own nothing.
const directorySession = 10 * time.Second

// directories are what the clients of the lanes find: the lock directories, and the
// accounts that are znodes.
func (r *Run) directories() []string {
	var nodes []string
	for _, lane := range r.inZooKeeper() {
		nodes = append(nodes, lane.Directories()...)
		if lane.Account == scenario.AccountGuard {
			nodes = append(nodes, lane.AccountPath())
		}
	}
	return nodes
}

// createDirectories makes them and all that is above them, or nothing.
func (r *Run) createDirectories(ctx context.Context) error {
	begun := false
	err := r.zookeeper.Do(ctx, directorySession, func(conn *wire.Client) error {
		begun = true
		for _, node := range r.directories() {
			if err := conn.CreateAll(ctx, node); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !begun {
		return err
	}
	// Ctx or the connection may be what failed, so undo it without them.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	return errors.Join(err, r.removeDirectories(ctx))
}

// undoTimeout bounds the clean-up after a start that failed.
const undoTimeout = 2 * time.Second

// removeDirectories removes the lanes' roots with whatever clients and guests have made
// there, and what is above them up to the base, unless somebody else uses it.
func (r *Run) removeDirectories(ctx context.Context) error {
	return r.zookeeper.Do(ctx, directorySession, func(conn *wire.Client) error { return r.remove(ctx, conn) })
}

func (r *Run) remove(ctx context.Context, conn *wire.Client) error {
	var errs []error
	for _, lane := range r.lanes {
		errs = append(errs, conn.DeleteTree(ctx, lane.Root))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return conn.DeleteEmpty(ctx, r.root, r.config.Base)
}
