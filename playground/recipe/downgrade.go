package recipe

import (
	"context"

	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 8, New: newDowngrading,
	RecipeKind: scenario.RecipeKind{Name: "downgrade", Title: "Read-write lock with downgrade", Capabilities: scenario.Capabilities{Shared: true},
		Sentence: "A writer becomes a reader without letting go: a reader's znode takes the place of its own, under the same number.",
		Code: []scenario.Line{
			Connect, Think, CreateMode, Find, Repeat, List, ToRead, ToWrite, NoneAhead,
			Watch, Sleep,
			{Text: "to write: work, and when nothing is left to write, in one transaction:", At: at{scenario.Holds}},
			{Text: "  create dir/_c_<guid>-__READ__<the number of me>, and delete me", At: at{scenario.Holds, scenario.Idle}, Awaits: []string{"multi"}},
			Work, Delete, Again,
		}}})

// downgrading is the recipe whose writers become readers.
type downgrading struct {
	readWrite
	released func(zklock.ReleaseStartInfo)
	told     string // the znode of the writer that has released, as has been told
}

// newDowngrading has it told that a writer has released when it asks to be a reader, and
// not when that is answered: from then on it writes nothing, and readers may be woken
// before it is answered.
func newDowngrading(e Env) Lock {
	d := &downgrading{released: e.Trace.ReleaseStart}
	trace := *e.Trace
	trace.ReleaseStart = d.releaseStart
	e.Trace = &trace
	d.readWrite = readWrite{zklock.NewRWMutex(e.Session, e.Path, textbook(e)...)}
	return d
}

// releaseStart tells each release once. It is called where the client works.
func (d *downgrading) releaseStart(i zklock.ReleaseStartInfo) {
	if i.Node != d.told {
		d.told = i.Node
		d.released(i)
	}
}

func (d *downgrading) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	if !turn.Write {
		return d.readWrite.Acquire(ctx, turn)
	}
	lease, err := d.lock.Lock(ctx)
	if err != nil {
		return nil, err
	}
	return writing{lease, d}, nil
}

// writing is the hold of a writer that will become a reader.
type writing struct {
	*zklock.Lease
	lock *downgrading
}

func (w writing) AtHalfTime(ctx context.Context) (Hold, error) {
	w.lock.releaseStart(zklock.ReleaseStartInfo{Node: w.Node(), Token: w.Token(), Mode: zklock.ModeWrite})
	return holdOf(w.Downgrade(ctx))
}
