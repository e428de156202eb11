package recipe

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 11, New: newMulti,
	RecipeKind: scenario.RecipeKind{Name: "multi", Title: "Several as one",
		Sentence: "One transaction makes a znode in each queue: who is ahead in one is ahead in all, so that nobody waits in a circle.",
		Code: []scenario.Line{
			Connect, Think,
			{Text: "me = create dir/_c_<guid>-lock- in every dir, in one transaction", At: at{scenario.Idle}, Awaits: []string{"multi"}},
			{Text: "if the reply is lost: list the dirs, and find me by the guid", At: at{scenario.Idle}, Awaits: []string{"sync", "getChildren", "exists"}},
			{Text: "for each dir, repeat:"}, List, First, Ahead, Watch, Sleep,
			{Text: "see that all znodes are still there, in one transaction", At: looking, Awaits: []string{"multi"}},
			Work,
			{Text: "delete me in every dir, in one transaction", At: at{scenario.Idle}, Awaits: []string{"multi"}},
			Again,
		}}})

// multi takes all locks at once.
type multi struct {
	lock *zklock.Multi
	err  error
}

func newMulti(e Env) Lock {
	lock, err := zklock.NewMulti(e.Session, e.Paths, textbook(e)...)
	return multi{lock, err}
}

func (m multi) Acquire(ctx context.Context, _ scenario.Turn) (Hold, error) {
	if m.err != nil {
		return nil, m.err
	}
	lease, err := m.lock.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return multiHold{lease}, nil
}

// multiHold goes by the znode of its first lock.
type multiHold struct{ *zklock.MultiLease }

func (h multiHold) Node() string { return h.Nodes()[0] }
