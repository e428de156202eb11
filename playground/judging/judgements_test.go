package judging_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/playground/challenge"
	"github.com/zkplayground/zkplayground/playground/client"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/judge"
	"github.com/zkplayground/zkplayground/playground/judging"
	"github.com/zkplayground/zkplayground/playground/program/programtest"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

func TestMain(m *testing.M) { programtest.Main(m) }

// A house has rooms, and their judgements.
type house struct {
	*testing.T
	rooms      *room.Rooms
	judgements *judging.Judgements
}

func open(t *testing.T, most int64) *house { return reopen(t, most, t.TempDir()) }

// reopen opens the house whose rooms are kept in a directory.
func reopen(t *testing.T, most int64, dir string) *house {
	t.Helper()
	server := zktest.Start(t)
	base := server.Root(t) + "/playground"
	h := &house{T: t, rooms: room.New(room.Config{Backend: run.Backend{Servers: []string{server.Address()}}, Base: base, KeepDir: dir})}
	if err := h.rooms.Restore(); err != nil {
		t.Fatal(err)
	}
	h.judgements = judging.New(judging.Config{Most: most, Command: &client.ProgramConfig{Command: []string{"sleep", "1000"}, Supervisor: programtest.Supervisor()},
		Starlark: &client.ProgramConfig{Command: programtest.StarlarkFromEnvironment(), Supervisor: programtest.Supervisor()},
		Judge: func() judge.Config {
			return judge.Config{Shared: run.Backend{Servers: []string{server.Address()}}, Base: base, AtOnce: 2, LogDir: t.TempDir()}
		}})
	t.Cleanup(h.close)
	return h
}

func (h *house) close() {
	h.judgements.Close()
	if err := h.rooms.Close(context.Background()); err != nil {
		h.Error(err)
	}
}

func (h *house) room() *room.Room {
	h.Helper()
	r, err := h.rooms.Create(h.Context(), room.Person{ID: rand.Text()})
	if err != nil {
		h.Fatal(err)
	}
	return r
}

// start begins to judge what a challenge begins with.
func (h *house) start(r *room.Room, order judging.Order, trials []judge.Trial) {
	h.Helper()
	if _, err := h.judgements.Start(r, order, trials); err != nil {
		h.Fatal(err)
	}
}

// await looks anew, as a page does, each time that the room has changed, until a judgement is as
// wanted.
func (h *house) await(r *room.Room, wanted func(judging.Judgement) bool) judging.Judgement {
	h.Helper()
	tooLong := time.After(2 * time.Minute)
	for {
		_, changed := r.Current()
		j := h.of(r)
		if wanted(j) {
			return j
		}
		select {
		case <-changed:
		case <-tooLong:
			h.Fatalf("the judgement does not get there: %+v", j)
		}
	}
}

func (h *house) of(r *room.Room) judging.Judgement {
	h.Helper()
	j, err := h.judgements.Of(r)
	if err != nil {
		h.Fatal(err)
	}
	return j
}

