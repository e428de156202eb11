// Package broken has faithful copies of real bugs in lock recipes, and recipes
// that people write themselves, to run beside those that are right.
//
// Each is a recipe.Recipe like any other. Most of them are a queue of znodes in
// which one part is replaced by the flawed one; what is theirs is in the function
// that makes them. None of this is for use elsewhere.
package broken

import (
	"context"
	"fmt"
	"path"

	"github.com/go-zookeeper/zk"

	"github.com/zkplayground/zkplayground/playground/recipe"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock/teach"
)

// All returns the broken recipes.
func All() []recipe.Recipe {
	return []recipe.Recipe{
		{RecipeKind: scenario.RecipeKind{Name: "adopting", Title: "Adopts its old znode", Capabilities: scenario.Capabilities{Broken: true},
			Sentence: "After a lost connection it takes the znode of its old session for its own, which goes with that session (CURATOR-604).",
			Code:     adoptingCode},
			New: newAdopting},
		{RecipeKind: scenario.RecipeKind{Name: "deaf", Title: "Listens to nothing", Capabilities: scenario.Capabilities{Broken: true},
			Sentence: "The holder has no listener for its session, so it works on after the session has expired (CURATOR-206).",
			Code:     deafCode},
			New: newDeaf},
		{RecipeKind: scenario.RecipeKind{Name: "flag", Title: "A flag in a znode", Capabilities: scenario.Capabilities{Broken: true, NoQueue: true, NoZnode: true},
			Sentence: "The lock is a value in a persistent znode: nothing takes it back when its holder dies.",
			Code:     flagCode},
			New: newFlag},
		{RecipeKind: scenario.RecipeKind{Name: "gozookeeper", Title: "go-zookeeper's lock", Capabilities: scenario.Capabilities{Broken: true, Silent: true},
			Sentence: "The lock of the Go library: it never looks whether its own znode is still in the queue.",
			Code:     goZooKeeperCode},
			New: newGoZooKeeper},
		localFirstRecipe,
		nestedRecipe,
		{RecipeKind: scenario.RecipeKind{Name: "plain", Title: "Repeats its create", Capabilities: scenario.Capabilities{Broken: true},
			Sentence: "After an error it creates its znode again: if only the reply was lost, it waits for itself.",
			Code:     plainCode},
			New: newPlain},
		{RecipeKind: scenario.RecipeKind{Name: "redelete", Title: "Repeats its delete", Capabilities: scenario.Capabilities{Broken: true, NoQueue: true},
			Sentence: "The lock is one ephemeral znode, which always has the same name. If the reply to its delete is lost, it deletes again: by then the znode may be the next holder's.",
			Code:     redeleteCode},
			New: func(e recipe.Env) recipe.Lock { return recipe.NewEphemeral(e, false) }},
		{RecipeKind: scenario.RecipeKind{Name: "writelock", Title: "ZooKeeper's WriteLock", Capabilities: scenario.Capabilities{Broken: true},
			Sentence: "It waits for its predecessor whether or not that is still there: one that went in between is waited for without end.",
			Code:     writeLockCode},
			New: newWriteLock},
	}
}

// at are the states of a client that stands at a line.
type at = []scenario.ClientState

// newAdopting is a faithful copy of the flaw that is open in Curator as
// CURATOR-604: after a lost connection it goes on in a new session, finds its
// znode by the guid, and does not ask which session that belongs to. It is the
// old one's, and the server deletes it when that session expires.
func newAdopting(e recipe.Env) recipe.Lock {
	q := newQueue(e)
	q.unsure = func(ctx context.Context, h *hold) error {
		if err := e.Process.Renew(ctx); err != nil {
			return err
		}
		h.life = e.Process.Session().Context()
		return nil
	}
	return q
}

var adoptingCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.Create,
	{Text: "if the connection is lost meanwhile: open another session", At: at{scenario.Idle, scenario.Lost, scenario.Expired}, Awaits: []string{"connect"}},
	{Text: "  list dir, and take the znode with the guid for me", At: at{scenario.Idle}, Awaits: []string{"getChildren"},
		Wrong: "it may be the old session's, and goes when that expires"},
	recipe.Repeat, recipe.List, recipe.First, recipe.Ahead, recipe.Watch, recipe.Sleep, recipe.Work, recipe.Delete, recipe.Again,
}

// newDeaf is a faithful copy of the flaw in every program that takes a lock of
// Curator's and adds no listener for its session (CURATOR-206): nobody tells
// the holder that its session has expired, so it works on.
func newDeaf(e recipe.Env) recipe.Lock {
	q := newQueue(e)
	q.ignoresLoss = true
	return q
}

var deafCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.Create, recipe.Find,
	recipe.Repeat, recipe.List, recipe.First, recipe.Ahead, recipe.Watch, recipe.Sleep,
	{Text: "work, until all is done", At: at{scenario.Holds},
		Wrong: "nobody listens for the loss of the session"},
	recipe.Delete, recipe.Anew,
}

