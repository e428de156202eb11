package client

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/recipe"
)

// guarded is an account that is a znode. Each write is one transaction with a
// check that the znode of the writer's lock still exists: the server carries
// out both or neither. The data is the balance, and after a space the token of
// the writer; no data is an account that nobody has written to.
type guarded struct{ path string }

func (g guarded) read(ctx context.Context, c *Process, held recipe.Hold) (int64, bool) {
	data, err := recipe.Ask(ctx, environment{c, c.access.(*sessionAccess)}, g.content)
	if err != nil {
		return 0, false
	}
	balance := balanceOf(data)
	c.tell(event.Event{Kind: event.ResourceRead, Path: held.Node(), Token: int64(held.Token()), Balance: balance})
	return balance, true
}

// write repeats the transaction until it has an answer. To repeat it does no
// harm: while the lock's znode exists, nobody else can have written.
func (g guarded) write(ctx context.Context, c *Process, held recipe.Hold, read int64) {
	entry := fmt.Sprintf("%d %d", read+deposit, held.Token())
	for attempt := 0; ; attempt++ {
		_, err := recipe.Send(ctx, environment{c, c.access.(*sessionAccess)}, g.transaction(held, entry))
		if recipe.Answered(err) {
			g.conclude(c, held, read, err == nil || attempt > 0 && g.has(ctx, c, entry))
			return
		}
		if !clock.Sleep(ctx, recipe.AskPause) {
			return // nobody knows
		}
	}
}

func (g guarded) transaction(held recipe.Hold, entry string) func(*zk.Conn) ([]zk.MultiResponse, error) {
	return func(conn *zk.Conn) ([]zk.MultiResponse, error) {
		return conn.Multi(&zk.CheckVersionRequest{Path: held.Node(), Version: -1},
			&zk.SetDataRequest{Path: g.path, Data: []byte(entry), Version: -1})
	}
}

var znodeGone = event.NewCode("znode-of-lock-gone", "[stale: ]the znode of its lock is gone, so the server did not carry out the transaction")

func (guarded) conclude(c *Process, held recipe.Hold, read int64, done bool) {
	c.gate.Enter(nil)
	defer c.gate.Exit()
	if done {
		c.emit(acceptance(held, read))
		return
	}
	c.emit(refusal(held, read, 0, znodeGone.With()))
}

// has says whether the account's last writer wrote entry: an attempt that was
// not answered may have been carried out.
func (g guarded) has(ctx context.Context, c *Process, entry string) bool {
	data, err := recipe.Ask(ctx, environment{c, c.access.(*sessionAccess)}, g.content)
	return err == nil && string(data) == entry
}

// content reads the znode. A server that lags behind its leader catches up first.
func (g guarded) content(conn *zk.Conn) ([]byte, error) {
	if _, err := conn.Sync(g.path); err != nil {
		return nil, err
	}
	data, _, err := conn.Get(g.path)
	return data, err
}

// balanceOf reads what write has written.
func balanceOf(data []byte) int64 {
	digits, _, _ := strings.Cut(string(data), " ")
	balance, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return openingBalance
	}
	return balance
}
