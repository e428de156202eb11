package web_test

import (
	"fmt"
	"testing"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/console"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/run"
)

// TestExercises: of each check of the lessons, the commands of its tasks meet it, typed
// at a console beside its scenario; its wrong attempt does not, and hears why; nor do the
// scenario's own clients, whatever they do.
func TestExercises(t *testing.T) {
	t.Parallel()
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	checks := 0
	for _, lesson := range library.All() {
		for _, check := range lesson.Checks {
			checks++
			t.Run(check.Key(), func(t *testing.T) { exercise(t, check) })
		}
	}
	if checks == 0 {
		t.Error("no lesson has a check")
	}
}

func exercise(t *testing.T, check lessons.Check) {
	t.Parallel()
	s := open(t)

	r := s.begin(check)
	if v := s.judged(check, r); v.State != goal.NotYet {
		t.Errorf("by luck, with nobody who types: %+v", v)
	}
	s.types(r, check.Wrong)
	if v := s.judged(check, r); v.State != goal.NotYet || v.Reason != goal.MistakeMade && v.Reason != goal.StepMissing {
		t.Errorf("the wrong attempt: %+v", v)
	}

	r = s.begin(check)
	s.types(r, check.Solution)
	judge := goal.NewJudge(check.Condition, r.Describe().Lanes)
	s.await(r, func(e event.Event) bool {
		judge.Take(e)
		return judge.Verdict().State == goal.Met
	})
}

// begin starts the scenario of a check, and returns when all of its clients have queued up.
func (s *site) begin(check lessons.Check) *run.Run {
	s.Helper()
	described := s.start(fmt.Sprintf(`{"scenario": %q, "delay": "0s"}`, check.Scenario))
	r := s.run()
	for client := 1; client <= described.Clients; client++ {
		s.await(r, func(e event.Event) bool { return e.Kind == event.LockEnqueued && e.Client == client })
	}
	return r
}

// types types lines at a console of the run; after quit it is another one.
func (s *site) types(r *run.Run, lines []string) {
	s.Helper()
	c := s.sit("")
	for _, line := range lines {
		if c == nil {
			c = s.sit("")
		}
		if line != "quit" {
			c.does(line)
			continue
		}
		c.send(map[string]string{"line": line})
		c.until(func(f console.Frame) bool { return f.Ended != "" })
		s.await(r, func(e event.Event) bool { return e.Kind == event.SessionClosed && e.Client == c.client })
		c = nil
	}
}

// judged is the log so far. Whatever was answered at a console is in it.
func (s *site) judged(check lessons.Check, r *run.Run) goal.Verdict {
	s.Helper()
	judge := goal.NewJudge(check.Condition, r.Describe().Lanes)
	for next, end := int64(1), r.Log().Len(); next <= end; {
		events, err := r.Log().Read(next, int(end-next+1))
		if err != nil {
			s.Fatal(err)
		}
		for _, e := range events {
			judge.Take(e)
		}
		next += int64(len(events))
	}
	return judge.Verdict()
}

// TestLuckIsThere: what the clients beside a reader do would meet a goal, if it did not
// ask for the reader.
func TestLuckIsThere(t *testing.T) {
	t.Parallel()
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	lesson, _ := library.Get("en", "znodes")
	check := lesson.Checks[len(lesson.Checks)-1]
	for i := range check.Condition.Steps {
		check.Condition.Steps[i].Where.By = ""
	}
	s := open(t)
	if v := s.judged(check, s.begin(check)); v.State != goal.Met {
		t.Errorf("%s: %+v", check.Key(), v)
	}
}