func inJSON(t *testing.T, j judging.Judgement) string {
	t.Helper()
	text, err := json.Marshal(j)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func is(s judging.State) func(judging.Judgement) bool {
	return func(j judging.Judgement) bool { return j.State == s }
}

// TestJudgement: a source is judged, and the runs of its trials can be looked at afterwards, also
// when the program has been started again.
func TestJudgement(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	h := reopen(t, 1, dir)
	r := h.room()
	if _, err := h.judgements.Of(r); !errors.Is(err, judging.ErrNone) {
		t.Errorf("before the first: %v", err)
	}
	first := challenge.All()[0]
	h.start(r, judging.Order{Source: first.Start, Challenge: first.Name, Seed: 1}, first.Trials())
	if _, err := h.judgements.Start(r, judging.Order{Source: first.Start}, first.Trials()); !errors.Is(err, judging.ErrUnderWay) {
		t.Errorf("a second one in the room: %v", err)
	}
	j := h.await(r, is(judging.Done))
	for i, want := range []event.Verdict{event.Holds, event.Violated} { // calm, and a crash of the holder
		trial := j.Trials[i]
		if trial.State != judging.Done || trial.Outcome == nil {
			t.Fatalf("%s: %+v", trial.Name, trial)
		}
		live, _ := trial.Outcome.Of(judge.Live)
		if live.Verdict != want {
			t.Errorf("%s: %+v", trial.Name, live)
		}
		recording, err := r.Recording(t.Context(), trial.Outcome.Run)
		if err != nil || recording.Run.Events < live.Seq || recording.Run.Title != "Trial "+trial.Name || recording.Run.Lanes[0].Source != first.Start {
			t.Errorf("the run of %s: %+v, %v", trial.Name, recording.Run, err)
		}
	}
	smaller := j.Trials[1].Outcome.Smaller
	if smaller == nil {
		t.Fatal("no smaller run fails")
	}
	if recording, err := r.Recording(t.Context(), smaller.Run); err != nil || recording.Run.Clients != smaller.Clients {
		t.Errorf("the smaller run: %+v, %v", recording.Run, err)
	}
	h.start(r, judging.Order{Source: first.Solution, Seed: 1}, first.Trials()[:1])
	next := h.await(r, is(judging.Done))
	if len(next.Trials) != 1 || len(next.Trials[0].Outcome.Failed()) > 0 {
		t.Errorf("the next one: %+v", next.Trials)
	}

	h.close()
	h = reopen(t, 1, dir)
	r, err := h.rooms.Get(r.Name())
	if err != nil {
		t.Fatal(err)
	}
	if got := h.of(r); inJSON(t, got) != inJSON(t, next) || h.judgements.Seq(r) == 0 {
		t.Errorf("after a restart: %+v, want %+v", got, next)
	}
	if _, err := r.Recording(t.Context(), smaller.Run); err != nil {
		t.Errorf("the smaller run after a restart: %v", err)
	}
	h.start(r, judging.Order{Source: first.Start, Seed: 1}, first.Trials()[:1])
}

// TestNotDone: a trial that cannot be done ends the judgement, with a reason in codes.
func TestNotDone(t *testing.T) {
	t.Parallel()
	h := open(t, 1)
	h.judgements.Close()
	h.judgements = judging.New(judging.Config{Command: &client.ProgramConfig{}, Judge: func() judge.Config {
		return judge.Config{Own: func(context.Context, int, string, int32) (run.Backend, func() error, error) {
			return run.Backend{}, nil, context.DeadlineExceeded
		}}
	}})
	restart, _ := judge.Find("restart")
	r := h.room()
	h.start(r, judging.Order{}, []judge.Trial{restart})
	j := h.await(r, is(judging.Failed))
	if !j.Reason.Has("trial-not-done") || !j.Reason.Has("deadline-exceeded") || j.Why != "the trial restart could not be done: context deadline exceeded" {
		t.Errorf("%+v: %s", j.Reason, j.Why)
	}
}

// TestLine: judgements beyond the limit wait in the order in which they came; one that is
// stopped makes way, and so does one whose room goes.
func TestLine(t *testing.T) {
	t.Parallel()
	h := open(t, 1)
	trials := judge.Trials()[:1]
	first, second, third := h.room(), h.room(), h.room()
	for _, r := range []*room.Room{first, second, third} {
		h.start(r, judging.Order{Seed: 1}, trials) // the command never gets the lock
	}
	h.await(first, is(judging.Running))
	if j, _ := h.judgements.Of(third); j.State != judging.Waiting || j.Ahead != 1 {
		t.Errorf("the third is %s, with %d ahead", j.State, j.Ahead)
	}
	if err := h.judgements.Stop(first); err != nil {
		t.Fatal(err)
	}
	h.await(first, is(judging.Stopped))
	h.await(second, is(judging.Running))
	if j, _ := h.judgements.Of(third); j.Ahead != 0 {
		t.Errorf("the third has %d ahead", j.Ahead)
	}
	if err := h.rooms.Remove(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	h.await(third, is(judging.Running))
}

// TestTwoAtOnce: two judgements are under way, and those that wait come in their order, one
// for each that ends.
func TestTwoAtOnce(t *testing.T) {
	t.Parallel()
	h := open(t, 2)
	var rooms []*room.Room
	for range 4 {
		rooms = append(rooms, h.room())
		h.start(rooms[len(rooms)-1], judging.Order{Seed: 1}, judge.Trials()[:1]) // the command never gets the lock
	}
	expect := func(want ...judging.State) {
		t.Helper()
		for i, s := range want {
			if j, _ := h.judgements.Of(rooms[i]); j.State != s {
				t.Errorf("the judgement %d is %s, want %s", i+1, j.State, s)
			}
		}
	}
	expect(judging.Running, judging.Running, judging.Waiting, judging.Waiting)
	if j, _ := h.judgements.Of(rooms[3]); j.Ahead != 1 {
		t.Errorf("the last has %d ahead", j.Ahead)
	}
	before := h.judgements.Seq(rooms[3])
	if err := h.judgements.Stop(rooms[1]); err != nil {
		t.Fatal(err)
	}
	h.await(rooms[1], is(judging.Stopped))
	expect(judging.Running, judging.Stopped, judging.Running, judging.Waiting)
	if h.judgements.Seq(rooms[3]) <= before {
		t.Error("the last is not told that it has come forward")
	}
}

// TestNothingToJudge: without a source and without a command there is nothing; after the end
// nothing begins.
func TestNothingToJudge(t *testing.T) {
	t.Parallel()
	none := judging.New(judging.Config{})
	h := open(t, 1)
	if _, err := none.Start(h.room(), judging.Order{}, nil); !errors.Is(err, judging.ErrNoProgram) {
		t.Errorf("%v, want %v", err, judging.ErrNoProgram)
	}
	none.Close()
	h.judgements.Close()
	if _, err := h.judgements.Start(h.room(), judging.Order{}, judge.Trials()[:1]); !errors.Is(err, judging.ErrClosed) {
		t.Errorf("%v, want %v", err, judging.ErrClosed)
	}
}
