package sim

import (
	"context"
	"errors"
	"path"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// groundSession is the session timeout of the connections that plant and
// uproot; they own nothing.
const groundSession = 10 * time.Second

// ground are the lock directories, and the accounts that are znodes.
func (r *Run) ground() []string {
	var nodes []string
	for _, lane := range r.lanes {
		nodes = append(nodes, lane.Path)
		if lane.Account == "guard" {
			nodes = append(nodes, accountPath(r.root, lane))
		}
	}
	return nodes
}

// plant makes the ground and all that is above it, or nothing.
func (r *Run) plant(ctx context.Context) error {
	begun := false
	err := r.onZooKeeper(ctx, func(client *wire.Client) error {
		begun = true
		for _, node := range r.ground() {
			if err := createAll(ctx, client, node); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil || !begun {
		return err
	}
	// Ctx or the connection may be what failed, so undo it without them.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoPatience)
	defer cancel()
	return errors.Join(err, r.uproot(ctx))
}

// undoPatience bounds the clean-up after a start that failed.
const undoPatience = 2 * time.Second

// createAll makes a znode and its missing parents.
func createAll(ctx context.Context, client *wire.Client, node string) error {
	err := client.Create(ctx, node)
	if errors.Is(err, wire.NoNode) {
		if err := createAll(ctx, client, path.Dir(node)); err != nil {
			return err
		}
		return createAll(ctx, client, node) // the parent may be gone again: uprooting is concurrent
	}
	if errors.Is(err, wire.NodeExists) {
		return nil
	}
	return err
}

// uproot removes what plant made, up to the base, unless somebody else uses it.
func (r *Run) uproot(ctx context.Context) error {
	return r.onZooKeeper(ctx, func(client *wire.Client) error { return r.remove(ctx, client) })
}

func (r *Run) remove(ctx context.Context, client *wire.Client) error {
	var errs []error
	for _, node := range r.ground() {
		errs = append(errs, deleteAll(ctx, client, node))
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	for node := r.root; len(node) >= len(r.config.Base) && node != "/"; node = path.Dir(node) {
		err := client.Delete(ctx, node)
		if errors.Is(err, wire.NotEmpty) {
			return nil
		}
		if err != nil && !errors.Is(err, wire.NoNode) {
			return err
		}
	}
	return nil
}

// deleteAll removes a znode with its children, as the contenders that are left
// in a lock directory. One that does not go, because somebody else has made
// znodes below it, does not keep the others.
func deleteAll(ctx context.Context, client *wire.Client, dir string) error {
	names, _, err := client.Children(ctx, dir)
	if errors.Is(err, wire.NoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	var errs []error
	for _, name := range names {
		if err := client.Delete(ctx, path.Join(dir, name)); !errors.Is(err, wire.NoNode) {
			errs = append(errs, err)
		}
	}
	if err := errors.Join(errs...); err != nil {
		return err
	}
	return client.Delete(ctx, dir)
}

// onZooKeeper does something on a connection of its own.
func (r *Run) onZooKeeper(ctx context.Context, do func(*wire.Client) error) error {
	if err := r.config.Gate(ctx); err != nil {
		return err
	}
	client, err := connect(ctx, r.config.Servers, wire.Options{Timeout: groundSession})
	if err != nil {
		return err
	}
	return errors.Join(do(client), client.CloseSession(ctx))
}
