package run

import (
	"context"
	"errors"
	"path"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
)

// directorySession is the session timeout of the connections that make and remove
// the directories; they own nothing.
const directorySession = 10 * time.Second

// directories are the lock directories, and the accounts that are znodes.
func (r *Run) directories() []string {
	var nodes []string
	for _, lane := range r.inZooKeeper() {
		nodes = append(nodes, lane.Path)
		if lane.Account == scenario.AccountGuard {
			nodes = append(nodes, client.AccountPath(r.root, lane))
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

// removeDirectories removes what createDirectories made, up to the base, unless
// somebody else uses it.
func (r *Run) removeDirectories(ctx context.Context) error {
	return r.zookeeper.Do(ctx, directorySession, func(conn *wire.Client) error { return r.remove(ctx, conn) })
}

func (r *Run) remove(ctx context.Context, conn *wire.Client) error {
	var errs []error
	for _, node := range r.directories() {
		errs = append(errs, deleteAll(ctx, conn, node))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return conn.DeleteEmpty(ctx, r.root, r.config.Base)
}

// deleteAll removes a znode with its children, as the contenders that are left
// in a lock directory. One that does not go, because somebody else has made
// znodes below it, does not keep the others.
func deleteAll(ctx context.Context, conn *wire.Client, dir string) error {
	names, _, err := conn.Children(ctx, dir)
	if errors.Is(err, wire.NoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if err := conn.Delete(ctx, path.Join(dir, name)); !errors.Is(err, wire.NoNode) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return conn.Delete(ctx, dir)
}
