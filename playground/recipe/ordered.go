package recipe

import (
	"context"
	"errors"
	"slices"

	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 10, New: newOrdered,
	RecipeKind: scenario.RecipeKind{Name: "ordered", Title: "One after the other, in order",
		Sentence: "Whoever needs several locks asks for them in the order of their names: who has the last waits for nobody, so that nobody waits in a circle.",
		Code:     slices.Concat([]scenario.Line{Connect, Think, {Text: "for each dir, in the order of their names:"}}, OneByOneCode)}})

// OneByOneCode is what follows for each lock, and then.
var OneByOneCode = []scenario.Line{
	{Text: "  me = create dir/_c_<guid>-lock-, ephemeral, sequential", At: at{scenario.Idle, scenario.Holds}, Awaits: []string{"create"}},
	{Text: "  list dir; if me is not the lowest: watch the znode just before me", At: looking, Awaits: []string{"getChildren", "getData", "notification"}},
	Sleep,
	{Text: "  work with the locks so far", At: at{scenario.Holds}},
	{Text: "work, and stop if the session is lost", At: at{scenario.Holds}},
	{Text: "delete my znodes, the last first", At: at{scenario.Idle, scenario.Holds}, Awaits: []string{"delete"}},
	Again,
}

func newOrdered(e Env) Lock { return NewOneByOne(e, slices.Sorted(slices.Values(e.Paths))) }

// NewOneByOne takes the locks at paths, each while it holds those before.
func NewOneByOne(e Env, paths []string) Lock {
	var locks oneByOne
	for _, path := range paths {
		locks = append(locks, zklock.NewMutex(e.Session, path, textbook(e)...))
	}
	return locks
}

type oneByOne []*zklock.Mutex

// Acquire works for half of its time with what it has, before it asks for the next lock.
func (o oneByOne) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	var held leases
	for i, lock := range o {
		if i > 0 && !clock.Sleep(ctx, turn.Hold/2) {
			return nil, errors.Join(context.Cause(ctx), held.Unlock(ctx))
		}
		lease, err := lock.Lock(ctx)
		if err != nil {
			return nil, errors.Join(err, held.Unlock(ctx))
		}
		held = append(held, lease)
	}
	return held, nil
}

// leases are held together, and go by the znode of the first.
type leases []*zklock.Lease

func (l leases) Node() string          { return l[0].Node() }
func (l leases) Token() zklock.Token   { return l[0].Token() }
func (l leases) Lost() <-chan struct{} { return l[len(l)-1].Lost() } // one session has them all

func (l leases) Unlock(ctx context.Context) error {
	var errs []error
	for _, lease := range slices.Backward(l) {
		errs = append(errs, lease.Unlock(ctx))
	}
	return errors.Join(errs...)
}