// newPlain is a faithful copy of the flaw that most locks had at first: after
// an error the create is repeated, as a read would be. If only the reply was
// lost, the client then stands in the queue twice and waits for itself.
//
// Its znodes bear the client's number, so that readers of the tree know whose
// they are. The client itself makes nothing of that.
func newPlain(e recipe.Env) recipe.Lock {
	q := newQueue(e)
	mark := fmt.Sprintf("_c_%s-", e.Process.Label())
	q.enter = func(ctx context.Context, h *hold) error {
		node, err := recipe.Ask(ctx, e.Process, q.create(mark))
		if err == nil {
			h.entered(node)
		}
		return err
	}
	return q
}

var plainCode = []scenario.Line{
	recipe.Connect, recipe.Think,
	{Text: "me = create dir/_c_<my name>-lock-, ephemeral, sequential", At: at{scenario.Idle}, Awaits: []string{"create"}},
	{Text: "if the reply is lost: create once more",
		Wrong: "the first znode may be there: the client then waits for itself"},
	recipe.Repeat, recipe.List, recipe.First, recipe.Ahead, recipe.Watch, recipe.Sleep, recipe.Work, recipe.Delete, recipe.Again,
}

var redeleteCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.Repeat,
	{Text: "  create dir/holder, ephemeral; if that is done: it holds, leave the loop", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"create"}},
	{Text: "  read holder and watch it; if it is mine: leave the loop; if it is gone: try again", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"getData", "notification"}},
	{Text: "  sleep until the watch fires, as all others do who wait", At: at{scenario.Waiting}},
	recipe.Work,
	{Text: "delete holder", At: at{scenario.Idle}, Awaits: []string{"delete"}},
	{Text: "if the reply is lost: delete it once more",
		Wrong: "by then it may be another client's znode"},
	recipe.Again,
}

// newWriteLock is a faithful copy of the flaw in WriteLock, a recipe that comes
// with ZooKeeper: it lists, asks with a watch whether the predecessor exists,
// and then waits whether or not it does. If the predecessor went in between,
// the watch is on a znode that will never be made again.
func newWriteLock(e recipe.Env) recipe.Lock {
	q := newQueue(e)
	q.watch = func(ctx context.Context, predecessor string) (<-chan zk.Event, error) {
		return recipe.Ask(ctx, e.Process, func(conn *zk.Conn) (<-chan zk.Event, error) {
			_, _, change, err := conn.ExistsW(predecessor)
			return change, err
		})
	}
	return q
}

var writeLockCode = []scenario.Line{
	recipe.Connect, recipe.Think, recipe.Create, recipe.Find,
	recipe.Repeat, recipe.List, recipe.First, recipe.Ahead,
	{Text: "  ask whether ahead exists, and watch it", At: at{scenario.Enqueued, scenario.Woken}, Awaits: []string{"exists", "notification"}},
	{Text: "  sleep until the watch fires, whatever the answer was", At: at{scenario.Waiting},
		Wrong: "if ahead was gone already, the watch never fires"},
	recipe.Work, recipe.Delete, recipe.Again,
}

// flag is the library's own teach.FlagLock: a flag in the data of one
// persistent znode, as one would make a lock of a database row.
type flag struct{ lock *teach.FlagLock }

func newFlag(e recipe.Env) recipe.Lock {
	return flag{teach.NewFlagLock(e.Session, path.Join(e.Path, "flag"), e.Trace)}
}

var flagCode = []scenario.Line{
	recipe.Connect, recipe.Think,
	{Text: recipe.Repeat.Text, At: at{scenario.Woken}},
	{Text: "  read the znode flag and watch it", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"getData"}},
	{Text: "  if there is none: create it, persistent", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"create"},
		Wrong: "it outlives its holder, and so does what stands in it"},
	{Text: "  if it is empty: write my own text, if nobody else has written; then it holds", At: at{scenario.Idle, scenario.Woken}, Awaits: []string{"setData"}},
	{Text: "  sleep until the watch fires", At: at{scenario.Waiting},
		Wrong: "everybody is woken, there is no queue"},
	{Text: "work, until all is done", At: at{scenario.Holds}},
	{Text: "empty the flag", At: at{scenario.Idle}, Awaits: []string{"setData"},
		Wrong: "if the holder dies before, nobody does"},
	recipe.Anew,
}

func (f flag) Acquire(ctx context.Context, _ scenario.Turn) (recipe.Hold, error) {
	held, err := f.lock.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return flagHold{held}, nil
}

// flagHold has no znode of its own, and nothing ends it but Unlock.
type flagHold struct{ *teach.FlagHold }

func (flagHold) Node() string          { return "" }
func (flagHold) Lost() <-chan struct{} { return nil }
