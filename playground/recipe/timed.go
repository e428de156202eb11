package recipe

import (
	"context"
	"time"

	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/zklock"
)

var _ = register(Recipe{order: 5, New: newTimed,
	RecipeKind: scenario.RecipeKind{Name: "timed", Title: "Timed lock",
		Sentence: "A client says how long it will wait for the lock, or that it will not. A client that gives up takes its znode out of the queue.",
		Code: []scenario.Line{
			Connect, Think, Create, Find, Repeat, List,
			{Text: "  if me is not there: somebody has deleted it; start over, at most 10 times"},
			First,
			{Text: "  if the time is up, or there was none: delete me and give up", At: looking, Awaits: []string{"delete"}},
			Ahead, Watch,
			{Text: "  sleep until the watch fires or the time is up", At: at{scenario.Waiting}},
			Work, Delete, Again,
		}}})

// timed is a mutex for which a client waits for some time only, or not at all.
type timed struct{ mutex *zklock.Mutex }

func newTimed(e Env) Lock { return timed{zklock.NewMutex(e.Session, e.Path, textbook(e)...)} }

func (t timed) Acquire(ctx context.Context, turn scenario.Turn) (Hold, error) {
	if turn.Try {
		return holdOf(t.mutex.TryLock(ctx))
	}
	if turn.Timeout > 0 {
		bounded, cancel := context.WithTimeoutCause(ctx, turn.Timeout, timeUp(turn.Timeout))
		defer cancel()
		ctx = bounded
	}
	return holdOf(t.mutex.Lock(ctx))
}

// timeUp is why a client gives up that has waited for so long.
type timeUp time.Duration

func (t timeUp) Error() string { return t.Reason().English() }

var waitsAtMost = event.NewCode("waits-at-most", "it waits for {span} at most")

// Reason is that for the log.
func (t timeUp) Reason() *event.Reason { return waitsAtMost.With(time.Duration(t)) }

func (timeUp) Unwrap() error { return context.DeadlineExceeded }
