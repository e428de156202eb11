package judging

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
)

var (
	// ErrUnderWay is returned for a room whose judgement has not ended.
	ErrUnderWay = errors.New("a judgement is under way in this room, stop it or wait for its end")
	// ErrNoProgram is returned where there is nothing to judge.
	ErrNoProgram = errors.New("there is nothing to judge: send a source, or start the playground with -lock")
	// ErrNone is returned for a room that has no judgement.
	ErrNone = errors.New("nothing has been judged in this room")
	// ErrClosed is returned when the program is ending.
	ErrClosed = room.ErrClosed
)

// A Config says how to judge.
type Config struct {
	// Judge has all of judge.Config but what a judgement is about.
	Judge func() judge.Config
	// Command is what the server was started with, nil for nothing, and Starlark runs
	// sources.
	Command, Starlark *client.ProgramConfig
	// Most is how many judgements are under way at once; at least 1.
	Most int64
}

// Judgements are those of all rooms. Its methods are safe for concurrent use.
type Judgements struct {
	config Config
	life   context.Context
	end    context.CancelFunc

	mu     sync.Mutex
	all    []*judging // in the order in which they came
	seq    int64      // how often they have changed
	places int64      // that are free
	closed bool
	judged sync.WaitGroup
}

// A judging is the judgement of a room. The mutex of Judgements guards it.
type judging struct {
	Judgement
	room  *room.Room
	stop  context.CancelFunc
	turn  chan struct{} // closed when it has a place
	began time.Time
	seq   int64 // that of Judgements, when this one changed last
}

// New returns the judgements of a server, which has none yet.
func New(config Config) *Judgements {
	js := &Judgements{config: config, places: max(config.Most, 1)}
	js.life, js.end = context.WithCancel(context.Background())
	return js
}

// Start begins a judgement and returns how it stands. Its errors are [ErrUnderWay],
// [ErrNoProgram], and [ErrClosed].
func (js *Judgements) Start(r *room.Room, order Order, trials []judge.Trial) (Judgement, error) {
	program, err := js.program(order)
	if err != nil {
		return Judgement{}, err
	}
	js.mu.Lock()
	defer js.mu.Unlock()
	if js.closed {
		return Judgement{}, ErrClosed
	}
	if before := js.of(r); before != nil && before.underWay() {
		return Judgement{}, ErrUnderWay
	}
	js.all = slices.DeleteFunc(js.all, func(j *judging) bool { return j.room == r || j.isGone() })
	ctx, stop := context.WithCancel(js.life)
	j := &judging{Judgement: newJudgement(order, trials), room: r, stop: stop, turn: make(chan struct{})}
	js.all = append(js.all, j)
	js.admit()
	js.tell(j)
	js.judged.Go(func() {
		defer stop()
		js.judge(ctx, j, program, trials)
	})
	js.judged.Go(func() {
		select {
		case <-r.Gone():
			stop()
		case <-ctx.Done():
		}
	})
	return js.shown(j), nil
}

func (js *Judgements) program(order Order) (client.ProgramConfig, error) {
	switch {
	case order.Source != "" && js.config.Starlark != nil:
		return *js.config.Starlark, nil
	case order.Source == "" && js.config.Command != nil:
		return *js.config.Command, nil
	default:
		return client.ProgramConfig{}, ErrNoProgram
	}
}

// judge waits for a place, and does the trials.
func (js *Judgements) judge(ctx context.Context, j *judging, program client.ProgramConfig, trials []judge.Trial) {
	var result judge.Result
	var err error
	select {
	case <-ctx.Done():
	case <-j.turn:
		config := js.config.Judge()
		config.Program, config.Trials, config.Seed, config.Room = program, withSource(trials, j.Source), j.Seed, j.room.Name()
		config.NewID = j.room.NewRunID
		config.Began = func(t judge.Trial) { js.change(j, func() { j.begin(t) }) }
		config.Ended = func(o judge.Outcome) { js.change(j, func() { j.end(o) }) }
		config.Keep = func(o judge.Outcome, r *run.Run) error { j.room.Keep(r, len(o.Failed()) > 0); return nil }
		result, err = judge.Judge(ctx, config)
	}
	js.change(j, func() {
		if j.State == Running {
			js.places++
		}
		j.Millis = j.millis()
		j.finish(result, ctx.Err() != nil, err)
		js.admit()
		for _, other := range js.all { // some come forward in the line
			if other.underWay() {
				js.tell(other)
			}
		}
	})
	ended, _ := json.Marshal(j.Judgement) // nobody changes it any more
	j.room.KeepJudgement(ended)
}

