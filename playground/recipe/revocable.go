package recipe

import (
	"context"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/wire"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 7, New: newRevocable,
	RecipeKind: scenario.RecipeKind{Name: "revocable", Title: "Revocable lock",
		Sentence: "A holder watches its own znode. A client that writes into that asks it to give up, and it does so by itself.",
		Code: []scenario.Line{
			Connect, Think, Create, Find, Repeat, List, First, Ahead, Watch, Sleep,
			{Text: "  after too long: write __REVOKE__ into the first znode, and sleep on", At: at{scenario.Waiting}, Awaits: []string{"setData"}},
			{Text: "read me and watch it", At: at{scenario.Holds}, Awaits: []string{"getData"}},
			{Text: "work, and stop if the session is lost or somebody has written into me", At: at{scenario.Holds}},
			Delete, Again,
		}}})

// revocable is a mutex whose holders listen to those who ask for it.
type revocable struct {
	mutex   *zklock.Mutex
	process Process
}

func newRevocable(e Env) Lock {
	return revocable{zklock.NewMutex(e.Session, e.Path, zklock.WithTextbook(), zklock.WithLockTrace(e.Trace)), e.Process}
}

func (r revocable) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	if turn.Revoke > 0 {
		waiting, stop := context.WithCancel(ctx)
		defer stop()
		r.process.Go(func() { r.askFor(waiting, turn.Revoke) })
	}
	return holdOf(r.mutex.Lock(ctx))
}

// askFor asks who holds to give up, unless the wait ends before.
func (r revocable) askFor(waiting context.Context, after time.Duration) {
	if !clock.Sleep(waiting, after) {
		return
	}
	names, err := Ask(waiting, r.process, func(conn *zk.Conn) ([]string, error) {
		names, _, err := conn.Children(r.mutex.Path())
		return names, err
	})
	if err != nil || len(names) == 0 {
		return
	}
	first := slices.MinFunc(names, func(a, b string) int { return strings.Compare(wire.Sequence(a), wire.Sequence(b)) })
	_ = zklock.Revoke(waiting, r.process.Session(), path.Join(r.mutex.Path(), first)) // who has gone need not be asked
}
