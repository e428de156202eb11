package recipe

import (
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

var _ = register(Recipe{order: 1, New: newHerd,
	RecipeKind: scenario.RecipeKind{Name: "herd", Title: "Herd",
		Sentence: "Every waiter watches the lock directory: each release wakes all of them, and all but one for nothing.",
		Code: []scenario.Line{
			Connect, Think, Create, Find, Repeat,
			{Text: "  list dir and watch it", At: looking},
			First,
			{Text: "  sleep until dir changes in any way", At: at{scenario.Waiting}},
			Work, Delete, Again,
		}}})

func newHerd(e Env) Lock {
	return exclusive{teach.NewHerdMutex(e.Session, e.Path, zklock.WithOwnWatch(false), zklock.WithLockTrace(e.Trace))}
}