// admit gives the free places to those that wait, in their order. The caller holds the mutex.
func (js *Judgements) admit() {
	for _, j := range js.all {
		if j.State == Waiting && js.places > 0 {
			js.places--
			j.State, j.began = Running, time.Now()
			close(j.turn)
		}
	}
}

// withSource are the trials of a source, which their runs then show.
func withSource(trials []judge.Trial, source string) []judge.Trial {
	if source == "" {
		return trials
	}
	trials = slices.Clone(trials)
	for i := range trials {
		trials[i].Scenario = trials[i].Scenario.WithSource(source, run.Catalogue())
	}
	return trials
}

func (js *Judgements) change(j *judging, how func()) {
	js.mu.Lock()
	defer js.mu.Unlock()
	how()
	js.tell(j)
}

// tell has those who look at the room of a judgement know that it has changed. The caller
// holds the mutex.
func (js *Judgements) tell(j *judging) {
	js.seq++
	j.seq = js.seq
	j.room.Tell()
}

// Seq is a number that grows with each change of a room's judgement; 0 before the first one.
func (js *Judgements) Seq(r *room.Room) int64 {
	js.mu.Lock()
	defer js.mu.Unlock()
	if j := js.of(r); j != nil {
		return j.seq
	}
	return 0
}

// Of returns the judgement of a room as it stands, or [ErrNone].
func (js *Judgements) Of(r *room.Room) (Judgement, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	if j := js.of(r); j != nil {
		return js.shown(j), nil
	}
	return Judgement{}, ErrNone
}

// Stop has the judgement of a room end, if it is under way. It does not wait for that.
func (js *Judgements) Stop(r *room.Room) error {
	js.mu.Lock()
	defer js.mu.Unlock()
	j := js.of(r)
	if j == nil {
		return ErrNone
	}
	j.stop()
	return nil
}

// Close ends all judgements and waits for that. There are no more.
func (js *Judgements) Close() {
	js.mu.Lock()
	js.closed = true
	js.mu.Unlock()
	js.end()
	js.judged.Wait()
}

// of is the judgement of a room, or that of an earlier program, or nil. The caller holds the
// mutex.
func (js *Judgements) of(r *room.Room) *judging {
	if i := slices.IndexFunc(js.all, func(j *judging) bool { return j.room == r }); i >= 0 {
		return js.all[i]
	}
	var before Judgement
	if json.Unmarshal(r.Judgement(), &before) != nil { // or there is none
		return nil
	}
	js.seq++
	j := &judging{Judgement: before, room: r, stop: func() {}, seq: js.seq}
	js.all = append(js.all, j)
	return j
}

// shown is a judgement for those who look. The caller holds the mutex.
func (js *Judgements) shown(j *judging) Judgement {
	shown := j.clone()
	if j.underWay() {
		shown.Millis = j.millis()
	}
	for _, other := range js.all {
		if other == j || j.State != Waiting {
			break
		}
		if other.State == Waiting {
			shown.Ahead++
		}
	}
	return shown
}

// millis is how long it has been running; 0 before.
func (j *judging) millis() int64 {
	if j.began.IsZero() {
		return 0
	}
	return time.Since(j.began).Milliseconds()
}

func (j *judging) underWay() bool { return j.State == Waiting || j.State == Running }

// isGone says that the judgement has ended and that its room has gone.
func (j *judging) isGone() bool {
	select {
	case <-j.room.Gone():
		return !j.underWay()
	default:
		return false
	}
}
