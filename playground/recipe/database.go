package recipe

import (
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/store/resp"
)

var _ = register(Recipe{order: 20, New: newDatabase,
	RecipeKind: scenario.RecipeKind{Name: "database", Title: "Database row", Capabilities: scenario.Capabilities{Store: store.KindSQLite, NoQueue: true},
		Sentence: "The lock is a row of a table that takes each name once. Whoever inserts it holds, until it is deleted: by its holder, or by an operator if that has died.",
		Code: []scenario.Line{
			{Text: "connect to the database", At: at{scenario.Connecting}},
			Think, Repeat,
			{Text: "  INSERT the row, which is committed only if there is none of that name; if that is done: it holds, leave the loop",
				At: at{scenario.Idle, scenario.Waiting}, Awaits: []string{resp.Insert}},
			{Text: "  if the reply was lost: SELECT the row with me in it; if it is there: it holds, leave the loop",
				At: at{scenario.Idle, scenario.Waiting}, Awaits: []string{"SELECT"}},
			{Text: "  sleep a while, and try again", At: at{scenario.Waiting}},
			{Text: "work; the row stays, whatever becomes of me", At: at{scenario.Holds}},
			{Text: "DELETE the row", At: at{scenario.Idle}, Awaits: []string{resp.DeleteOf}},
			{Text: "if it was gone: an operator has deleted it", At: at{scenario.Lost, scenario.Expired}},
		}}})

// databaseRow is a row of the table locks; its version is the fence.
type databaseRow struct{ name string }

func newDatabase(e Env) Lock {
	return newPolled(e, func(key string) entry { return databaseRow{key} })
}

func (d databaseRow) take(holder string) []any {
	return []any{resp.SQL, "INSERT INTO locks (name, holder) VALUES (?, ?)", d.name, holder}
}

func (d databaseRow) look(holder string) []any {
	return []any{resp.SQL, "SELECT version FROM locks WHERE name = ? AND holder = ?", d.name, holder}
}

func (d databaseRow) isMine(any, string) bool { return true } // no other row is found

func (d databaseRow) free(holder string) []any {
	return []any{resp.SQL, "DELETE FROM locks WHERE name = ? AND holder = ?", d.name, holder}
}
