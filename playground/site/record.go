package site

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/check"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/internal/clock"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/site/exercise"
)

const (
	// atOnce is how many runs are recorded at the same time: they mostly wait.
	atOnce = 30
	// attempts is how often a run is recorded until it goes as its scenario is made to,
	// and as the lessons say: where the machine stands still, a fault may come when nobody
	// holds, or a session may end that should not.
	attempts = 4
	// extra is how much longer a run may take until its verdicts are what is
	// expected, and a solution altogether.
	extra = 20 * time.Second
	// quiet is for how long nothing happens in a run that is over.
	quiet = 4 * time.Second
	// look is the time between two looks at a run.
	look = 100 * time.Millisecond
	// pace is the time before each act of a solution: who watches is to follow. It is
	// slower each time that an attempt has failed: the clients do the same again, so what
	// has come at a bad moment would do so, too.
	pace   = 1500 * time.Millisecond
	slower = 700 * time.Millisecond
	// atTheEnd is the check whose verdict comes when the clients have stopped.
	atTheEnd = "orphans"
	// leaving bounds the end of a room whose run has ended.
	leaving = 15 * time.Second
)

// A recorder records runs into a folder.
type recorder struct {
	config Config
	folder *folder
	done   atomic.Int64
	all    int
}

// record records the runs: many at the same time, and meanwhile those that break servers,
// one after the other.
func (r *recorder) record(ctx context.Context, runs []Run) error {
	r.all = len(runs)
	var breaking, sharing []Run
	for _, one := range runs {
		if one.breaksServers(r.config.Catalogue) {
			breaking = append(breaking, one)
		} else {
			sharing = append(sharing, one)
		}
	}
	recording, ctx := errgroup.WithContext(ctx)
	recording.Go(func() error { return r.each(ctx, sharing, atOnce, r.config.Rooms) })
	if len(breaking) > 0 {
		recording.Go(func() error {
			return r.config.OnOwnServers(ctx, func(rooms *room.Rooms) error { return r.each(ctx, breaking, 1, rooms) })
		})
	}
	return recording.Wait()
}

// each records so many of the runs at the same time.
func (r *recorder) each(ctx context.Context, runs []Run, atOnce int, rooms *room.Rooms) error {
	recording, ctx := errgroup.WithContext(ctx)
	recording.SetLimit(atOnce)
	for _, one := range runs {
		recording.Go(func() error { return r.one(ctx, one, rooms) })
	}
	return recording.Wait()
}

// one records a run, if need be more than once.
func (r *recorder) one(ctx context.Context, one Run, rooms *room.Rooms) error {
	var recording recording
	var err error
	for n := range attempts {
		recording, err = attempt(ctx, one, rooms, pace+time.Duration(n)*slower)
		if !errors.Is(err, errWentWrong) || ctx.Err() != nil {
			break
		}
		r.config.Progress(fmt.Sprintf("attempt %d of %s: %v", n+1, one.Name, err))
	}
	if err == nil {
		err = r.folder.write(RecordingPath(one.Name), recording.content)
	}
	if err != nil {
		return fmt.Errorf("record %s: %w", one.Name, err)
	}
	r.config.Progress(fmt.Sprintf("recorded %d of %d: %s, %d events", r.done.Add(1), r.all, one.Name, recording.events))
	return nil
}

// A recording is one as it is to be written.
type recording struct {
	content []byte
	events  int64
}

// errWentWrong: a run did not show what it is to show.
var errWentWrong = errors.New("the run did not go as it is made to")

// attempt records a run once, in a room of its own.
func attempt(ctx context.Context, one Run, rooms *room.Rooms, pace time.Duration) (_ recording, err error) {
	own, err := rooms.Create(ctx, room.Person{Teacher: true})
	if err != nil {
		return recording{}, err
	}
	defer func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), leaving)
		defer cancel()
		err = errors.Join(err, rooms.Remove(ending, own))
	}()
	started, err := own.Start(ctx, one.Scenario)
	if err != nil {
		return recording{}, err
	}
	if err := follow(ctx, one, own, started, pace); err != nil {
		return recording{}, err
	}
	if err := judge(one, started); err != nil {
		return recording{}, err
	}
	var content bytes.Buffer
	err = event.WriteRecording(&content, started.Describe(), started.Log())
	return recording{content.Bytes(), started.Log().Len()}, err
}

