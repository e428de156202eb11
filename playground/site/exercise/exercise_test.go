package exercise_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/zkplayground/zkplayground/lessons"
	"github.com/zkplayground/zkplayground/playground/event"
	"github.com/zkplayground/zkplayground/playground/goal"
	"github.com/zkplayground/zkplayground/playground/room"
	"github.com/zkplayground/zkplayground/playground/run"
	"github.com/zkplayground/zkplayground/playground/scenario"
	"github.com/zkplayground/zkplayground/playground/site/exercise"
	"github.com/zkplayground/zkplayground/playground/store/redisserver"
	"github.com/zkplayground/zkplayground/playground/zkserver"
	"github.com/zkplayground/zkplayground/zklock/test/zktest"
)

// timeout bounds every wait: long for a busy machine, and never waited for when all is
// well.
const timeout = 2 * time.Minute

func TestMain(m *testing.M) { zktest.Main(m) }

// shipped are the lessons and scenarios that come with the program.
func shipped(t *testing.T) (*lessons.Library, scenario.Set) {
	t.Helper()
	library, err := lessons.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	scenarios, err := scenario.Shipped(run.Catalogue())
	if err != nil {
		t.Fatal(err)
	}
	return library, scenarios
}

func TestShippedLessonsNameWhatIsKnown(t *testing.T) {
	library, scenarios := shipped(t)
	if err := library.Validate(exercise.Known(scenarios, run.Catalogue())); err != nil {
		t.Error(err)
	}
}

func TestFaultThatCannotBe(t *testing.T) {
	_, scenarios := shipped(t)
	known := exercise.Known(scenarios, run.Catalogue())
	for _, text := range []string{
		`{"fault": "craish"}`, `{"fault": "slow", "client": 1}`, `{"fault": "crash", "client": 1, "for": "5s"}`,
		`{"fault": "pause", "client": 1, "for": "soon"}`, `{"fault": "pause", "client": 1, "for": "61s"}`,
		`{"fault": "crash", "when": "later"}`, `{"fault": "restart", "client": 1}`, `{"fault": "crash", "client": 1, "colour": 1}`,
	} {
		var b lessons.Break
		if err := json.Unmarshal([]byte(text), &b); err != nil {
			t.Fatal(err)
		}
		if err := known.Fault(b); err == nil {
			t.Errorf("%s can be injected", text)
		}
	}
}

// TestExercises: in a run of a check's scenario its clients alone do not meet the goal,
// nor does the wrong attempt, which hears why. After it, and once what it left is deleted,
// the acts of the tasks do. That they do by themselves is seen where the static course
// records them.
func TestExercises(t *testing.T) {
	t.Parallel()
	library, scenarios := shipped(t)
	checks := 0
	for _, lesson := range library.All() {
		if lesson.Locale != lessons.DefaultLocale {
			continue // the others have the same, as a test of package lessons says
		}
		for _, check := range lesson.Checks {
			checks++
			t.Run(check.Key(), func(t *testing.T) {
				t.Parallel()
				s := setting{T: t, check: check, scenario: asRun(t, scenarios, lesson, check)}
				s.isNotDoneByScenario()
				room, r := s.begin(slices.Concat(check.Wrong, check.Solution))
				s.failsByLuck(r)
				s.failsWrong(room, r)
				if why := notAgain[check.Key()]; why != "" {
					room, r = s.begin(check.Solution)
				} else {
					s.perform(room, leftBy(check.Wrong))()
				}
				if acts, ok := again[check.Key()]; ok {
					s.check.Solution = actsOf(t, acts)
				}
				s.passes(room, r)
			})
		}
	}
	if checks == 0 {
		t.Error("no lesson has a check")
	}
}

