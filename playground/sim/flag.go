package sim

import (
	"context"
	"path"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// flag is the library's own teach.FlagLock: a flag in the data of one
// persistent znode, as one would make a lock of a database row.
type flag struct{ lock *teach.FlagLock }

func newFlag(c *client, lane event.Lane) contender {
	lock := teach.NewFlagLock(c.session.Load(), path.Join(lane.Path, "flag"), c.trace(lane.Recipe))
	return flag{lock}
}

func (f flag) acquire(ctx context.Context, _ bool) (grip, error) {
	held, err := f.lock.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return flagGrip{held}, nil
}

// flagGrip has no znode of its own, and nothing ends it but Unlock.
type flagGrip struct{ *teach.FlagHold }

func (flagGrip) Node() string          { return "" }
func (flagGrip) Lost() <-chan struct{} { return nil }
