package chaos

import (
	"context"
	"errors"
	"path"
	"time"

	"github.com/zkplayground/zkplayground/playground/wire"
)

// drainPause is between two looks at queues that are to become empty.
const drainPause = 20 * time.Millisecond

// drain waits until the queues are empty, with all sessions alive: what is
// left then, nobody will delete. It returns that.
func (r *round) drain(ctx context.Context) (orphans []string, err error) {
	err = r.onServer(ctx, func(ctx context.Context, c *wire.Client) error {
		ctx, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		for {
			left, err := r.queued(ctx, c)
			if err != nil {
				return err
			}
			orphans = left
			if len(left) == 0 || !pause(ctx, drainPause) {
				return nil
			}
		}
	})
	if r.Drained != nil && err == nil {
		r.Drained()
	}
	return orphans, err
}

// queued returns the znodes in the lock directories.
func (r *round) queued(ctx context.Context, c *wire.Client) (nodes []string, err error) {
	for _, k := range r.Kinds {
		dir := path.Join(r.Root, k.Name)
		names, _, err := c.Children(ctx, dir)
		if err != nil && !missing(err) {
			return nil, err
		}
		for _, name := range names {
			nodes = append(nodes, path.Join(dir, name))
		}
	}
	return nodes, nil
}

// missing reports whether an error says that there is no such znode.
func missing(err error) bool { return errors.Is(err, wire.NoNode) }

// close ends the sessions, each within its own time.
func (r *round) close(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
	defer cancel()
	var errs []error
	for _, c := range r.clients {
		errs = append(errs, c.close(ctx))
	}
	return errors.Join(errs...)
}