// asRun is the scenario of a check as a card of its lesson runs it, but at full speed.
func asRun(t *testing.T, scenarios scenario.Set, lesson lessons.Lesson, check lessons.Check) scenario.Scenario {
	t.Helper()
	found, err := scenarios.Find(check.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(lesson.Scenarios, func(card lessons.RunCard) bool { return card.Scenario == check.Scenario })
	found.Clients, found.Seed, found.Delay = lesson.Scenarios[i].Clients, lesson.Scenarios[i].Seed, 0
	return found
}

// A setting is where a check is tried.
type setting struct {
	*testing.T
	check    lessons.Check
	scenario scenario.Scenario
}

// isNotDoneByScenario: what the scenario itself breaks is no reader's doing, so no step
// may ask for that.
func (s setting) isNotDoneByScenario() {
	s.Helper()
	for _, step := range s.check.Condition.Steps {
		planned := func(f scenario.ScheduledFault) bool { return f.Name == step.Where.Fault }
		if step.Where.Kind == event.FaultInjected && (step.Where.Fault == "" || slices.ContainsFunc(s.scenario.Faults, planned)) {
			s.Errorf("step %q is done by the scenario itself", step.Is)
		}
	}
}

func (s setting) failsByLuck(r *run.Run) {
	s.Helper()
	if v := s.judged(r); v.State != goal.NotYet {
		s.Errorf("by luck, when nobody does anything: %+v", v)
	}
}

func (s setting) failsWrong(room *room.Room, r *run.Run) {
	s.Helper()
	defer s.perform(room, s.check.Wrong)()
	if v := s.judged(r); v.State != goal.NotYet || v.Reason != goal.MistakeMade && v.Reason != goal.StepMissing {
		s.Errorf("the wrong attempt: %+v", v)
	}
}

// passes: the solution meets the goal.
func (s setting) passes(room *room.Room, r *run.Run) {
	s.Helper()
	defer s.perform(room, s.check.Solution)()
	judge := goal.NewJudge(s.check.Condition, r.Describe().Lanes)
	for e, err := range r.Log().Follow(s.within(), 1) {
		if err != nil {
			s.Fatalf("the solution: %+v, and then %v", judge.Verdict(), err)
		}
		if judge.Take(e); judge.Verdict().State == goal.Met {
			break
		}
	}
}

// perform does acts at a console of their own, which leave closes.
func (s setting) perform(room *room.Room, acts []lessons.Act) (leave func()) {
	s.Helper()
	leave, err := exercise.Perform(s.within(), room, acts, 0)
	if err != nil {
		leave()
		s.Fatalf("%v: %v", acts, err)
	}
	return leave
}

// begin starts the scenario where the acts can be done, and returns when all of its
// clients have come to the lock.
func (s setting) begin(acts []lessons.Act) (*room.Room, *run.Run) {
	s.Helper()
	r := s.room(acts)
	started, err := r.Start(s.within(), s.scenario)
	if err != nil {
		s.Fatal(err)
	}
	if err := exercise.Ready(s.within(), started); err != nil {
		s.Fatal(err)
	}
	return r, started
}

// room is one on servers that may be broken, if the scenario or one of the acts does that.
func (s setting) room(acts []lessons.Act) *room.Room {
	s.Helper()
	redis := redisserver.NewOnDemand(os.Getenv)
	config := room.Config{Backend: run.Backend{Redis: redis, ZooKeeper: func() event.Server { return event.Server{Version: "3.8.0", Managed: true} }},
		EndTimeout: timeout}
	if nodes := s.nodes(acts); nodes > 0 {
		s.onServers(&config, nodes)
	} else {
		server := zktest.Start(s)
		config.Servers, config.Base = []string{server.Address()}, server.Root(s)
	}
	rooms := room.New(config)
	s.Cleanup(func() {
		if err := errors.Join(rooms.Close(s.within()), redis.Stop(s.within())); err != nil {
			s.Error(err)
		}
	})
	r, err := rooms.Get(room.Main)
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// nodes are how many servers of its own it takes, for what is broken.
func (s setting) nodes(acts []lessons.Act) int {
	nodes := 0
	broken := func(name string) {
		if kind, _ := run.Catalogue().Fault(name); kind.Target == scenario.TargetServer {
			nodes = max(nodes, kind.Nodes, 1)
		}
	}
	for _, fault := range s.scenario.Faults {
		broken(fault.Name)
	}
	for _, act := range acts {
		if act.Break != nil {
			broken(act.Break.Fault)
		}
	}
	return nodes
}

// onServers has the room use servers of its own.
func (s setting) onServers(config *room.Config, nodes int) {
	s.Helper()
	ensemble, err := zkserver.StartEnsemble(s.within(), zkserver.Config{}, nodes)
	if err != nil {
		s.Fatal(err)
	}
	monitor := zkserver.NewMonitor(zkserver.MonitorConfig{Addresses: ensemble.Addresses(), Managed: true, Interval: 50 * time.Millisecond})
	watching, stop := context.WithCancel(context.Background())
	watched := make(chan struct{})
	go func() { defer close(watched); monitor.Run(watching) }()
	s.Cleanup(func() {
		stop()
		<-watched
		if err := ensemble.Stop(s.within()); err != nil {
			s.Error(err)
		}
	})
	config.Servers, config.Cluster, config.Gate = ensemble.Addresses(), ensemble, monitor.Wait
}

// judged is the log so far.
func (s setting) judged(r *run.Run) goal.Verdict {
	s.Helper()
	judge := goal.NewJudge(s.check.Condition, r.Describe().Lanes)
	for e, err := range r.Log().Events(1) {
		if err != nil {
			s.Fatal(err)
		}
		judge.Take(e)
	}
	return judge.Verdict()
}

func (s setting) within() context.Context {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.Context()), timeout)
	s.Cleanup(cancel)
	return ctx
}

// TestLuckIsThere: what the clients beside a reader do would meet a goal, if it did not
// ask for the reader.
func TestLuckIsThere(t *testing.T) {
	t.Parallel()
	library, scenarios := shipped(t)
	lesson, _ := library.Get("en", "znodes")
	check := lesson.Checks[len(lesson.Checks)-1]
	for i := range check.Condition.Steps {
		check.Condition.Steps[i].Where.By = ""
	}
	s := setting{T: t, check: check, scenario: asRun(t, scenarios, lesson, check)}
	_, r := s.begin(nil)
	if v := s.judged(r); v.State != goal.Met {
		t.Errorf("%s: %+v", check.Key(), v)
	}
}
