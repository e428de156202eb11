package recipe

import (
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/store"
	"github.com/zkplayground/zkplayground/playground/store/resp"
)

var _ = register(Recipe{order: 21, New: newCache,
	RecipeKind: scenario.RecipeKind{Name: "cache", Title: "Cache key", Capabilities: scenario.Capabilities{Store: store.KindRedis, NoQueue: true, NoZnode: true},
		Sentence: "The lock is a key of Redis that goes by itself after a while. Whoever makes it holds, for that long; nobody tells a holder that its time is up, and there is no number to tell an old holder from a new one.",
		Code: []scenario.Line{
			{Text: "connect to Redis", At: at{scenario.Connecting}},
			Think, Repeat,
			{Text: "  SET key me NX PX expiry: made only if nobody has it; if that is done: it holds, leave the loop",
				At: at{scenario.Idle, scenario.Waiting}, Awaits: []string{resp.SetNXPX}},
			{Text: "  if the reply was lost: GET key; if it is mine: it holds, leave the loop",
				At: at{scenario.Idle, scenario.Waiting}, Awaits: []string{"GET"}},
			{Text: "  sleep a while, and try again", At: at{scenario.Waiting}},
			{Text: "work; whether the time is up nobody tells", At: at{scenario.Holds}},
			{Text: "delete key if it is still mine, in one script", At: at{scenario.Idle}, Awaits: []string{resp.Eval}},
			{Text: "if it was not: somebody else may have held meanwhile", At: at{scenario.Lost, scenario.Expired}},
		}}})

// cacheKey is a key of Redis that expires.
type cacheKey struct {
	key    string
	expiry int64 // in milliseconds
}

func newCache(e Env) Lock {
	return newPolled(e, func(key string) entry { return cacheKey{key, e.Expiry.Milliseconds()} })
}

func (c cacheKey) take(holder string) []any {
	return []any{"SET", c.key, holder, "NX", "PX", c.expiry}
}

func (c cacheKey) look(string) []any { return []any{"GET", c.key} }

func (c cacheKey) isMine(reply any, holder string) bool { return reply == holder }

// compareAndDelete keeps a holder whose time is up from deleting the key of the next.
const compareAndDelete = `if redis.call("GET", KEYS[1]) == ARGV[1] then return redis.call("DEL", KEYS[1]) end return 0`

func (c cacheKey) free(holder string) []any {
	return []any{resp.Eval, compareAndDelete, 1, c.key, holder}
}