// follow lets a run go on until there is enough of it, and ends it.
func follow(ctx context.Context, one Run, own *room.Room, started *run.Run, pace time.Duration) error {
	for _, lane := range started.Describe().Lanes {
		if lane.Missing != "" {
			return fmt.Errorf("lane %s: %s", lane.Name, lane.Missing)
		}
	}
	leave, err := func() {}, error(nil)
	if one.Check == nil {
		err = watch(ctx, one, started)
	} else {
		leave, err = solve(ctx, one, own, started, pace)
	}
	started.Stop()
	if failed := started.Wait(context.WithoutCancel(ctx)); failed != nil {
		err = errors.Join(err, fmt.Errorf("%w: %w", errWentWrong, failed))
	}
	leave() // after the run has ended: what a console does at its end is no part of it
	return err
}

// watch returns when the run of a card has lasted for long enough.
func watch(ctx context.Context, one Run, started *run.Run) error {
	looking := time.NewTicker(look)
	defer looking.Stop()
	seen := seen{log: started.Log()}
	for {
		select {
		case <-looking.C:
		case <-started.Done():
			return fmt.Errorf("%w: it ended early", errWentWrong)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err := seen.read(); err != nil {
			return err
		}
		now := started.Log().Now()
		late := now > one.length()+extra
		over := one.ends() && now > one.lastFault() && now-seen.last > quiet
		if late || (over || now > one.length()) && !misses(started.Summary(), one.States) {
			return nil
		}
	}
}

// misses says whether a verdict is to come that is expected while the run goes on, or a figure
// that the lessons state: on a slow machine it takes longer.
func misses(summary check.Summary, states []lessons.Statement) bool {
	if len(Contradictions(summary, states)) > 0 {
		return true
	}
	for _, v := range summary.Unmet() {
		if v.Check != atTheEnd {
			return true
		}
	}
	return false
}

// seen is what a log has had so far.
type seen struct {
	log    *event.Log
	events int64
	last   time.Duration // when something happened that a picture shows
}

func (s *seen) read() error {
	for e, err := range s.log.Events(s.events + 1) {
		if err != nil {
			return err
		}
		s.events = e.Seq
		if e.Op != "ping" && e.Kind != event.TreeSynced {
			s.last = time.Duration(e.At) * time.Microsecond
		}
	}
	return nil
}

// solve does what solves a check, and returns when the goal has been met for a while.
func solve(ctx context.Context, one Run, own *room.Room, started *run.Run, pace time.Duration) (leave func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, one.length()+extra)
	defer cancel()
	if err := exercise.Ready(ctx, started); err != nil {
		return func() {}, fmt.Errorf("%w: %w", errWentWrong, err)
	}
	leave, err = exercise.Perform(ctx, own, one.Check.Solution, pace)
	if err != nil {
		return leave, fmt.Errorf("%w: %w", errWentWrong, err)
	}
	judge := goal.NewJudge(one.Check.Condition, started.Describe().Lanes)
	for e, err := range started.Log().Follow(ctx, 1) {
		if err != nil {
			return leave, fmt.Errorf("%w: step %d is missing: %w", errWentWrong, judge.Verdict().Step+1, err)
		}
		if judge.Take(e); judge.Verdict().State == goal.Met {
			break
		}
	}
	clock.Sleep(ctx, pace)
	return leave, nil
}

// judge says what a run of a card lacks that is over, for its scenario or for what the
// lessons say of it. A solution may break what it likes: that its goal is met has been
// seen.
func judge(one Run, over *run.Run) error {
	if one.Check != nil {
		return nil
	}
	if contradictions := Contradictions(over.Summary(), one.States); len(contradictions) > 0 {
		return fmt.Errorf("%w: %w", errWentWrong, contradictions[0])
	}
	return nil
}
